#include "tuner/worker/protocol.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "generator/config_json.hpp"
#include "generator/density.hpp"
#include "generator/problem_json.hpp"
#include "tuner/worker/definitions_json.hpp"

namespace upsweep::tuner {
namespace {

using nlohmann::json;

constexpr std::array kinds{"internal", "usage", "input", "device", "compiler", "database"};  // of ErrorKind, from 1 on

// Of the alternatives of Request and Answer, in their order.
constexpr std::array requests{"greet", "open", "run", "turn", "keep", "compile"};
constexpr std::array answers{"greet", "open", "load", "run", "turn", "compile", "fail"};

template <std::size_t count>
std::size_t place_of(const std::array<const char*, count>& names, const std::string& name, const char* what) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw ProtocolError(fmt::format("unknown {} '{}'", what, name));
  return static_cast<std::size_t>(at - names.begin());
}

// Calls visit(name, member) for each member of a message or of a part of one.
template <typename Of, typename Visit>
void each_member(Of& of, const Visit& visit) {
  using Kind = std::remove_const_t<Of>;
  if constexpr (std::is_same_v<Kind, Open>) {
    visit("device", of.device)("problem", of.problem)("seed", of.seed);
  } else if constexpr (std::is_same_v<Kind, Run>) {
    visit("number", of.number)("config", of.config)("request", of.request);
  } else if constexpr (std::is_same_v<Kind, Turn>) {
    visit("configs", of.configs)("request", of.request);
  } else if constexpr (std::is_same_v<Kind, Keep>) {
    visit("configs", of.configs);
  } else if constexpr (std::is_same_v<Kind, Compile>) {
    visit("problem", of.problem)("config", of.config)("architecture", of.architecture);
  } else if constexpr (std::is_same_v<Kind, Greeting>) {
    visit("protocol", of.protocol)("generator", of.generator);
  } else if constexpr (std::is_same_v<Kind, Opened>) {
    visit("device", of.device);
  } else if constexpr (std::is_same_v<Kind, Ran>) {
    visit("outcome", of.outcome)("busy_seconds", of.busy_seconds)("leaving", of.leaving);
  } else if constexpr (std::is_same_v<Kind, Turned>) {
    visit("samples_us", of.samples_us)("busy_seconds", of.busy_seconds);
  } else if constexpr (std::is_same_v<Kind, CompileResult>) {
    visit("config", of.config)("verdict", of.verdict)("failure", of.failure)("binary", of.binary)("steps", of.steps);
    visit("may_pass", of.may_pass);
  } else if constexpr (std::is_same_v<Kind, Failed>) {
    visit("kind", of.kind)("message", of.message)("leaving", of.leaving);
  } else if constexpr (std::is_same_v<Kind, StepResources>) {
    visit("registers", of.registers)("spill_bytes", of.spill_bytes)("shared_bytes", of.shared_bytes);
  } else if constexpr (std::is_same_v<Kind, RunRequest>) {
    visit("size", of.size)("misaligned", of.misaligned)("density", of.density)("limit_us", of.limit_us);
    visit("samples", of.samples);
    visit("more_samples", of.more_samples)("near_us", of.near_us)("sample_us", of.sample_us)("replay", of.replay);
    visit("moves", of.moves)("next", of.next);
  } else if constexpr (std::is_same_v<Kind, Outcome>) {
    visit("verdict", of.verdict)("samples_us", of.samples_us)("more_us", of.more_us)("failure", of.failure);
    visit("binary", of.binary)("clock_mhz", of.clock_mhz)("may_pass", of.may_pass);
  } else {
    static_assert(std::is_empty_v<Kind>);
  }
}

template <typename T>
constexpr bool is_list = false;
template <typename T>
constexpr bool is_list<std::vector<T>> = true;

template <typename Value>
json written(const Value& value);

struct Writer {
  json& object;
  template <typename Value>
  const Writer& operator()(const char* name, const Value& value) const {
    object[name] = written(value);
    return *this;
  }
};

// JSON has no infinity: as text it is null.
template <typename Value>
json written(const Value& value) {
  if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<Value, ErrorKind>) {
    return kinds.at(static_cast<std::size_t>(value) - 1);
  } else if constexpr (std::is_same_v<Value, tuning_db::Verdict> || std::is_same_v<Value, Density>) {
    return name(value);
  } else if constexpr (std::is_same_v<Value, Config>) {
    return json_of<json>(value);
  } else if constexpr (std::is_same_v<Value, Problem>) {
    json object = json_of<json>(value);
    if (value.shape != Shape::flat) object["row_length"] = value.row_length;  // its name tells no more than the class
    if (json definitions = definitions_json(value); !definitions.empty()) object["definitions"] = definitions;
    return object;
  } else if constexpr (is_list<Value>) {
    json list = json::array();
    for (const auto& each : value) list.push_back(written(each));
    return list;
  } else {
    json object = json::object();
    each_member(value, Writer{object});
    return object;
  }
}

Problem problem_of(const json& object) {
  const json definitions = object.contains("definitions") ? object.at("definitions") : json::array();
  define(definitions);
  Problem problem = upsweep::problem_of(names_of_json(object, "the problem", {"size", "row_length", "definitions"}));
  problem.size = whole_of<std::uint64_t>(object.at("size"));
  if (problem.shape != Shape::flat) problem.row_length = whole_of<std::uint64_t>(object.at("row_length"));
  if (definitions_json(problem) != definitions) {
    throw ProtocolError("the definitions are not those that the problem uses");
  }
  return problem;
}

template <typename Value>
void read(const json& from, Value& value);

struct Reader {
  const json& object;
  template <typename Value>
  const Reader& operator()(const char* name, Value& value) const {
    read(object.at(name), value);
    return *this;
  }
};

template <typename Value>
void read(const json& from, Value& value) {
  if constexpr (std::is_same_v<Value, double>) {
    if (!from.is_null() || !std::isinf(value)) value = from.get<double>();  // a limit stays infinite
  } else if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, std::string>) {
    value = from.get<Value>();
  } else if constexpr (std::is_integral_v<Value>) {
    value = whole_of<Value>(from);
  } else if constexpr (std::is_same_v<Value, ErrorKind>) {
    value = static_cast<ErrorKind>(place_of(kinds, from.get<std::string>(), "word") + 1);
  } else if constexpr (std::is_same_v<Value, tuning_db::Verdict>) {
    value = tuning_db::parse_verdict(from.get<std::string>());
  } else if constexpr (std::is_same_v<Value, Density>) {
    const auto text = from.get<std::string>();
    value = text.empty() ? Density::unknown : parse_density(text);
  } else if constexpr (std::is_same_v<Value, Config>) {
    value = config_from_parsed(from);
  } else if constexpr (std::is_same_v<Value, Problem>) {
    value = problem_of(from);
  } else if constexpr (is_list<Value>) {
    if (!from.is_array()) throw ProtocolError(fmt::format("found a {} instead of a list", from.type_name()));
    for (const json& each : from) read(each, value.emplace_back());
  } else {
    each_member(value, Reader{from});
  }
}

// The message is the alternative of that index.
template <typename Message, std::size_t index = 0>
Message message_of(const json& object, std::size_t wanted) {
  if constexpr (index + 1 < std::variant_size_v<Message>) {
    if (index != wanted) return message_of<Message, index + 1>(object, wanted);
  }
  std::variant_alternative_t<index, Message> message{};
  read(object, message);
  return message;
}

template <typename Message, std::size_t count>
Message parsed(std::string_view line, const char* key, const std::array<const char*, count>& names, const char* what) {
  static_assert(count == std::variant_size_v<Message>);
  constexpr std::size_t shown = 80;
  const auto refuse = [&](std::string_view why) {
    return ProtocolError(fmt::format("not a message of this protocol ({}): {}{}", base::show_controls(why),
                                     base::show_controls(line.substr(0, shown)), line.size() > shown ? "..." : ""));
  };
  try {
    const json object = base::parse_json<json>(line);
    return message_of<Message>(object, place_of(names, object.at(key).get<std::string>(), what));
  } catch (const json::exception& error) {
    throw refuse(error.what());
  } catch (const Error& error) {
    throw refuse(error.what());
  }
}

template <typename Message>
std::string line_of(const Message& message, const char* key, const char* name) {
  json object = std::visit([](const auto& each) { return written(each); }, message);
  object[key] = name;
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string to_line(const Request& request) {
  return line_of(request, "do", requests.at(request.index()));
}
std::string to_line(const Answer& answer) {
  return line_of(answer, "did", answers.at(answer.index()));
}

Request request_from_line(std::string_view line) {
  return parsed<Request>(line, "do", requests, "request");
}
Answer answer_from_line(std::string_view line) {
  return parsed<Answer>(line, "did", answers, "answer");
}

}  // namespace upsweep::tuner
