#include "generator/short_config.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/names.hpp"
#include "generator/schedule.hpp"
#include "generator/stored_config.hpp"

namespace upsweep {
namespace {

constexpr std::string_view default_word = "default";

std::string written(const std::string& name, const ParameterValue& value) {
  return fmt::format(", {}={}", name, to_string(value));
}

std::string with_all_parameters(const Config& config) {
  std::string text = config.schedule;
  for (const auto& [name, value] : config.values) text += written(name, value);
  return text;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// The text up to the next comma, without blanks around it; `rest` keeps what follows.
std::string_view take_part(std::string_view& rest) {
  const std::size_t comma = rest.find(',');
  const std::string_view part = trimmed(rest.substr(0, comma));
  rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  return part;
}

ParameterValue value_of(std::string_view text) {
  std::int64_t integer = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc{} && stop == text.data() + text.size()) return integer;
  return std::string(text);
}

bool is_valid(const Problem& problem) {
  try {
    validate(problem);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

bool is_schedule(std::string_view text) {
  const std::string name = with_present_names({.schedule = std::string(text), .values = {}}).schedule;
  return name == default_word || std::ranges::find(all_schedules(), name, &Schedule::name) != all_schedules().end();
}

void set_schedule(Config& config, std::string_view name) {
  if (!config.schedule.empty()) throw UsageError("the config gives the schedule twice: give it once");
  config.schedule = name;
}

// `first`: the part stands before the first comma. Such a part names the schedule, unless it sets a parameter.
void add_part(Config& config, std::string_view part, bool first) {
  const std::size_t sign = part.find('=');
  const std::string_view name = trimmed(part.substr(0, sign));
  const std::string_view value = sign == part.npos ? std::string_view() : trimmed(part.substr(sign + 1));
  if (first && sign == part.npos && !name.empty()) return set_schedule(config, name);
  if (name.empty() || value.empty()) {
    throw UsageError(
        fmt::format("'{}' in the config does not have the form NAME=VALUE: write {}, NAME=VALUE, NAME=VALUE",
                    base::clipped(part), config.schedule.empty() ? "SCHEDULE" : config.schedule));
  }
  if (name.find(' ') != name.npos || value.find_first_of(" =") != value.npos) {
    throw UsageError(
        fmt::format("the config has no comma in '{}': separate the schedule and the parameters with commas, as in "
                    "lookback, warp_scan=sklansky",
                    base::clipped(part)));
  }
  if (name == "schedule") return set_schedule(config, value);
  if (!config.values.emplace(name, value_of(value)).second) {
    throw UsageError(fmt::format("the config gives the parameter {} twice: give it once", base::clipped(name)));
  }
}

Config parse_short_form(std::string_view text) {
  Config config;
  bool first = true;
  for (std::string_view rest = text; first || !rest.empty(); first = false) add_part(config, take_part(rest), first);
  if (config.schedule == default_word) config.schedule.clear();
  return with_present_names(std::move(config));
}

[[noreturn]] void refuse_word(std::string_view word) {
  std::vector<std::string> names{std::string(default_word)};
  for (const Schedule* schedule : all_schedules()) {
    if (std::ranges::find(names, schedule->name()) == names.end()) names.emplace_back(schedule->name());
  }
  throw UsageError(
      fmt::format("the config '{}' is neither a schedule nor a file: {}use one of {}, or the path of a "
                  "JSON file",
                  base::clipped(word), did_you_mean(word, names), fmt::join(names, ", ")));
}

std::optional<std::vector<std::string>> differing_parameters(const Config& config, const Space& space) {
  const auto schedule = std::ranges::find(space.schedules(), config.schedule, &Schedule::name);
  if (schedule == space.schedules().end()) return std::nullopt;
  const Config defaults = space.complete({.schedule = config.schedule, .values = {}});
  std::vector<std::string> differing;
  for (const Parameter& parameter : (*schedule)->parameters(space.problem())) {
    const auto value = config.values.find(parameter.name);
    if (value == config.values.end()) return std::nullopt;
    if (value->second != defaults.values.at(parameter.name)) differing.push_back(parameter.name);
  }
  for (const auto& [name, value] : config.values) {
    if (!defaults.values.contains(name)) differing.push_back(name);
  }
  return differing;
}

}  // namespace

std::string short_form(const Config& config, const Space& space) {
  const std::optional<std::vector<std::string>> differing = differing_parameters(config, space);
  if (!differing) return with_all_parameters(config);
  if (config == space.default_config()) return std::string(default_word);
  std::string text = config.schedule;
  for (const std::string& name : *differing) text += written(name, config.values.find(name)->second);
  return text;
}

std::string short_form(const Config& config, const Problem& problem, const std::optional<DeviceLimits>& limits) {
  if (!limits || !is_valid(problem)) return with_all_parameters(config);
  return short_form(config, Space(problem, *limits));
}

std::optional<std::vector<std::string>> differing_parameters(const Config& config, const Problem& problem,
                                                             const std::optional<DeviceLimits>& limits) {
  if (!limits || !is_valid(problem)) return std::nullopt;
  return differing_parameters(config, Space(problem, *limits));
}

std::optional<Config> config_from_text(std::string_view text) {
  const std::string_view config = trimmed(text);
  if (config.starts_with('{')) return config_from_json(config);
  if (config.find('/') != config.npos) return std::nullopt;
  if (config.find_first_of("=,{") != config.npos || is_schedule(config)) return parse_short_form(config);
  std::error_code unreadable;
  if (config.find('.') == config.npos && !std::filesystem::exists(text, unreadable)) refuse_word(config);
  return std::nullopt;
}

}  // namespace upsweep
