#include "tests/codegen/grid.hpp"

#include <set>
#include <utility>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/strategies.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::test {
namespace {

class Grid {
 public:
  explicit Grid(const DeviceLimits& limits) : limits_(limits) {}

  void add_defaults(Problem problem) {
    for (const std::uint64_t size : {std::uint64_t{1} << 12, std::uint64_t{1} << 24}) {
      problem.size = size;
      const Space space(problem, limits_);
      for (const Schedule* schedule : space.schedules()) {
        add_if_valid(problem, space.complete({std::string(schedule->name()), {}}));
      }
    }
  }

  void add_if_valid(const Problem& problem, const Config& config) {
    if (Space(problem, limits_).contains(config)) add(problem, config);
  }

  void add(const Problem& problem, const Config& config) {
    GridKernel kernel{problem, config};
    kernel.problem.size = 0;
    if (names_.insert(kernel.name()).second) kernels_.push_back(std::move(kernel));
  }

  [[nodiscard]] std::vector<GridKernel> take() { return std::move(kernels_); }

 private:
  DeviceLimits limits_;
  std::set<std::string> names_;
  std::vector<GridKernel> kernels_;
};

// An operator that does not commute, and one that folds several items of a word at once.
std::vector<Problem> strategy_problems() {
  std::vector<Problem> problems = gpu_strategy_problems();
  std::erase_if(problems, [](const Problem& problem) {
    return !(problem.op == Operator::affine && problem.input == Type::u32) && problem.input != Type::i8;
  });
  return problems;
}

}  // namespace

std::vector<GridKernel> kernel_grid(const DeviceLimits& limits) {
  Grid grid(limits);
  for (const Problem& problem : all_problems()) grid.add_defaults(problem);
  for (const Problem& problem : mixed_problems()) grid.add_defaults(problem);
  for (const Strategy& strategy : strategies(strategy_problems(), limits, Tiles::usual)) {
    grid.add(strategy.problem, strategy.config);
  }
  for (const tuning_db::Winner& winner : tuning_db::shipped_winners()) {
    if (limits_of_architecture(architecture_of(winner.trial.device)) != limits) continue;
    grid.add_if_valid(winner.trial.problem, winner.trial.config);
  }
  return grid.take();
}

std::vector<GridKernel> host_grid(const DeviceLimits& limits) {
  Grid grid(limits);
  for (const auto& [op, type] : {std::pair{Operator::plus, Type::i32},
                                 {Operator::plus, Type::i8},
                                 {Operator::plus, Type::f16},
                                 {Operator::plus, Type::f64},
                                 {Operator::plus, Type::c128},
                                 {Operator::maximum, Type::f32},
                                 {Operator::maximum, Type::u8},
                                 {Operator::last_nonzero, Type::i64}}) {
    for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce}) {
      const Problem problem = make_problem(algorithm, op, type, type);
      const Space space(problem, limits);
      for (const Schedule* schedule : space.schedules()) {
        const Config config = with_small_tiles(space, space.complete({std::string(schedule->name()), {}}));
        grid.add_if_valid(problem, config);
      }
    }
  }
  for (const Strategy& strategy : strategies(strategy_problems(), limits, Tiles::small)) {
    grid.add(strategy.problem, strategy.config);
  }
  return grid.take();
}

}  // namespace upsweep::test
