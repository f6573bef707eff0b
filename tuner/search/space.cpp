#include "tuner/search/space.hpp"

#include <algorithm>

#include <upsweep/error.hpp>

#include "generator/schedule.hpp"
#include "generator/shape.hpp"

namespace upsweep::tuner {
namespace {

constexpr int sample_attempts = 1024;
constexpr std::uint64_t draws_per_baseline = 32;

bool is_baseline(const Parameter& parameter, std::size_t value) {
  return std::find(parameter.baselines.begin(), parameter.baselines.end(), parameter.values[value]) !=
         parameter.baselines.end();
}

std::vector<ScheduleParameters> schedules_of(const Space& space) {
  std::vector<ScheduleParameters> found;
  for (const Schedule* schedule : space.schedules()) {
    found.push_back({.name = std::string(schedule->name()),
                     .parameters = schedule->parameters(space.problem()),
                     .suits = schedule->suits(of_classes(space.problem())),
                     .is_baseline = schedule->is_baseline()});
  }
  return found;
}

}  // namespace

bool is_ordered(const Parameter& parameter) {
  return !parameter.values.empty() && std::holds_alternative<std::int64_t>(parameter.values.front());
}

SearchSpace::SearchSpace(std::vector<ScheduleParameters> schedules) : schedules_(std::move(schedules)), starts_{0} {
  for (const ScheduleParameters& schedule : schedules_) {
    std::uint64_t points = 1;
    for (const Parameter& parameter : schedule.parameters) points *= parameter.values.size();
    starts_.push_back(starts_.back() + points);
  }
}

std::size_t SearchSpace::schedule_of(std::uint64_t index) const {
  if (index >= points()) throw UsageError("the index of the config is beyond the end of the search space");
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), index);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

Coordinates SearchSpace::coordinates(std::uint64_t index) const {
  Coordinates found{.schedule = schedule_of(index), .values = {}};
  index -= starts_[found.schedule];
  found.values.reserve(schedules_[found.schedule].parameters.size());
  for (const Parameter& parameter : schedules_[found.schedule].parameters) {
    found.values.push_back(index % parameter.values.size());
    index /= parameter.values.size();
  }
  return found;
}

Config SearchSpace::point(std::uint64_t index) const {
  const Coordinates at = coordinates(index);
  const ScheduleParameters& schedule = schedules_[at.schedule];
  Config config{.schedule = schedule.name, .values = {}};
  for (std::size_t i = 0; i < at.values.size(); ++i) {
    config.values.emplace(schedule.parameters[i].name, schedule.parameters[i].values[at.values[i]]);
  }
  return config;
}

std::uint64_t SearchSpace::index_of(const Coordinates& coordinates) const {
  std::uint64_t index = 0;
  const std::vector<Parameter>& parameters = schedules_[coordinates.schedule].parameters;
  for (std::size_t i = parameters.size(); i-- > 0;) {
    index = index * parameters[i].values.size() + coordinates.values[i];
  }
  return starts_[coordinates.schedule] + index;
}

std::optional<std::uint64_t> SearchSpace::index_of(const Config& config) const {
  Coordinates at;
  while (at.schedule < schedules_.size() && schedules_[at.schedule].name != config.schedule) ++at.schedule;
  if (at.schedule == schedules_.size()) return std::nullopt;
  const std::vector<Parameter>& parameters = schedules_[at.schedule].parameters;
  if (config.values.size() != parameters.size()) return std::nullopt;
  for (const Parameter& parameter : parameters) {
    const auto own = config.values.find(parameter.name);
    if (own == config.values.end()) return std::nullopt;
    const auto value = std::find(parameter.values.begin(), parameter.values.end(), own->second);
    if (value == parameter.values.end()) return std::nullopt;
    at.values.push_back(static_cast<std::size_t>(value - parameter.values.begin()));
  }
  return index_of(at);
}

bool SearchSpace::contains(const Config& config) const {
  const std::optional<std::uint64_t> index = index_of(config);
  return index && contains(*index);
}

bool SearchSpace::suits(const Config& config) const {
  return std::any_of(schedules_.begin(), schedules_.end(), [&](const ScheduleParameters& schedule) {
    return schedule.suits && schedule.name == config.schedule;
  });
}

bool SearchSpace::has_baseline(std::uint64_t index) const {
  const std::size_t schedule = schedule_of(index);
  index -= starts_[schedule];
  for (const Parameter& parameter : schedules_[schedule].parameters) {
    if (is_baseline(parameter, index % parameter.values.size())) return true;
    index /= parameter.values.size();
  }
  return false;
}

std::optional<std::uint64_t> SearchSpace::sample(std::mt19937_64& random) const {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < schedules_.size(); ++i) all += schedules_[i].suits ? end_point(i) - first_point(i) : 0;
  for (int attempt = 0; attempt < sample_attempts && all > 0; ++attempt) {
    std::uint64_t index = random() % all;  // far fewer points than 2^64: the bias of the remainder is nothing
    for (std::size_t i = 0; i < schedules_.size() && index >= first_point(i); ++i) {
      if (!schedules_[i].suits) index += end_point(i) - first_point(i);
    }
    if (has_baseline(index) && random() % draws_per_baseline != 0) continue;
    if (contains(index)) return index;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> SearchSpace::sample(std::mt19937_64& random, std::size_t schedule) const {
  for (int attempt = 0; attempt < sample_attempts; ++attempt) {
    const std::uint64_t index = first_point(schedule) + random() % (end_point(schedule) - first_point(schedule));
    if (has_baseline(index) && random() % draws_per_baseline != 0) continue;
    if (contains(index)) return index;
  }
  return std::nullopt;
}

std::vector<std::uint64_t> SearchSpace::neighbours(std::uint64_t index) const {
  const Coordinates own = coordinates(index);
  const std::vector<Parameter>& parameters = schedules_[own.schedule].parameters;
  std::vector<std::uint64_t> found;
  Coordinates other = own;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool ordered = is_ordered(parameters[i]);
    for (std::size_t value = 0; value < parameters[i].values.size(); ++value) {
      if (value == own.values[i] || (ordered && value + 1 != own.values[i] && value != own.values[i] + 1)) continue;
      if (is_baseline(parameters[i], value)) continue;
      other.values[i] = value;
      const std::uint64_t neighbour = index_of(other);
      if (contains(neighbour)) found.push_back(neighbour);
    }
    other.values[i] = own.values[i];
  }
  return found;
}

GeneratedSpace::GeneratedSpace(const Problem& problem, const DeviceLimits& limits)
    : SearchSpace(schedules_of(Space(problem, limits))), space_(problem, limits), limits_(limits) {}

bool GeneratedSpace::contains(std::uint64_t index) const {
  const Config config = point(index);
  return space_.schedules()[schedule_of(index)]->violations(space_.problem(), config, limits_).empty();
}

}  // namespace upsweep::tuner
