#include "generator/space.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/schedule.hpp"

namespace upsweep {
namespace {

std::uint64_t points_of(const std::vector<Parameter>& parameters) {
  std::uint64_t points = 1;
  for (const Parameter& parameter : parameters) points *= parameter.values.size();
  return points;
}

std::string list(const std::vector<ParameterValue>& values) {
  std::string text;
  for (const ParameterValue& value : values) text += (text.empty() ? "" : ", ") + to_string(value);
  return text;
}

const Parameter* find(const std::vector<Parameter>& parameters, std::string_view name) {
  const auto at = std::find_if(parameters.begin(), parameters.end(),
                               [&](const Parameter& parameter) { return parameter.name == name; });
  return at == parameters.end() ? nullptr : &*at;
}

// Values that are no value of their parameter, parameters that the schedule lacks, and those that are left out.
std::vector<std::string> membership_violations(const std::vector<Parameter>& parameters, const Config& config) {
  std::vector<std::string> violations;
  for (const auto& [name, value] : config.values) {
    const Parameter* parameter = find(parameters, name);
    if (parameter == nullptr) {
      violations.push_back(
          fmt::format("unknown parameter {}: schedule {} has none of that name", name, config.schedule));
    } else if (std::find(parameter->values.begin(), parameter->values.end(), value) == parameter->values.end()) {
      violations.push_back(
          fmt::format("{}={} is outside the space: use one of {}", name, to_string(value), list(parameter->values)));
    }
  }
  for (const Parameter& parameter : parameters) {
    if (!config.values.contains(parameter.name)) {
      violations.push_back(
          fmt::format("parameter {} is missing: use one of {}", parameter.name, list(parameter.values)));
    }
  }
  return violations;
}

}  // namespace

Space::Space(const Problem& problem, const DeviceLimits& limits) : problem_(problem), limits_(limits) {
  upsweep::validate(problem);
  for (const Schedule* schedule : all_schedules()) {
    if (schedule->supports(problem)) schedules_.push_back(schedule);
  }
}

std::uint64_t Space::points() const {
  std::uint64_t points = 0;
  for (const Schedule* schedule : schedules_) points += points_of(schedule->parameters(problem_));
  return points;
}

Config Space::point(std::uint64_t index) const {
  for (const Schedule* schedule : schedules_) {
    const std::vector<Parameter> parameters = schedule->parameters(problem_);
    const std::uint64_t points = points_of(parameters);
    if (index >= points) {
      index -= points;
      continue;
    }
    Config config{.schedule = std::string(schedule->name()), .values = {}};
    for (const Parameter& parameter : parameters) {
      config.values[parameter.name] = parameter.values[index % parameter.values.size()];
      index /= parameter.values.size();
    }
    return config;
  }
  throw UsageError("a point beyond the end of the space was asked for");
}

std::vector<std::string> Space::violations(const Config& config) const {
  const Schedule* schedule = nullptr;
  try {
    schedule = &find_schedule(problem_, config.schedule);
  } catch (const UsageError& error) {
    return {error.what()};
  }
  std::vector<std::string> violations = membership_violations(schedule->parameters(problem_), config);
  return violations.empty() ? schedule->violations(problem_, config, limits_) : violations;
}

void Space::validate(const Config& config) const {
  const std::vector<std::string> found = violations(config);
  if (!found.empty()) throw UsageError("config outside the space of " + to_string(problem_) + ": " + found.front());
}

std::vector<Config> Space::landmarks() const {
  std::vector<Config> found{default_config()};
  for (const Schedule* schedule : schedules_) {
    if (!schedule->suits(problem_)) continue;
    found.push_back(schedule->defaults(problem_, limits_));
    for (const Config& landmark : schedule->landmarks(problem_)) found.push_back(complete(landmark));
  }
  std::erase_if(found, [&](const Config& config) { return !contains(config); });
  return found;
}

bool Space::suits(const Config& config) const {
  return find_schedule(problem_, config.schedule).suits(problem_);
}

Config Space::sample(std::mt19937_64& random) const {
  const std::uint64_t points = this->points();
  while (true) {
    Config config = point(random() % points);  // far fewer points than 2^64: the bias of the remainder is nothing
    if (contains(config)) return config;
  }
}

std::vector<Config> Space::neighbours(const Config& config) const {
  std::vector<Config> found;
  const auto keep = [&](const Parameter& parameter, std::size_t at) {
    Config other = config;
    other.values[parameter.name] = parameter.values[at];
    if (contains(other)) found.push_back(std::move(other));
  };
  for (const Parameter& parameter : find_schedule(problem_, config.schedule).parameters(problem_)) {
    const auto own = std::find(parameter.values.begin(), parameter.values.end(), config.values.at(parameter.name));
    const auto at = static_cast<std::size_t>(own - parameter.values.begin());
    const bool ordered = std::holds_alternative<std::int64_t>(parameter.values.front());
    for (std::size_t other = 0; other < parameter.values.size(); ++other) {
      if (other != at && (!ordered || other + 1 == at || other == at + 1)) keep(parameter, other);
    }
  }
  return found;
}

Config Space::default_config() const {
  const std::uint64_t bytes = problem_.size * size_of(problem_.input);
  const char* const schedule = problem_.algorithm != Algorithm::reduce ? default_scan(bytes)
                               : bytes <= 64 << 10                     ? "single_block"
                                                                       : "last_started";
  return complete({.schedule = schedule, .values = {}});
}

// Crossovers measured on an H200 (docs/measurements.md, "Defaults"), in bytes of input and in items.
const char* Space::default_scan(std::uint64_t bytes) const {
  const std::size_t width = size_of(problem_.input);
  const bool is_new = limits_.compute_capability >= 90;
  const std::uint64_t single_block_bytes = !is_new ? 32 << 10 : width > 8 ? 8 << 10 : 16 << 10;
  const std::uint64_t cluster_bytes = width == 4 ? 32 << 10 : width > 8 ? 16 << 10 : 0;
  const std::uint64_t lookahead_items = width == 1 ? (1 << 20) + 1 : 1 << 21;
  constexpr std::uint64_t few_items = 1 << 13, lookahead_bytes = 6 << 20;
  if (problem_.size <= few_items && bytes <= single_block_bytes) return "single_block";
  if (!is_new) return "lookback";
  if (problem_.size <= few_items && bytes <= cluster_bytes) return "cluster";
  if (problem_.size >= lookahead_items || bytes >= lookahead_bytes) return "lookahead";
  const std::uint64_t gather_bytes = width == 1 ? 1 << 20 : 512 << 10;
  return bytes >= gather_bytes && find_schedule(problem_, "gather").suits(problem_) ? "gather" : "lookback";
}

Config Space::complete(const Config& partial) const {
  Config config = find_schedule(problem_, partial.schedule).defaults(problem_, limits_);
  for (const auto& [name, value] : partial.values) config.values.insert_or_assign(name, value);
  return config;
}

Config Space::complete_around(const Config& given) const {
  Config config = complete(given);
  const Config defaults = config;
  const std::vector<Parameter> parameters = find_schedule(problem_, given.schedule).parameters(problem_);
  for (std::size_t left = violations(config).size(); left > 0;) {
    std::optional<Config> better;
    for (const Parameter& parameter : parameters) {
      if (given.values.contains(parameter.name)) continue;
      const std::vector<ParameterValue>& values = parameter.values;
      const auto own = std::find(values.begin(), values.end(), config.values.at(parameter.name)) - values.begin();
      for (std::size_t step = 1; step < values.size(); ++step) {
        Config other = config;
        other.values[parameter.name] = values[(static_cast<std::size_t>(own) + step) % values.size()];
        const std::size_t still = violations(other).size();
        if (still < left) left = still, better = std::move(other);
      }
    }
    if (!better) return defaults;  // what was given is to blame, or what is wrong with it takes two values to mend
    config = *std::move(better);
  }
  return config;
}

bool is_reproducible(const Problem& problem, const Config& config) {
  const bool exact = !is_floating(problem.accumulator) || problem.op == Operator::minimum ||
                     problem.op == Operator::maximum || problem.op == Operator::last_nonzero;
  return exact || find_schedule(problem, config.schedule).fixed_association(config);
}

}  // namespace upsweep
