#include "tests/support/strategies.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "generator/schedule.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/selection.hpp"

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

bool is_baseline(const Parameter& parameter, const ParameterValue& value) {
  return std::find(parameter.baselines.begin(), parameter.baselines.end(), value) != parameter.baselines.end();
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
  const auto add = [&](std::size_t problem, Config config, const std::string& what) {
    std::string name = fmt::format("{}_{}_{}", test_name(problems[problem]), config.schedule, what);
    found.push_back({problems[problem], std::move(config), std::move(name)});
  };
  for (const bool reduces : {false, true}) {
    // By schedule, parameter and value: who can have it. The schedules share what others have replaced: no name.
    std::map<std::tuple<std::string, std::string, ParameterValue>, std::vector<std::pair<std::size_t, Config>>> takers;
    std::set<std::pair<std::size_t, Config>> met;
    for (std::size_t p = 0; p < problems.size(); ++p) {
      if ((problems[p].algorithm == Algorithm::reduce) != reduces) continue;
      const Space space(problems[p], limits);
      for (const Schedule* schedule : space.schedules()) {
        Config base = space.complete({.schedule = std::string(schedule->name()), .values = {}});
        if (tiles == Tiles::small) base = with_small_tiles(space, base);
        const std::vector<Parameter> parameters = schedule->parameters(problems[p]);
        for (const Parameter& parameter : parameters) {
          for (const ParameterValue& value : parameter.values) {
            std::optional<Config> config = with_value(space, base, parameters, parameter, value);
            const std::string schedule_name = is_baseline(parameter, value) ? "" : base.schedule;
            if (config) takers[{schedule_name, parameter.name, value}].emplace_back(p, *std::move(config));
          }
        }
        met.emplace(p, base);
        add(p, std::move(base), "default");
      }
    }
    std::size_t turn = 0, baseline_turn = 0;
    for (auto& [what, configs] : takers) {
      const auto& [schedule, parameter, value] = what;
      // With small tiles counts are shared out: each is met by one of those that can have it. So are the values of
      // baselines, which have tests of their own, and with all tiles, values that others have replaced.
      const auto is_shared = [&what = what, &problem = problems[configs.front().first]] {
        return std::holds_alternative<std::int64_t>(std::get<ParameterValue>(what)) ||
               find_schedule(problem, std::get<0>(what)).is_baseline();
      };
      if (schedule.empty()) {
        configs = {configs[baseline_turn++ % configs.size()]};
      } else if (tiles == Tiles::small && is_shared()) {
        configs = {configs[turn++ % configs.size()]};
      }
      for (auto& [problem, config] : configs) {
        if (met.emplace(problem, config).second)
          add(problem, std::move(config), fmt::format("{}_{}", parameter, to_string(value)));
      }
    }
  }
  return found;
}

std::vector<Problem> gpu_strategy_problems() {
  return problems_of({{Operator::affine, Type::u64},
                      {Operator::affine, Type::u32},
                      {Operator::plus, Type::i8},
                      {Operator::plus, Type::f32}});
}

std::vector<Strategy> sanitized_strategies(const DeviceLimits& limits) {
  const auto has_ring = [](const Strategy& strategy) { return strategy.config.values.contains("stages"); };
  // Large tiles again, or what changes nothing that runs.
  const auto is_size = [](const Strategy& strategy) {
    for (const char* name : {"items_per_thread", "threads_per_block", "worker_warps", "vectors_per_thread"}) {
      if (strategy.name.find(name) != std::string::npos) return true;
    }
    return false;
  };
  const std::vector<Problem> several = problems_of({{Operator::affine, Type::u64}, {Operator::plus, Type::i8}});
  std::vector<Problem> taken;
  for (const Problem& problem : several) {
    const bool reduces = problem.algorithm == Algorithm::reduce;
    if (problem.op == Operator::affine || reduces) taken.push_back(problem);
  }
  std::vector<Strategy> found;
  for (const Tiles tiles : {Tiles::small, Tiles::usual}) {
    for (Strategy& each : strategies(taken, limits, tiles)) {
      if (has_ring(each) == (tiles == Tiles::small) && !is_size(each)) found.push_back(std::move(each));
    }
  }
  // Reverse scans load and store in ways of their own; the rest is that of scans.
  const Problem reverse = make_problem(Algorithm::reverse_exclusive_scan, affine, Type::u32, Type::u32);
  for (Strategy& each : strategies({reverse}, limits, Tiles::small)) {
    for (const char* way : {"default", "vectorized", "async"}) {
      if (each.name.find(way) == std::string::npos) continue;
      found.push_back(std::move(each));
      break;
    }
  }
  return found;
}

std::vector<Strategy> sanitized_compact_strategies(const DeviceLimits& limits) {
  const std::vector<Problem> problems{selection(Operator::less, Type::i32), selection(Operator::less, Type::i8),
                                      flagged_selection(Operator::not_equal_to, Type::f32, Type::u8),
                                      reduction_by_key(Operator::plus, Type::f64, Type::u32)};
  std::vector<Strategy> found = strategies(problems, limits, Tiles::small);
  std::erase_if(found, [](const Strategy& strategy) {
    // Bytes are packed by the schedule lookahead alone.
    if (strategy.problem.input == Type::i8 && strategy.config.schedule != "lookahead") return true;
    for (const char* way : {"default", "load", "scatter", "fill", "emit", "order", "descriptor", "warp_scan"}) {
      if (strategy.name.find(way) != std::string::npos) return false;
    }
    return true;
  });
  return found;
}

std::vector<Strategy> narrow_extremes(const DeviceLimits& limits, Tiles tiles) {
  std::vector<Strategy> found;
  for (const Operator op : {Operator::minimum, Operator::maximum}) {
    for (const Problem& problem : problems_of({{op, Type::i8}, {op, Type::u8}, {op, Type::i16}, {op, Type::u16}})) {
      const Space space(problem, limits);
      for (const char* packing : {"single", "packed_16x2"}) {
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

std::uint64_t refilling_items(const LaunchRule& launch, const Config& config, int multiprocessors) {
  if (!config.values.contains("stages")) return 0;
  constexpr std::uint64_t rounds = 3;
  const auto stages = static_cast<std::uint64_t>(config.integer("stages"));
  // More tiles than any grid has blocks give the most blocks.
  const std::uint64_t blocks = launch.blocks(~std::uint64_t{0}, multiprocessors);
  return rounds * stages * blocks * launch.items_per_tile;
}

std::vector<Strategy> special_strategies(const DeviceLimits& limits, Tiles tiles) {
  std::vector<Problem> problems = all_problems();
  for (const Problem& mixed : mixed_problems()) problems.push_back(mixed);
  std::vector<Strategy> found;
  for (const Problem& problem : problems) {
    if (!is_floating(problem.input)) continue;
    const Space space(problem, limits);
    for (const Schedule* schedule : space.schedules()) {
      // Baselines have nothing that tells operators apart.
      if (schedule->is_baseline() && problem.op != Operator::maximum) continue;
      Config config = space.complete({.schedule = std::string(schedule->name()), .values = {}});
      if (tiles == Tiles::small) config = with_small_tiles(space, config);
      found.push_back({problem, config, fmt::format("{}_{}", test_name(problem), schedule->name())});
    }
  }
  return found;
}

std::vector<Strategy> special_ways(const DeviceLimits& limits, Tiles tiles) {
  std::vector<Strategy> found;
  std::size_t turn = 0;
  for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
    for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
      std::vector<Problem> problems;
      for (const Operator op : {Operator::plus, Operator::multiplies, Operator::minimum, Operator::maximum}) {
        problems.push_back(make_problem(algorithm, op, type, type));
      }
      std::map<std::string, std::vector<Strategy>> takers;
      for (Strategy& each : strategies(problems, limits, tiles)) {
        const std::string way = each.name.substr(test_name(each.problem).size() + each.config.schedule.size() + 2);
        for (const std::string parameter : {"arithmetic", "load", "fill", "store", "emit", "accumulate"}) {
          if (!way.starts_with(parameter + "_") || !each.config.values.contains(parameter)) continue;
          const bool by_operator = parameter == "arithmetic";
          takers[by_operator ? way + test_name(each.problem) : way].push_back(std::move(each));
          break;
        }
      }
      for (auto& [way, able] : takers) found.push_back(std::move(able[turn++ % able.size()]));
    }
  }
  return found;
}

std::vector<Strategy> ring_ways(const Problem& problem) {
  std::vector<Strategy> found;
  for (const char* fill : {"bulk", "bulk_once", "async"}) {
    for (const char* emit : {"bulk", "bulk_once", "vectorized", "vectorized_once"}) {
      for (const char* order : {"ticket", "strided"}) {
        for (const char* descriptor : {"packed", "split"}) {
          found.push_back(
              {problem,
               {"lookahead", {{"fill", fill}, {"emit", emit}, {"order", order}, {"descriptor", descriptor}}},
               fmt::format("{}_{}_{}_{}", fill, emit, order, descriptor)});
        }
      }
    }
  }
  return found;
}

std::vector<Problem> problems_of(const std::vector<std::pair<Operator, Type>>& operations) {
  std::vector<Problem> problems;
  for (const Algorithm algorithm : scans_and_reduces) {
    for (const auto& [op, type] : operations) problems.push_back(make_problem(algorithm, op, type, type));
  }
  return problems;
}

}  // namespace upsweep::test
