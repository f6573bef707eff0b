#include "tests/support/strategies.hpp"

#include <algorithm>
#include <optional>
#include <set>

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

// The problems share counts out among them, so that each is met by a scan and by a reduce; strategies, which have
// names, are met with every problem.
bool is_for_another(const Parameter& parameter, std::size_t value, const std::vector<Problem>& problems,
                    std::size_t problem) {
  if (!std::holds_alternative<std::int64_t>(parameter.values[value])) return false;
  const auto is_alike = [&](const Problem& other) {
    return (other.algorithm == Algorithm::reduce) == (problems[problem].algorithm == Algorithm::reduce);
  };
  const auto at = problems.begin() + static_cast<std::ptrdiff_t>(problem);
  return value % static_cast<std::size_t>(std::count_if(problems.begin(), problems.end(), is_alike)) !=
         static_cast<std::size_t>(std::count_if(problems.begin(), at, is_alike));
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
  for (std::size_t p = 0; p < problems.size(); ++p) {
    const Problem& problem = problems[p];
    const Space space(problem, limits);
    for (const Schedule* schedule : space.schedules()) {
      Config base = space.complete({.schedule = std::string(schedule->name()), .values = {}});
      if (tiles == Tiles::small) base = with_small_tiles(space, base);
      found.push_back({problem, base, fmt::format("{}_{}_default", test_name(problem), base.schedule)});
      std::set<Config> met{base};
      const std::vector<Parameter> parameters = schedule->parameters(problem);
      for (const Parameter& parameter : parameters) {
        for (std::size_t v = 0; v < parameter.values.size(); ++v) {
          if (tiles == Tiles::small && is_for_another(parameter, v, problems, p)) continue;
          const ParameterValue& value = parameter.values[v];
          std::optional<Config> config = with_value(space, base, parameters, parameter, value);
          if (!config || !met.insert(*config).second) continue;
          std::string name =
              fmt::format("{}_{}_{}_{}", test_name(problem), config->schedule, parameter.name, to_string(value));
          found.push_back({problem, *std::move(config), std::move(name)});
        }
      }
    }
  }
  return found;
}

std::vector<Strategy> narrow_extremes(const DeviceLimits& limits, Tiles tiles) {
  std::vector<Strategy> found;
  for (const Operator op : {Operator::minimum, Operator::maximum}) {
    for (const Problem& problem : problems_of({{op, Type::i8}, {op, Type::u8}, {op, Type::i16}, {op, Type::u16}})) {
      const Space space(problem, limits);
      for (const char* packing : {"single", "halves"}) {
        for (const char* schedule : {"lookahead", "single_block", "last_started"}) {
          if ((problem.algorithm == Algorithm::reduce) == (std::string_view(schedule) == "lookahead")) continue;
          if (problem.algorithm != Algorithm::reduce && std::string_view(schedule) == "single_block") continue;
          Config config = space.complete({schedule, {{"packing", packing}}});
          if (tiles == Tiles::small) config = with_small_tiles(space, config);
          found.push_back({problem, config, fmt::format("{}_{}_{}", test_name(problem), schedule, packing)});
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
