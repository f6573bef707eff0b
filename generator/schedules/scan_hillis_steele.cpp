// hillis_steele: a scan of the whole input in log n passes.
#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

constinit const CountParameter pass_threads{
    "threads_per_block", "Number of threads in each block.", {64, 128, 256, 512, 1024}};

constinit const CountParameter pass_blocks{"blocks_per_multiprocessor",
                                           "Number of blocks that are launched per multiprocessor. Each multiprocessor "
                                           "must be able to hold all of them at once.",
                                           {1, 2, 4, 8}};

struct HillisSteeleValues : LaunchValues {
  std::int64_t threads_per_block = 512;
  std::int64_t blocks_per_multiprocessor = 2;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, pass_threads);
    visitor(values.blocks_per_multiprocessor, pass_blocks);
    LaunchValues::visit(values, problem, visitor);
  }
};

class ScanHillisSteele final : public DescribedSchedule<HillisSteeleValues> {
 public:
  ScanHillisSteele()
      : DescribedSchedule(
            "hillis_steele",
            "Scan of the whole input in log2 n passes (rounded up) between two arrays in global memory. In pass p, "
            "counted from 0, each item is combined with the one 2^p places before. The launch is cooperative: a "
            "barrier of all blocks separates the passes. The operator is applied about n log2 n times. "
            "The workspace has two accumulators per item. The result is reproducible. A "
            "search seldom proposes this schedule.",
            "Hillis and Steele, \"Data Parallel Algorithms\", Communications of the ACM 29 (12), 1986; Harris, "
            "Sengupta "
            "and Owens, \"Parallel Prefix Sum (Scan) with CUDA\", GPU Gems 3, 2007, section 39.2.1") {}

  [[nodiscard]] bool supports(const Problem& problem) const override {
    return is_scanned(problem) && is_dense(problem) && has_plain_items(problem) &&
           entry_of(problem).fold == Fold::values;
  }
  [[nodiscard]] bool is_baseline() const override { return true; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> constraints = tiles::block_constraints();
    constraints.push_back(capability_constraint());
    return constraints;
  }

 protected:
  [[nodiscard]] HillisSteeleValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    HillisSteeleValues values;
    values.set_defaults(problem, limits);
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const HillisSteeleValues& values,
                                               const DeviceLimits& limits) const override {
    const auto words = static_cast<std::int64_t>((value_size(problem) + 3) / 4);
    return tiles::block_violations(limits, {.threads = values.threads_per_block,
                                            .blocks = values.blocks_per_multiprocessor,
                                            .registers = 2 * words + 24,
                                            .blocks_from = "blocks_per_multiprocessor",
                                            .items_from = "threads_per_block"});
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const HillisSteeleValues& values) const override {
    Recipe recipe;
    recipe.kernel = "kernel/scan.hillis_steele.cuh";
    recipe.parameters = tiles::type_block(problem);
    recipe.parameters += tiles::constant("int", "threads_per_block", values.threads_per_block);
    recipe.parameters += tiles::constant("int", "items_per_thread", 1);
    recipe.parameters += tiles::constant("int", "minimum_blocks", values.blocks_per_multiprocessor);
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
    recipe.launch.threads_per_block = static_cast<int>(values.threads_per_block);
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.threads_per_block);
    recipe.launch.cooperative = true;
    recipe.workspace.layout = "grid_barrier";
    for (const char* array : {"ping", "pong"}) {
      recipe.scratch.push_back({.name = array,
                                .type = "Accumulator",
                                .item_bytes = static_cast<std::uint64_t>(tiles::accumulator_layout(problem).size),
                                .call_items_per_item = 1});
    }
    return {recipe};
  }
};

}  // namespace

const Schedule& scan_hillis_steele() {
  return *new const ScanHillisSteele;
}

}  // namespace upsweep
