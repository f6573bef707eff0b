#include "tuning-db/trial_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
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

  // Of the parts, which are the file's array of that name and an s, the one that the member is the index of.
  template <typename Part>
  [[nodiscard]] const Part& entry_of(const std::vector<Part>& parts, const char* name) const {
    const json& index = at(name);
    if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= parts.size()) {
      refuse(name, fmt::format("the index of an entry of '{}s' (a whole number, 0 or more, below {}): export the "
                               "results again",
                               name, parts.size()));
    }
    return parts[index.get<std::size_t>()];
  }

 private:
  [[noreturn]] void refuse(const char* name, std::string_view expected) const {
    throw InputError(fmt::format("{}: '{}' must be {}", where_, name, expected));
  }
  const json* object_;
  std::string where_;
};

Environment environment_from_json(const json& object, const std::string& where) {
  const Members members(object, where + ": environment", {"driver", "compiler", "generator"});
  return {members.text("driver"), members.text("compiler"), members.text("generator")};
}

const DeviceIdentity& order_of(const DeviceIdentity& device) {
  return device;
}

auto order_of(const Environment& environment) {
  return std::tie(environment.driver, environment.compiler, environment.generator);
}

constexpr auto in_order = [](const auto& a, const auto& b) { return order_of(a) < order_of(b); };

template <typename Part>
void keep_each_once(std::vector<Part>& parts) {
  std::sort(parts.begin(), parts.end(), in_order);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}

template <typename Part>
std::size_t index_in(const std::vector<Part>& parts, const Part& part) {
  return static_cast<std::size_t>(std::lower_bound(parts.begin(), parts.end(), part, in_order) - parts.begin());
}

// Calls read(entry, where) for each entry of a file's array.
template <typename Read>
auto read_each(const json& file, const char* array, const Read& read) {
  if (!file.contains(array) || !file.at(array).is_array()) {
    throw InputError(fmt::format("the file has no array '{}': export the results again", array));
  }
  std::vector<decltype(read(file, std::string()))> all;
  for (const json& each : file.at(array)) {
    all.push_back(read(each, fmt::format("tuning results, entry {} of '{}'", all.size() + 1, array)));
  }
  return all;
}

DeviceIdentity valid_device_from_json(const json& object, const std::string& where) {
  DeviceIdentity device = device_from_json(object, where);
  try {
    validate(device);
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
  return device;
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

SharedParts shared_parts_of(std::span<const Trial> winners, std::span<const Trial> others) {
  SharedParts parts;
  for (const std::span<const Trial> trials : {winners, others}) {
    for (const Trial& trial : trials) {
      parts.devices.push_back(trial.device);
      parts.environments.push_back(trial.environment);
    }
  }
  keep_each_once(parts.devices);
  keep_each_once(parts.environments);
  return parts;
}

std::optional<SharedParts> shared_parts_from_json(const json& file) {
  constexpr int first_version_with_them = 4;
  if (file.at("version") < first_version_with_them) return std::nullopt;
  return SharedParts{read_each(file, "devices", valid_device_from_json),
                     read_each(file, "environments", environment_from_json)};
}

std::optional<SharedParts> shared_parts_of_head(std::string_view text) {
  std::string_view head = text.substr(0, text.find("\"winners\":"));
  head = head.substr(0, head.rfind(','));
  return shared_parts_from_json(json::parse(std::string(head) + "}"));
}

ordered_json to_json(const DeviceIdentity& device) {
  ordered_json object;
  each_member(device, [&](const char* name, const auto& member) { object[name] = member; });
  return object;
}

ordered_json to_json(const Environment& environment) {
  return {{"driver", environment.driver}, {"compiler", environment.compiler}, {"generator", environment.generator}};
}

ordered_json to_json(const Trial& trial) {
  return {{"device", to_json(trial.device)},
          {"environment", to_json(trial.environment)},
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

ordered_json to_json(const Trial& trial, const SharedParts& parts) {
  ordered_json object = to_json(trial);
  object["device"] = index_in(parts.devices, trial.device);
  object["environment"] = index_in(parts.environments, trial.environment);
  return object;
}

Trial trial_from_json(const json& object, const std::string& where, const SharedParts* parts) {
  const Members members(object, where,
                        {"device", "environment", "problem", "config", "samples_us", "verdict", "failure", "stage",
                         "binary", "clock_mhz", "session", "measured_at"});
  try {
    Trial trial;
    trial.device = parts ? members.entry_of(parts->devices, "device") : device_from_json(members.at("device"), where);
    trial.environment = parts ? members.entry_of(parts->environments, "environment")
                              : environment_from_json(members.at("environment"), where);
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

std::vector<Trial> trials_from_json(const json& file, const char* array, const SharedParts* parts) {
  return read_each(file, array,
                   [&](const json& entry, const std::string& where) { return trial_from_json(entry, where, parts); });
}

}  // namespace upsweep::tuning_db
