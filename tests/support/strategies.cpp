#include "tests/support/strategies.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "generator/schedule.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {
namespace {

// Small tiles, parameter by parameter; a schedule has some of these.
const std::vector<std::pair<const char*, std::int64_t>>& small_values() {
  static const std::vector<std::pair<const char*, std::int64_t>> values{{"threads_per_block", 64},
                                                                        {"items_per_thread", 8},
                                                                        {"worker_warps", 2},
                                                                        {"vectors_per_thread", 1},
                                                                        {"stages", 5}};
  return values;
}

// Of the 32 numbers of items that a thread of a scan may have, every fifth will do.
bool is_one_of_many(const Parameter& parameter, const ParameterValue& value) {
  return parameter.name == "items_per_thread" && parameter.values.size() > 20 && std::get<std::int64_t>(value) % 5 != 0;
}

// The base with one parameter at a value, and where that alone is outside the space, as deep look-ahead with few stages
// is, with another parameter moved too. None: no config next to the base has the value.
std::optional<Config> with_value(const Space& space, const Config& base, const std::vector<Parameter>& parameters,
                                 const Parameter& parameter, const ParameterValue& value) {
  Config config = base;
  config.values[parameter.name] = value;
  if (space.contains(config)) return config;
  for (const Parameter& other : parameters) {
    if (other.name == parameter.name) continue;
    Config moved = config;
    for (const ParameterValue& way_out : other.values) {
      moved.values[other.name] = way_out;
      if (space.contains(moved)) return moved;
    }
  }
  return std::nullopt;
}

}  // namespace

Config with_small_tiles(const Space& space, Config config) {
  for (const auto& [name, value] : small_values()) {
    if (!config.values.contains(name)) continue;
    Config smaller = config;
    smaller.values[name] = value;
    if (space.contains(smaller)) config = std::move(smaller);
  }
  return config;
}

std::vector<Strategy> strategies(const std::vector<Problem>& problems, const DeviceLimits& limits, Tiles tiles) {
  std::vector<Strategy> found;
  for (const Problem& problem : problems) {
    const Space space(problem, limits);
    for (const Schedule* schedule : space.schedules()) {
      Config base = space.complete({.schedule = std::string(schedule->name()), .values = {}});
      if (tiles == Tiles::small) base = with_small_tiles(space, base);
      const std::vector<Parameter> parameters = schedule->parameters(problem);
      for (const Parameter& parameter : parameters) {
        for (const ParameterValue& value : parameter.values) {
          if (tiles == Tiles::small && is_one_of_many(parameter, value)) continue;
          std::optional<Config> config = with_value(space, base, parameters, parameter, value);
          if (!config) continue;
          std::string name =
              fmt::format("{}_{}_{}_{}", test_name(problem), config->schedule, parameter.name, to_string(value));
          found.push_back({problem, *std::move(config), std::move(name)});
        }
      }
    }
  }
  return found;
}

std::vector<Problem> problems_of(const std::vector<std::pair<Operator, Type>>& operations) {
  std::vector<Problem> problems;
  for (const Algorithm algorithm : all_algorithms()) {
    for (const auto& [op, type] : operations) problems.push_back(make_problem(algorithm, op, type, type));
  }
  return problems;
}

}  // namespace upsweep::test
