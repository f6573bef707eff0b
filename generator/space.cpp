#include "generator/space.hpp"

#include <algorithm>

#include <upsweep/error.hpp>

#include "generator/operator.hpp"
#include "generator/schedule.hpp"

namespace upsweep {
namespace {

std::uint64_t points_of(const std::vector<Parameter>& parameters) {
  std::uint64_t points = 1;
  for (const Parameter& parameter : parameters) points *= parameter.values.size();
  return points;
}

}  // namespace

std::uint64_t Space::points() const {
  std::uint64_t points = 0;
  for (const Schedule* schedule : schedules()) points += points_of(schedule->parameters(problem()));
  return points;
}

Config Space::point(std::uint64_t index) const {
  for (const Schedule* schedule : schedules()) {
    const std::vector<Parameter> parameters = schedule->parameters(problem());
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
  throw UsageError("the index of the config is out of range: use an index below Space::points()");
}

std::vector<Config> Space::landmarks() const {
  std::vector<Config> found{default_config()};
  for (const Schedule* schedule : schedules()) {
    if (!schedule->suits(problem())) continue;
    found.push_back(schedule->defaults(problem(), limits()));
    for (const Config& landmark : schedule->landmarks(problem())) found.push_back(complete(landmark));
  }
  std::erase_if(found, [&](const Config& config) { return !contains(config); });
  return found;
}

bool Space::suits(const Config& config) const {
  return find_schedule(problem(), config.schedule).suits(problem());
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
  for (const Parameter& parameter : find_schedule(problem(), config.schedule).parameters(problem())) {
    const auto own = std::find(parameter.values.begin(), parameter.values.end(), config.values.at(parameter.name));
    const auto at = static_cast<std::size_t>(own - parameter.values.begin());
    const bool ordered = std::holds_alternative<std::int64_t>(parameter.values.front());
    for (std::size_t other = 0; other < parameter.values.size(); ++other) {
      if (other != at && (!ordered || other + 1 == at || other == at + 1)) keep(parameter, other);
    }
  }
  return found;
}

bool is_reproducible(const Problem& problem, const Config& config) {
  return is_exact(problem.op, problem.accumulator) || find_schedule(problem, config.schedule).fixed_association(config);
}

}  // namespace upsweep
