#include "tuning-db/trial_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <upsweep/error.hpp>
#include <vector>

#include "base/text.hpp"
#include "generator/config_json.hpp"
#include "generator/problem_json.hpp"
#include "tuning-db/device_members.hpp"

namespace upsweep::tuning_db {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// An object all of whose members are known and there; says which is not.
class Members {
 public:
  Members(const json& object, std::string where, const std::vector<std::string_view>& names)
      : object_(&object), where_(std::move(where)) {
    if (!object.is_object()) throw InputError(where_ + " is not a JSON object");
    for (const auto& [key, value] : object.items()) {
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        throw InputError(fmt::format("{} has an unknown member '{}'", where_, base::clipped(key)));
      }
    }
    for (const std::string_view name : names) {
      if (!object.contains(name)) throw InputError(fmt::format("{} lacks the member '{}'", where_, name));
    }
  }

  [[nodiscard]] const json& at(const char* name) const { return object_->at(name); }
  [[nodiscard]] std::string text(const char* name) const {
    if (!at(name).is_string()) refuse(name, "a string");
    return at(name).get<std::string>();
  }
  void read(const char* name, std::string& value) const { value = text(name); }
  void read(const char* name, int& value) const { value = count(name); }
  void read(const char* name, bool& value) const {
    if (!at(name).is_boolean()) refuse(name, "true or false");
    value = at(name).get<bool>();
  }
  [[nodiscard]] std::uint64_t size(const char* name) const {
    if (!at(name).is_number_unsigned()) refuse(name, "a whole number, 0 or more");
    return at(name).get<std::uint64_t>();
  }
  [[nodiscard]] int count(const char* name) const {
    constexpr int largest = std::numeric_limits<int>::max();
    if (size(name) > largest) refuse(name, "a whole number below 2^31");
    return static_cast<int>(size(name));
  }
  [[nodiscard]] std::vector<double> numbers(const char* name) const {
    if (!at(name).is_array()) refuse(name, "an array of numbers");
    std::vector<double> numbers;
    for (const json& number : at(name)) {
      if (!number.is_number()) refuse(name, "an array of numbers");
      numbers.push_back(number.get<double>());
    }
    return numbers;
  }

 private:
  [[noreturn]] void refuse(const char* name, const char* expected) const {
    throw InputError(fmt::format("{}: '{}' must be {}", where_, name, expected));
  }
  const json* object_;
  std::string where_;
};

ordered_json to_json(const DeviceIdentity& device) {
  ordered_json object;
  each_member(device, [&](const char* name, const auto& member) { object[name] = member; });
  return object;
}

Environment environment_from_json(const json& object, const std::string& where) {
  const Members members(object, where + ": environment", {"driver", "compiler", "generator"});
  return {members.text("driver"), members.text("compiler"), members.text("generator")};
}

std::uint64_t size_of_problem(const json& object, const std::string& where) {
  const json size = object.contains("size") ? json{{"size", object.at("size")}} : json::object();
  return Members(size, where, {"size"}).size("size");
}

}  // namespace

DeviceIdentity device_from_json(const json& object, const std::string& where) {
  DeviceIdentity device;
  std::vector<std::string_view> names;
  each_member(device, [&](const char* name, const auto&) { names.push_back(name); });
  const Members members(object, where + ": device", names);
  each_member(device, [&](const char* name, auto& member) { members.read(name, member); });
  return device;
}

Problem problem_from_json(const json& object, const std::string& where) {
  Problem problem = problem_of(names_of_json(object, where + ": problem", {"size"}));
  problem.size = size_of_problem(object, where + ": problem");
  return problem;
}

ordered_json to_json(const Trial& trial) {
  return {{"device", to_json(trial.device)},
          {"environment",
           {{"driver", trial.environment.driver},
            {"compiler", trial.environment.compiler},
            {"generator", trial.environment.generator}}},
          {"problem", json_of<ordered_json>(names_of(trial), trial.problem.size)},
          {"config", json_of<ordered_json>(trial.config)},
          {"samples_us", trial.samples_us},
          {"verdict", name(trial.verdict)},
          {"failure", trial.failure},
          {"stage", name(trial.stage)},
          {"binary", trial.binary},
          {"clock_mhz", trial.clock_mhz},
          {"session", trial.session},
          {"measured_at", trial.measured_at}};
}

Trial trial_from_json(const json& object, const std::string& where) {
  const Members members(object, where,
                        {"device", "environment", "problem", "config", "samples_us", "verdict", "failure", "stage",
                         "binary", "clock_mhz", "session", "measured_at"});
  try {
    Trial trial;
    trial.device = device_from_json(members.at("device"), where);
    trial.environment = environment_from_json(members.at("environment"), where);
    const std::string problem = where + ": problem";
    set_problem(trial, names_of_json(members.at("problem"), problem, {"size"}),
                size_of_problem(members.at("problem"), problem));
    trial.config = config_from_parsed(members.at("config"));
    trial.samples_us = members.numbers("samples_us");
    trial.failure = members.text("failure");
    trial.measured_at = members.text("measured_at");
    trial.verdict = parse_verdict(members.text("verdict"));
    trial.stage = parse_stage(members.text("stage"));
    trial.binary = members.text("binary");
    trial.clock_mhz = members.count("clock_mhz");
    trial.session = members.text("session");
    validate(trial);
    trial.config = completed(trial, std::move(trial.config));
    return trial;
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace upsweep::tuning_db
