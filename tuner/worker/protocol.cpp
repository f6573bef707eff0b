#include "tuner/worker/protocol.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "generator/config_json.hpp"
#include "generator/problem_json.hpp"
#include "tuner/worker/definitions_json.hpp"

namespace upsweep::tuner {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<ErrorKind, const char*>, 6> kinds{{{ErrorKind::internal, "internal"},
                                                                  {ErrorKind::usage, "usage"},
                                                                  {ErrorKind::input, "input"},
                                                                  {ErrorKind::device, "device"},
                                                                  {ErrorKind::compiler, "compiler"},
                                                                  {ErrorKind::database, "database"}}};

template <typename Names, typename Value>
const char* word_of(const Names& names, Value value) {
  for (const auto& [each, word] : names) {
    if (each == value) return word;
  }
  throw ProtocolError("a value without a name");
}

template <typename Names>
auto value_of(const Names& names, const std::string& word) {
  for (const auto& [value, each] : names) {
    if (each == word) return value;
  }
  throw ProtocolError(fmt::format("unknown word '{}'", word));
}

json json_of(const Config& config) {
  return upsweep::json_of<json>(config);
}
Config config_of(const json& object) {
  return config_from_parsed(object);
}

json json_of(const std::vector<Config>& configs) {
  json list = json::array();
  for (const Config& config : configs) list.push_back(json_of(config));
  return list;
}
std::vector<Config> configs_of(const json& list) {
  if (!list.is_array()) throw ProtocolError("the configs are not a list");
  std::vector<Config> configs;
  for (const json& each : list) configs.push_back(config_of(each));
  return configs;
}

json json_of(const std::vector<StepResources>& steps) {
  json list = json::array();
  for (const StepResources& step : steps) {
    list.push_back(
        {{"registers", step.registers}, {"spill_bytes", step.spill_bytes}, {"shared_bytes", step.shared_bytes}});
  }
  return list;
}
std::vector<StepResources> resources_of(const json& list) {
  if (!list.is_array()) throw ProtocolError("the steps are not a list");
  std::vector<StepResources> steps;
  for (const json& each : list) {
    steps.push_back({.registers = whole_of<int>(each.at("registers")),
                     .spill_bytes = whole_of<int>(each.at("spill_bytes")),
                     .shared_bytes = whole_of<int>(each.at("shared_bytes"))});
  }
  return steps;
}

json json_of(const Problem& problem) {
  json object = upsweep::json_of<json>(problem);
  if (json definitions = definitions_json(problem); !definitions.empty()) object["definitions"] = definitions;
  return object;
}
Problem problem_of(const json& object) {
  const json definitions = object.contains("definitions") ? object.at("definitions") : json::array();
  define(definitions);
  Problem problem = upsweep::problem_of(names_of_json(object, "the problem", {"size", "definitions"}));
  problem.size = whole_of<std::uint64_t>(object.at("size"));
  if (definitions_json(problem) != definitions) {
    throw ProtocolError("the definitions are not those that the problem uses");
  }
  return problem;
}

// JSON has no infinity: null is no limit.
json json_of(const RunRequest& request) {
  return {{"size", request.size},
          {"misaligned", request.misaligned},
          {"limit_us", std::isinf(request.limit_us) ? json() : json(request.limit_us)},
          {"samples", request.samples},
          {"more_samples", request.more_samples},
          {"near_us", std::isinf(request.near_us) ? json() : json(request.near_us)},
          {"sample_us", request.sample_us},
          {"replay", request.replay},
          {"moves", request.moves},
          {"next", json_of(request.next)}};
}
RunRequest run_request_of(const json& object) {
  RunRequest request;
  request.size = whole_of<std::uint64_t>(object.at("size"));
  request.misaligned = object.at("misaligned").get<bool>();
  if (!object.at("limit_us").is_null()) request.limit_us = object.at("limit_us").get<double>();
  request.samples = whole_of<int>(object.at("samples"));
  request.more_samples = whole_of<int>(object.at("more_samples"));
  if (!object.at("near_us").is_null()) request.near_us = object.at("near_us").get<double>();
  request.sample_us = object.at("sample_us").get<double>();
  request.replay = object.at("replay").get<bool>();
  request.moves = whole_of<int>(object.at("moves"));
  request.next = configs_of(object.at("next"));
  return request;
}

json json_of(const Outcome& outcome) {
  return {{"verdict", name(outcome.verdict)}, {"samples_us", outcome.samples_us}, {"more_us", outcome.more_us},
          {"failure", outcome.failure},       {"binary", outcome.binary},         {"clock_mhz", outcome.clock_mhz},
          {"may_pass", outcome.may_pass}};
}
Outcome outcome_of(const json& object) {
  return {.verdict = tuning_db::parse_verdict(object.at("verdict").get<std::string>()),
          .samples_us = object.at("samples_us").get<std::vector<double>>(),
          .more_us = object.at("more_us").get<std::vector<double>>(),
          .failure = object.at("failure").get<std::string>(),
          .binary = object.at("binary").get<std::string>(),
          .clock_mhz = whole_of<int>(object.at("clock_mhz")),
          .may_pass = object.at("may_pass").get<bool>()};
}

struct Writer {
  json operator()(const Greet&) const { return {{"do", "greet"}}; }
  json operator()(const Open& open) const {
    return {{"do", "open"}, {"device", open.device}, {"problem", json_of(open.problem)}, {"seed", open.seed}};
  }
  json operator()(const Run& run) const {
    return {{"do", "run"}, {"number", run.number}, {"config", json_of(run.config)}, {"request", json_of(run.request)}};
  }
  json operator()(const Turn& turn) const {
    return {{"do", "turn"}, {"configs", json_of(turn.configs)}, {"request", json_of(turn.request)}};
  }
  json operator()(const Keep& keep) const { return {{"do", "keep"}, {"configs", json_of(keep.configs)}}; }
  json operator()(const Compile& compile) const {
    return {{"do", "compile"},
            {"problem", json_of(compile.problem)},
            {"config", json_of(compile.config)},
            {"architecture", compile.architecture}};
  }

  json operator()(const Greeting& greeting) const {
    return {{"did", "greet"}, {"protocol", greeting.protocol}, {"generator", greeting.generator}};
  }
  json operator()(const Opened& opened) const { return {{"did", "open"}, {"device", opened.device}}; }
  json operator()(const Loaded&) const { return {{"did", "load"}}; }
  json operator()(const Ran& ran) const {
    return {{"did", "run"},
            {"outcome", json_of(ran.outcome)},
            {"busy_seconds", ran.busy_seconds},
            {"leaving", ran.leaving}};
  }
  json operator()(const Turned& turned) const {
    return {{"did", "turn"}, {"samples_us", turned.samples_us}, {"busy_seconds", turned.busy_seconds}};
  }
  json operator()(const CompileResult& result) const {
    return {{"did", "compile"},           {"config", json_of(result.config)}, {"verdict", name(result.verdict)},
            {"failure", result.failure},  {"binary", result.binary},          {"steps", json_of(result.steps)},
            {"may_pass", result.may_pass}};
  }
  json operator()(const Failed& failed) const {
    return {{"did", "fail"},
            {"kind", word_of(kinds, failed.kind)},
            {"message", failed.message},
            {"leaving", failed.leaving}};
  }
};

CompileResult compile_result_of(const json& object) {
  return {.config = config_of(object.at("config")),
          .verdict = tuning_db::parse_verdict(object.at("verdict").get<std::string>()),
          .failure = object.at("failure").get<std::string>(),
          .binary = object.at("binary").get<std::string>(),
          .steps = resources_of(object.at("steps")),
          .may_pass = object.at("may_pass").get<bool>()};
}

Request request_of(const json& object) {
  const std::string what = object.at("do").get<std::string>();
  if (what == "greet") return Greet{};
  if (what == "open") {
    return Open{object.at("device").get<std::string>(), problem_of(object.at("problem")),
                whole_of<std::uint64_t>(object.at("seed"))};
  }
  if (what == "run") {
    return Run{whole_of<std::uint64_t>(object.at("number")), config_of(object.at("config")),
               run_request_of(object.at("request"))};
  }
  if (what == "turn") return Turn{configs_of(object.at("configs")), run_request_of(object.at("request"))};
  if (what == "keep") return Keep{configs_of(object.at("configs"))};
  if (what == "compile") {
    return Compile{problem_of(object.at("problem")), config_of(object.at("config")),
                   object.at("architecture").get<std::string>()};
  }
  throw ProtocolError(fmt::format("unknown request '{}'", what));
}

Answer answer_of(const json& object) {
  const std::string what = object.at("did").get<std::string>();
  if (what == "greet") return Greeting{whole_of<int>(object.at("protocol")), object.at("generator").get<std::string>()};
  if (what == "open") return Opened{object.at("device").get<std::string>()};
  if (what == "load") return Loaded{};
  if (what == "run") {
    return Ran{outcome_of(object.at("outcome")), object.at("busy_seconds").get<double>(),
               object.at("leaving").get<bool>()};
  }
  if (what == "turn") {
    return Turned{object.at("samples_us").get<std::vector<std::vector<double>>>(),
                  object.at("busy_seconds").get<double>()};
  }
  if (what == "compile") return compile_result_of(object);
  if (what == "fail") {
    return Failed{value_of(kinds, object.at("kind").get<std::string>()), object.at("message").get<std::string>(),
                  object.at("leaving").get<bool>()};
  }
  throw ProtocolError(fmt::format("unknown answer '{}'", what));
}

template <typename Read>
auto parsed(std::string_view line, const Read& read) {
  constexpr std::size_t shown = 80;
  const auto refuse = [&](std::string_view why) {
    return ProtocolError(fmt::format("not a message of this protocol ({}): {}{}", base::show_controls(why),
                                     base::show_controls(line.substr(0, shown)), line.size() > shown ? "..." : ""));
  };
  try {
    return read(base::parse_json<json>(line));
  } catch (const json::exception& error) {
    throw refuse(error.what());
  } catch (const Error& error) {
    throw refuse(error.what());
  }
}

std::string line_of(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string to_line(const Request& request) {
  return line_of(std::visit(Writer{}, request));
}
std::string to_line(const Answer& answer) {
  return line_of(std::visit(Writer{}, answer));
}

Request request_from_line(std::string_view line) {
  return parsed(line, request_of);
}
Answer answer_from_line(std::string_view line) {
  return parsed(line, answer_of);
}

}  // namespace upsweep::tuner
