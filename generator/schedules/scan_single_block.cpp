// single_block: one block scans tile after tile. For small n.
#include "generator/schedules/schedules.hpp"
#include "generator/tile_parameters.hpp"

namespace upsweep {
namespace {

class ScanSingleBlock final : public Schedule {
 public:
  [[nodiscard]] std::string_view name() const override { return "single_block"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "one block scans tile after tile; no global memory but input and output; for small n";
  }
  [[nodiscard]] bool supports(const Problem& problem) const override { return problem.algorithm != Algorithm::reduce; }

  [[nodiscard]] std::vector<Parameter> parameters(const Problem&) const override {
    return {tiles::threads_per_block(),
            tiles::items_per_thread(),
            tiles::load(),
            tiles::store(),
            tiles::warp_scan(),
            tiles::block_scan(),
            tiles::count("minimum_blocks", "a block is alone on its multiprocessor", {1})};
  }

  [[nodiscard]] Config defaults(const Problem& problem, const DeviceLimits&) const override {
    const std::int64_t threads = problem.size <= 1024 ? 128 : problem.size <= 4096 ? 256 : 512;
    return {.schedule = "single_block",
            .values = {{"threads_per_block", threads},
                       {"items_per_thread", tiles::items_for_bytes(problem, 64)},
                       {"minimum_blocks", 1},
                       {"load", "warp_transpose"},
                       {"store", "warp_transpose"},
                       {"warp_scan", "kogge_stone"},
                       {"block_scan", "warp_scans"}}};
  }

  [[nodiscard]] std::vector<std::string> violations(const Problem& problem, const Config& config,
                                                    const DeviceLimits& limits) const override {
    const tiles::Layout storage = tiles::scan_storage(problem, config);
    std::vector<std::string> violations = tiles::resource_violations(problem, config, limits, storage.size);
    tiles::check_vectors(violations, "load", size_of(problem.input), config);
    tiles::check_vectors(violations, "store", size_of(problem.output), config);
    return violations;
  }

  [[nodiscard]] bool fixed_association() const override { return true; }

  [[nodiscard]] Recipe recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = tiles::scan_recipe(problem, config);
    recipe.kernel = "kernel/scan.single_block.cuh";
    recipe.launch.grid = GridRule::one_block;
    tiles::place_storage(recipe, tiles::scan_storage(problem, config).size);
    return recipe;
  }
};

}  // namespace

const Schedule& scan_single_block() {
  static const ScanSingleBlock schedule;
  return schedule;
}

}  // namespace upsweep
