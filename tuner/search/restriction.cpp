#include "tuner/search/restriction.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/names.hpp"

namespace upsweep::tuner {
namespace {

template <class Range>
bool has(const Range& range, const auto& value) {
  return std::find(range.begin(), range.end(), value) != range.end();
}

std::vector<std::string> schedule_names(const SearchSpace& space) {
  std::vector<std::string> names;
  for (const ScheduleParameters& schedule : space.schedules()) names.push_back(schedule.name);
  return names;
}

// `algorithm`: whose space it is; empty if that is not known.
void check_schedule(const std::string& name, const SearchSpace& space, std::string_view algorithm) {
  const std::vector<std::string> names = schedule_names(space);
  if (has(names, name)) return;
  if (algorithm.empty()) throw UsageError(unknown_name("schedule", name, names));
  throw UsageError(fmt::format("{} has no schedule '{}': {}use one of {}", algorithm, base::clipped(name),
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

const Parameter* find_parameter(const ScheduleParameters& schedule, std::string_view name) {
  const auto at = std::find_if(schedule.parameters.begin(), schedule.parameters.end(),
                               [&](const Parameter& parameter) { return parameter.name == name; });
  return at == schedule.parameters.end() ? nullptr : &*at;
}

// The values of a parameter in all schedules that have it, in order.
std::vector<ParameterValue> values_of(std::string_view name, const SearchSpace& space) {
  std::vector<ParameterValue> values;
  std::set<std::string> names{"schedule"};
  for (const ScheduleParameters& schedule : space.schedules()) {
    for (const Parameter& parameter : schedule.parameters) names.insert(parameter.name);
    const Parameter* parameter = find_parameter(schedule, name);
    if (parameter == nullptr) continue;
    for (const ParameterValue& value : parameter->values) {
      if (!has(values, value)) values.push_back(value);
    }
  }
  if (values.empty()) {
    throw UsageError(unknown_name("parameter", name, as_names(names)));
  }
  if (std::holds_alternative<std::int64_t>(values.front())) std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::string> texts_of(const std::vector<ParameterValue>& values) {
  std::vector<std::string> texts;
  for (const ParameterValue& value : values) texts.push_back(upsweep::to_string(value));
  return texts;
}

void check_value(std::string_view parameter, const ParameterValue& value, const std::vector<ParameterValue>& values) {
  if (has(values, value)) return;
  const std::vector<std::string> known = texts_of(values);
  const bool is_name = std::holds_alternative<std::string>(value);
  throw UsageError(fmt::format("{}={} is not valid: {}use some of {}", parameter, upsweep::to_string(value),
                               is_name ? did_you_mean(upsweep::to_string(value), known) : "", fmt::join(known, ", ")));
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    if (comma == text.size()) return parts;
    text.remove_prefix(comma + 1);
  }
}

ParameterValue parse_value(const std::string& text) {
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc() && end == text.data() + text.size()) return integer;
  return text;
}

// The allowed value next to one that is not: by size for counts, the first for strategies.
ParameterValue nearest(const ParameterValue& value, const std::vector<ParameterValue>& allowed) {
  if (has(allowed, value)) return value;
  const auto* own = std::get_if<std::int64_t>(&value);
  if (own == nullptr) return allowed.front();
  return *std::min_element(allowed.begin(), allowed.end(), [own](const ParameterValue& a, const ParameterValue& b) {
    return std::abs(std::get<std::int64_t>(a) - *own) < std::abs(std::get<std::int64_t>(b) - *own);
  });
}

void check(const Restriction& restriction, const SearchSpace& space, std::string_view algorithm) {
  for (const std::string& schedule : restriction.schedules) check_schedule(schedule, space, algorithm);
  for (const auto& [name, allowed] : restriction.values) {
    const std::vector<ParameterValue> values = values_of(name, space);
    if (allowed.empty())
      throw UsageError(fmt::format("{} has no value: give some of {}", name, fmt::join(texts_of(values), ", ")));
    for (const ParameterValue& value : allowed) check_value(name, value, values);
  }
}

bool is_left(const ScheduleParameters& schedule, const Restriction& restriction) {
  if (!restriction.schedules.empty()) return has(restriction.schedules, schedule.name);
  return schedule.suits && std::all_of(restriction.values.begin(), restriction.values.end(), [&](const auto& entry) {
           return find_parameter(schedule, entry.first) != nullptr;
         });
}

}  // namespace

RestrictedSpace::Part RestrictedSpace::part_of(const SearchSpace& whole, const Restriction& restriction,
                                               std::string_view algorithm) {
  check(restriction, whole, algorithm);
  Part part;
  for (std::size_t i = 0; i < whole.schedules().size(); ++i) {
    ScheduleParameters schedule = whole.schedules()[i];
    if (!is_left(schedule, restriction)) continue;
    schedule.suits = true;  // it does, or it was asked for
    if (!restriction.schedules.empty()) schedule.is_baseline = false;
    Origin origin{.schedule = i, .values = {}};
    bool empty = false;
    for (Parameter& parameter : schedule.parameters) {
      const auto allowed = restriction.values.find(parameter.name);
      std::vector<ParameterValue> values;
      std::vector<std::size_t>& places = origin.values.emplace_back();
      for (std::size_t place = 0; place < parameter.values.size(); ++place) {
        if (allowed != restriction.values.end() && !has(allowed->second, parameter.values[place])) continue;
        values.push_back(parameter.values[place]);
        places.push_back(place);
      }
      if (allowed != restriction.values.end()) parameter.baselines.clear();  // they were asked for
      empty |= values.empty();
      parameter.values = std::move(values);
    }
    if (empty) continue;
    part.schedules.push_back(std::move(schedule));
    part.origins.push_back(std::move(origin));
  }
  return part;
}

RestrictedSpace::RestrictedSpace(const SearchSpace& whole, const Restriction& restriction, std::string_view algorithm)
    : RestrictedSpace(whole, part_of(whole, restriction, algorithm)) {}

RestrictedSpace::RestrictedSpace(const SearchSpace& whole, Part part)
    : SearchSpace(std::move(part.schedules)), whole_(whole), origins_(std::move(part.origins)) {
  if (schedules().empty()) {
    throw UsageError(
        "no schedule has all the parameters that --only names: name fewer parameters, or name schedules "
        "(schedule=...)");
  }
  for (std::uint64_t index = 0; index < points(); ++index) {
    if (contains(index)) return;
  }
  throw UsageError(fmt::format("none of the {} configs that match --only is valid: allow more values", points()));
}

std::uint64_t RestrictedSpace::in_whole(std::uint64_t index) const {
  Coordinates at = coordinates(index);
  const Origin& origin = origins_[at.schedule];
  at.schedule = origin.schedule;
  for (std::size_t i = 0; i < at.values.size(); ++i) at.values[i] = origin.values[i][at.values[i]];
  return whole_.index_of(at);
}

std::vector<Config> RestrictedSpace::seed_configs() const {
  std::vector<Config> found;
  for (Config config : whole_.seed_configs()) {
    for (const ScheduleParameters& schedule : schedules()) {
      if (schedule.name != config.schedule) continue;
      for (const Parameter& parameter : schedule.parameters) {
        ParameterValue& value = config.values.at(parameter.name);
        value = nearest(value, parameter.values);
      }
    }
    if (contains(config) && !has(found, config)) found.push_back(std::move(config));
  }
  return found;
}

}  // namespace upsweep::tuner

namespace upsweep {

Restriction restriction_from_text(const std::vector<std::string>& texts) {
  Restriction restriction;
  for (const std::string_view text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
      throw UsageError(fmt::format("'{}' does not have the form PARAMETER=VALUE,VALUE,...", text));
    }
    const std::string name(text.substr(0, equals));
    const std::vector<std::string> parts = tuner::split(text.substr(equals + 1));
    if (name == "schedule") {
      restriction.schedules = parts;
      continue;
    }
    std::vector<ParameterValue> values;
    for (const std::string& part : parts) values.push_back(tuner::parse_value(part));
    restriction.values.insert_or_assign(name, std::move(values));
  }
  return restriction;
}

}  // namespace upsweep
