// lookback and chained: a single-pass scan with one tile a block. They differ in how a tile learns what stands before
// it.
#include <algorithm>
#include <tuple>

#include "generator/schedules/schedules.hpp"
#include "generator/tile_parameters.hpp"

namespace upsweep {
namespace {

class ScanTiles : public Schedule {
 public:
  [[nodiscard]] bool supports(const Problem& problem) const override { return problem.algorithm != Algorithm::reduce; }

  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem&) const override {
    return {tiles::threads_per_block(),
            tiles::items_per_thread(),
            tiles::minimum_blocks(),
            tiles::load(),
            tiles::store(),
            tiles::warp_scan(),
            tiles::block_scan(),
            tiles::descriptor(),
            tiles::prefetch(),
            tiles::count("delay_nanoseconds", "wait before a descriptor is read", {0, 20, 50, 100, 200, 400, 800})};
  }

  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    return {.schedule = std::string(name()),
            .values = {{"threads_per_block", 256},
                       {"items_per_thread", tiles::items_for_bytes(problem, 64)},
                       {"minimum_blocks", 1},
                       {"load", "warp_transpose"},
                       {"store", "warp_transpose"},
                       {"warp_scan", "kogge_stone"},
                       {"block_scan", "warp_scans"},
                       {"descriptor", "packed"},
                       {"prefetch", limits.compute_capability >= 90 ? "bulk" : "none"},
                       {"delay_nanoseconds", 0}}};
  }

  [[nodiscard]] std::vector<std::string> own_violations(const Problem& problem, const Config& config,
                                                        const DeviceLimits& limits) const override {
    std::vector<std::string> violations =
        tiles::resource_violations(problem, config, limits, storage(problem, config).size);
    tiles::check_vectors(violations, "load", size_of(problem.input), config);
    tiles::check_vectors(violations, "store", size_of(problem.output), config);
    tiles::check_prefetch(violations, config, limits);
    return violations;
  }

  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = tiles::scan_recipe(problem, config);
    recipe.kernel = "kernel/scan.tiles.cuh";
    recipe.launch.grid = GridRule::block_per_tile;
    recipe.workspace = tiles::descriptor_workspace(problem, config, "drawn_once", true);
    recipe.roles["tile/prefix"] = std::string(name());
    recipe.roles["tile/prefetch"] = config.name("prefetch");
    recipe.roles["tile/descriptor"] = tiles::descriptor_strategy(problem, config);
    recipe.parameters += tiles::constant("u32", "delay_nanoseconds", config.integer("delay_nanoseconds"));
    tiles::place_storage(recipe, storage(problem, config).size);
    return recipe;
  }

 private:
  // SharedStorage of templates/kernel/scan.tiles.cuh.
  [[nodiscard]] static tiles::Layout storage(const Problem& problem, const Config& config) {
    return tiles::struct_of({tiles::scan_storage(problem, config), tiles::array_of(4, 2),
                             tiles::array_of(size_of(problem.accumulator), 1)});
  }
};

class ScanLookback final : public ScanTiles {
 public:
  [[nodiscard]] std::string_view name() const override { return "lookback"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "decoupled look-back: a tile folds what the tiles before it published, back to the nearest inclusive prefix";
  }
  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    std::vector<Parameter> parameters = ScanTiles::own_parameters(problem);
    parameters.push_back(
        tiles::count("lookback_window", "predecessors inspected at once", {1, 2, 4, 8, 16, 32, 64, 128}));
    return parameters;
  }
  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    Config config = ScanTiles::own_defaults(problem, limits);
    config.values["lookback_window"] = 32;
    // Measured on an H200 (docs/measurements.md, "Defaults"): small n wants many small tiles; from about 2^20 items on,
    // polling less and larger tiles pay.
    if (problem.size < std::uint64_t{1} << 17) {
      config.values["items_per_thread"] = tiles::items_for_bytes(problem, 32);
    } else if (problem.size >= std::uint64_t{1} << 20) {
      const std::size_t widest =
          std::max({size_of(problem.accumulator), size_of(problem.input), size_of(problem.output)});
      const bool wide = widest > 4;
      config.values["delay_nanoseconds"] = 400;
      config.values["threads_per_block"] = wide ? 256 : 512;
      config.values["items_per_thread"] = wide ? static_cast<std::int64_t>(192 / widest) : 16;
    }
    return config;
  }
  [[nodiscard]] std::vector<Config> landmarks(const Problem& problem) const override {
    const std::int64_t thin = tiles::items_for_bytes(problem, 16), middle = tiles::items_for_bytes(problem, 32),
                       thick = tiles::items_for_bytes(problem, 64);
    // Where all tiles run at once, the window that sees them all asks once.
    const std::int64_t window = problem.size <= (std::uint64_t{1} << 18) ? 128 : 32;
    std::vector<Config> found;
    for (const auto& [threads, items, access] : {std::tuple{256, middle, "warp_transpose"},
                                                 {256, middle, "vectorized"},
                                                 {128, thick, "warp_transpose"},
                                                 {512, middle, "warp_transpose"},
                                                 {512, thin, "vectorized"},
                                                 {512, thick, "warp_transpose"}}) {
      found.push_back({"lookback",
                       {{"threads_per_block", threads},
                        {"items_per_thread", items},
                        {"load", access},
                        {"store", access},
                        {"lookback_window", window}}});
    }
    return found;
  }
  // How far a tile looks back, and so what it folds with what, depends on timing.
  [[nodiscard]] bool fixed_association(const Config&) const override { return false; }
  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = ScanTiles::own_recipe(problem, config);
    recipe.parameters += tiles::constant("int", "lookback_window", config.integer("lookback_window"));
    return recipe;
  }
};

class ScanChained final : public ScanTiles {
 public:
  [[nodiscard]] std::string_view name() const override { return "chained"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "a tile waits for the inclusive prefix of the tile before it; reproducible, and the yardstick of look-back";
  }
  [[nodiscard]] bool fixed_association(const Config&) const override { return true; }
};

}  // namespace

const Schedule& scan_lookback() {
  static const ScanLookback schedule;
  return schedule;
}

const Schedule& scan_chained() {
  static const ScanChained schedule;
  return schedule;
}

}  // namespace upsweep
