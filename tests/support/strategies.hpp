// Configs for the correctness tables: every value of every parameter of every schedule.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/source.hpp>

#include "generator/space.hpp"

namespace upsweep::test {

// For INSTANTIATE_TEST_SUITE_P: the name that the parameter has.
inline constexpr auto by_name = [](const auto& given) { return given.param.name; };

struct Strategy {
  Problem problem;
  Config config;
  std::string name;  // of the test
};

inline void PrintTo(const Strategy& strategy, std::ostream* out) {
  *out << to_json(strategy.config);
}

// The same config with the smallest tiles that still have several warps, so that many of them are quick to run.
[[nodiscard]] Config with_small_tiles(const Space& space, Config config);

enum class Tiles { small, usual };

// For each problem and each schedule: the schedule's defaults, and these with one parameter at each of its other
// values. With small tiles each count is met by one scan and one reduce of those that can have it, as is each value
// of a baseline, and strategies, which have names, by all.
[[nodiscard]] std::vector<Strategy> strategies(const std::vector<Problem>& problems, const DeviceLimits& limits,
                                               Tiles tiles);

// The problems of the GPU's table of strategies.
[[nodiscard]] std::vector<Problem> gpu_strategy_problems();

// For compute-sanitizer, under which all takes long: of each strategy one config, of a scan and a reduce. Those with a
// ring of stages have small tiles, so that it takes few items to refill it.
[[nodiscard]] std::vector<Strategy> sanitized_strategies(const DeviceLimits& limits);

// The same of a selection by items, one by flags, and a reduction by key: every way to load, exchange and store.
[[nodiscard]] std::vector<Strategy> sanitized_compact_strategies(const DeviceLimits& limits);

// Minimum and maximum of integers of 1 and 2 bytes, in both packings, by the schedules that have a choice.
[[nodiscard]] std::vector<Strategy> narrow_extremes(const DeviceLimits& limits, Tiles tiles);

// Of a schedule whose blocks go round a ring of stages: so many items that each block of the grid fills every stage
// three times or more. 0 for other schedules.
[[nodiscard]] std::uint64_t refilling_items(const LaunchRule& launch, const Config& config, int multiprocessors);

// Of each problem of floating inputs and each schedule the defaults: paths that meet NaN, infinities, subnormals and
// zeros of either sign.
[[nodiscard]] std::vector<Strategy> special_strategies(const DeviceLimits& limits, Tiles tiles);

// Of each floating type and each of scan and reduce, every other value of the parameters that choose how items are
// loaded, folded and stored: by one schedule each, but of `arithmetic` with every operator.
[[nodiscard]] std::vector<Strategy> special_ways(const DeviceLimits& limits, Tiles tiles);

// Every way of filling stages and of emitting results, in every order, with every descriptor, of a scan by lookahead.
[[nodiscard]] std::vector<Strategy> ring_ways(const Problem& problem);

// One problem of each algorithm for each (operator, type).
[[nodiscard]] std::vector<Problem> problems_of(const std::vector<std::pair<Operator, Type>>& operations);

}  // namespace upsweep::test
