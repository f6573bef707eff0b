// sequential: one thread, in the order of the items; where rows, columns and segments have results of their own,
// threads that take them in turn. What every other schedule computes, as plainly as can be: the reference that results
// are compared with.
#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

// Loads of so many items are under way at the same time: one after the other, each takes as long as memory does.
constexpr std::int64_t items_per_thread = 16;
// Columns, segments and rows that are reduced are independent: threads take them in turn, so that the tuner need not
// wait for one thread that has millions of items.
constexpr int shape_threads = 128;

class Sequential final : public DescribedSchedule<LaunchValues> {
 public:
  Sequential()
      : DescribedSchedule(
            "sequential",
            "One thread applies the operator to one item after the other, in their order. Columns, segments and "
            "rows that are reduced are divided among 128 threads. The kernel needs no workspace. The "
            "tuner compares the results of all other schedules with those of this one, and measures it "
            "only if `--only` names it.",
            "upsweep") {}

  [[nodiscard]] bool supports(const Problem&) const override { return true; }
  // Another schedule is faster at every size.
  [[nodiscard]] bool suits(const Problem&) const override { return false; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override { return {capability_constraint()}; }

 protected:
  [[nodiscard]] LaunchValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    LaunchValues values;
    values.set_defaults(problem, limits);
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem&, const LaunchValues&,
                                               const DeviceLimits&) const override {
    return {};
  }
  [[nodiscard]] bool counts_itself() const override { return true; }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const LaunchValues&) const override {
    Recipe recipe;
    recipe.kernel = !is_folded(problem)            ? "kernel/transform.sequential.cuh"
                    : is_scan_of_segments(problem) ? "kernel/scan_segments.sequential.cuh"
                    : is_scanned(problem)          ? "kernel/scan.sequential.cuh"
                    : is_scan_along_axis(problem)  ? "kernel/scan_axis.sequential.cuh"
                    : is_fold_along_axis(problem)  ? "kernel/reduce_axis.sequential.cuh"
                    : is_fold_of_rows(problem)     ? "kernel/reduce_rows.sequential.cuh"
                    : is_fold_of_segments(problem) ? "kernel/reduce_segments.sequential.cuh"
                                                   : "kernel/reduce.sequential.cuh";
    recipe.roles["algorithm/row_initial"] = entry_of(problem).has_initial ? "value" : "none";
    recipe.roles["tile/total"] = entry_of(problem).counts_first ? "counted" : "none";
    const bool in_parts = problem.shape != Shape::flat && !has_row_begins(problem);
    const int threads = in_parts ? shape_threads : 32;
    recipe.parameters = tiles::type_block(problem);
    recipe.parameters += tiles::constant("int", "threads_per_block", threads);
    recipe.parameters += tiles::constant("int", "items_per_thread", items_per_thread);
    recipe.launch.grid = GridRule::one_block;
    recipe.launch.threads_per_block = threads;
    recipe.launch.items_per_tile = items_per_thread;
    return {recipe};
  }
};

}  // namespace

const Schedule& sequential() {
  return *new const Sequential;
}

}  // namespace upsweep
