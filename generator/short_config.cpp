#include "generator/short_config.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/quote.hpp"
#include "generator/schedule.hpp"

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

bool is_short_form(std::string_view text) {
  const std::string_view first = take_part(text);
  return first == default_word || std::ranges::find(all_schedules(), first, &Schedule::name) != all_schedules().end();
}

Config config_from_short_form(std::string_view text, const Space& space) {
  std::string_view rest = text;
  const std::string_view schedule = take_part(rest);
  if (schedule == default_word && rest.empty()) return space.default_config();
  Config config{.schedule = schedule == default_word ? space.default_config().schedule : std::string(schedule),
                .values = {}};
  while (!rest.empty()) {
    const std::string_view part = take_part(rest);
    const std::size_t sign = part.find('=');
    const std::string_view name = trimmed(part.substr(0, sign));
    const std::string_view value = sign == part.npos ? std::string_view() : trimmed(part.substr(sign + 1));
    if (name.empty() || value.empty()) {
      throw UsageError(
          fmt::format("'{}' in the config does not have the form NAME=VALUE: write {}, NAME=VALUE, NAME=VALUE",
                      clipped(part), schedule));
    }
    if (!config.values.emplace(name, value_of(value)).second) {
      throw UsageError(fmt::format("the config gives the parameter {} twice: give it once", clipped(name)));
    }
  }
  return config;
}

}  // namespace upsweep
