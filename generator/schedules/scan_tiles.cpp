// lookback, chained and gather: a single-pass scan with one tile a block. They differ in how a tile learns what stands
// before it.
#include <algorithm>
#include <tuple>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_parameters.hpp"

namespace upsweep {
namespace {

class ScanTiles : public Schedule {
 public:
  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scanned(problem); }

  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    return {tiles::threads_per_block(),
            tiles::items_per_thread(),
            tiles::minimum_blocks(),
            tiles::load(),
            tiles::store(problem),
            tiles::warp_scan(),
            tiles::block_scan(),
            tiles::descriptor(),
            tiles::prefetch(),
            tiles::absent_as(
                std::int64_t{0},
                tiles::count("delay_nanoseconds",
                             "Time, in nanoseconds, that a warp sleeps before each read of the descriptors of other "
                             "tiles. With a longer sleep, polling takes less memory bandwidth.",
                             {0, 20, 50, 100, 200, 400, 800}))};
  }

  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    // A tile of results is at most 32 KiB, whatever they are widened to.
    constexpr std::size_t most_bytes = (32 << 10) / 256;
    const auto most = static_cast<std::int64_t>(most_bytes / size_of(problem.output));
    return {.schedule = std::string(name()),
            .values = {{"threads_per_block", 256},
                       {"items_per_thread", std::min(tiles::items_for_bytes(problem, 64), most)},
                       {"minimum_blocks", 1},
                       {"load", "warp_transpose"},
                       {"store", is_compact(problem) ? "two_phase" : "warp_transpose"},
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
    tiles::check_access(violations, problem, config);
    tiles::check_prefetch(violations, config, limits);
    return violations;
  }

  [[nodiscard]] std::vector<Constraint> own_constraints(const Problem&) const override {
    std::vector<Constraint> constraints = tiles::block_constraints();
    constraints.push_back(tiles::vector_constraint());
    constraints.push_back(tiles::capability_constraint("`prefetch=bulk` needs compute capability 9.0."));
    return constraints;
  }

  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = tiles::scan_recipe(problem, config);
    recipe.kernel = "kernel/scan.tiles.cuh";
    recipe.launch.grid = GridRule::block_per_tile;
    recipe.workspace = tiles::descriptor_workspace(problem, config, "drawn_once", true);
    recipe.roles["tile/prefetch"] = config.name("prefetch");
    recipe.roles["grid/descriptor"] = tiles::descriptor_strategy(problem, config);
    recipe.parameters += tiles::constant("u32", "delay_nanoseconds", config.integer("delay_nanoseconds"));
    tiles::place_storage(recipe, storage(problem, config).size);
    return recipe;
  }

 private:
  // SharedStorage of templates/kernel/scan.tiles.cuh.
  [[nodiscard]] tiles::Layout storage(const Problem& problem, const Config& config) const {
    return tiles::struct_of({tiles::scan_storage(problem, config), tiles::array_of_words(4, 2),
                             tiles::array_of(tiles::accumulator_layout(problem), spine_values(config))});
  }

  // Accumulators of SpineStorage.
  [[nodiscard]] virtual std::int64_t spine_values(const Config& config) const = 0;
};

// One warp of a tile asks the tiles before, each of which publishes its inclusive prefix.
class ScanPrefixes : public ScanTiles {
 public:
  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = ScanTiles::own_recipe(problem, config);
    recipe.roles["grid/spine"] = "one_warp";
    recipe.roles["grid/prefix"] = std::string(name());
    return recipe;
  }

 private:
  [[nodiscard]] std::int64_t spine_values(const Config&) const override { return 1; }
};

class ScanLookback final : public ScanPrefixes {
 public:
  [[nodiscard]] std::string_view name() const override { return "lookback"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "Single-pass scan with decoupled look-back, one tile per block. Each tile publishes its aggregate. Then the "
           "tile combines the values that the preceding tiles have published, back to the nearest inclusive prefix.";
  }
  [[nodiscard]] std::string_view source() const override {
    return "Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled Look-back\", NVIDIA Technical "
           "Report "
           "NVR-2016-002, 2016, section 4";
  }
  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    std::vector<Parameter> parameters = ScanTiles::own_parameters(problem);
    parameters.push_back(
        tiles::count("lookback_window",
                     "Size of the look-back window: the number of preceding tiles whose descriptors a warp reads at "
                     "once. With a window above 32, each lane reads several descriptors.",
                     {1, 2, 4, 8, 16, 32, 64, 128}));
    return parameters;
  }
  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    Config config = ScanTiles::own_defaults(problem, limits);
    config.values["lookback_window"] = 32;
    // Measured on an H200 (docs/measurements.md, "Defaults"): small n wants many small tiles; from about 2^20 items on,
    // polling less and larger tiles pay.
    const std::size_t widest = tiles::widest_size(problem);
    const bool wide = widest > 4;
    const bool small = problem.size <= std::uint64_t{1} << 14 && (wide || widest == 1);
    if (small) {
      config.values["items_per_thread"] = wide ? 2 : 4;
      if (!wide) config.values["threads_per_block"] = 128;
    } else if (problem.size < std::uint64_t{1} << 17) {
      config.values["items_per_thread"] = tiles::items_for_bytes(problem, 32);
    } else if (problem.size >= std::uint64_t{1} << 20) {
      config.values["delay_nanoseconds"] = 400;
      config.values["threads_per_block"] = wide ? 256 : 512;
      config.values["items_per_thread"] =
          wide ? std::min<std::int64_t>(static_cast<std::int64_t>(192 / widest), 32) : 16;
    } else if (problem.size >= std::uint64_t{1} << 18 && widest == 1) {
      config.values["threads_per_block"] = 512;
      config.values["block_scan"] = "raking";
    }
    tiles::set_default_access(config, problem);
    if (small) config.values["load"] = "direct";
    if (entry_of(problem).fold == Fold::counted_values) take_large_tiles(problem, limits, config);
    // Keys and values together may need more shared memory than older devices have.
    while (config.integer("threads_per_block") > 128 && !own_violations(problem, config, limits).empty()) {
      config.values["threads_per_block"] = config.integer("threads_per_block") / 2;
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
                        {"store", is_compact(problem) ? "two_phase" : access},
                        {"lookback_window", window}}});
    }
    return found;
  }
  // Reductions by key write little, so that a multiprocessor is busy with two or three blocks that read much. Measured
  // on an H200 (docs/measurements.md, "Selections and reductions by key").
  void take_large_tiles(const Problem& problem, const DeviceLimits& limits, Config& config) const {
    const std::vector<Port> read = tile_inputs(problem);
    // Narrower ones take as many registers, and wider ones too many.
    const bool is_measured = std::all_of(
        read.begin(), read.end(), [](const Port& port) { return size_of(port.type) == 4 || size_of(port.type) == 8; });
    if (problem.size < std::uint64_t{3} << 18 || size_of(problem.accumulator) > 8 || !is_measured) return;
    const bool larger = problem.size >= std::uint64_t{1} << 25;
    const auto bytes = static_cast<std::int64_t>(tiles::bytes_read_per_item(problem));
    const std::int64_t items =
        larger ? std::min<std::int64_t>(27, 368 / bytes) : std::min<std::int64_t>(19, 184 / bytes);
    Config large = config;
    large.values["threads_per_block"] = 256;
    large.values["items_per_thread"] = (items - 1) | 1;  // odd: no bank conflicts
    large.values["minimum_blocks"] = larger ? 2 : 3;
    large.values["delay_nanoseconds"] = problem.size < std::uint64_t{1} << 24 ? 50 : 200;
    if (own_violations(problem, large, limits).empty()) config = large;
  }
  // How far a tile looks back, and so what it folds with what, depends on timing.
  [[nodiscard]] bool fixed_association(const Config&) const override { return false; }
  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = ScanPrefixes::own_recipe(problem, config);
    recipe.parameters += tiles::constant("int", "lookback_window", config.integer("lookback_window"));
    return recipe;
  }
};

class ScanChained final : public ScanPrefixes {
 public:
  [[nodiscard]] std::string_view name() const override { return "chained"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "Chained scan, one tile per block. Each tile waits for the inclusive prefix of the preceding tile and then "
           "publishes its own inclusive prefix. The result is reproducible.";
  }
  [[nodiscard]] std::string_view source() const override {
    return "Yan, Long and Zhang, \"StreamScan: Fast Scan Algorithms for GPUs without Global Barrier Synchronization\", "
           "PPoPP 2013";
  }
  [[nodiscard]] bool fixed_association(const Config&) const override { return true; }
};

class ScanGather final : public ScanTiles {
 public:
  [[nodiscard]] std::string_view name() const override { return "gather"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "Single-pass scan, one tile per block. Each tile publishes its aggregate. All warps of a tile then combine "
           "the aggregates of all preceding tiles. The result is reproducible. This schedule is meant for inputs whose "
           "tiles all run at the same time.";
  }
  [[nodiscard]] std::string_view source() const override { return "upsweep (docs/notes/performance-notes.md)"; }

  // Measured on an H200 (docs/measurements.md, "Defaults"): tiles of 8 KiB up to 512 KiB (2 MiB of wide items),
  // then of 16 KiB; the longer the others take to publish, the less one asks.
  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    Config config = ScanTiles::own_defaults(problem, limits);
    const std::uint64_t kilobytes = widest_bytes(problem) >> 10;
    const bool wide = tiles::local_layout(problem).size > 8;
    config.values["items_per_thread"] = items_for(problem, kilobytes <= (wide ? 2048 : 512) ? 32 : 64);
    if (!wide) config.values["block_scan"] = "raking";
    config.values["delay_nanoseconds"] = kilobytes <= 512 ? 0 : kilobytes <= 1024 ? 50 : kilobytes <= 2048 ? 100 : 200;
    keep_resident(problem, config, limits);
    return config;
  }

  [[nodiscard]] std::vector<Config> landmarks(const Problem& problem) const override {
    const std::int64_t middle = items_for(problem, 32), thick = items_for(problem, 64);
    std::vector<Config> found;
    for (const auto& [threads, items] : {std::pair{256, middle}, {256, thick}, {512, middle}, {512, thick}}) {
      found.push_back({"gather", {{"threads_per_block", threads}, {"items_per_thread", items}}});
    }
    found.push_back({"gather",
                     {{"threads_per_block", 128},
                      {"items_per_thread", middle},
                      {"load", "block_transpose"},
                      {"block_scan", "warp_scans"}}});
    return found;
  }

  // Totals that are read rise with the square of the tiles.
  [[nodiscard]] bool suits(const Problem& problem) const override { return widest_bytes(problem) <= most_bytes; }

  [[nodiscard]] bool fixed_association(const Config&) const override { return true; }

  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = ScanTiles::own_recipe(problem, config);
    recipe.roles["grid/spine"] = "all_aggregates";
    return recipe;
  }

 private:
  static constexpr std::uint64_t most_bytes = std::uint64_t{6} << 20;

  [[nodiscard]] static std::uint64_t widest_bytes(const Problem& problem) {
    return bytes_of(problem.size, tiles::widest_size(problem));
  }

  // Asks for as many blocks per multiprocessor as let all tiles run at the same time, where that can be had. On an
  // H200, an exclusive sum of 1,258,291 items of i32 took 8.6 us with tiles that ran in two waves, and 5.1 us in one.
  void keep_resident(const Problem& problem, Config& config, const DeviceLimits& limits) const {
    const auto tile =
        static_cast<std::uint64_t>(config.integer("threads_per_block") * config.integer("items_per_thread"));
    const auto multiprocessors = static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
    const std::uint64_t tiles = problem.size / tile + (problem.size % tile != 0 ? 1 : 0);
    const std::uint64_t blocks = tiles / multiprocessors + (tiles % multiprocessors != 0 ? 1 : 0);
    for (const std::int64_t value : {1, 2, 3, 4, 6, 8}) {
      if (static_cast<std::uint64_t>(value) < blocks) continue;
      config.values["minimum_blocks"] = value;
      if (!own_violations(problem, config, limits).empty()) config.values["minimum_blocks"] = 1;
      return;
    }
  }

  // Narrow items are many: a tile is to have its bytes.
  [[nodiscard]] static std::int64_t items_for(const Problem& problem, std::int64_t bytes) {
    return std::clamp<std::int64_t>(bytes / static_cast<std::int64_t>(tiles::widest_size(problem)), 2, 32);
  }

  [[nodiscard]] std::int64_t spine_values(const Config& config) const override {
    return config.integer("threads_per_block") / 32;
  }
};

}  // namespace

const Schedule& scan_lookback() {
  static const auto& schedule = *new const ScanLookback;
  return schedule;
}

const Schedule& scan_chained() {
  static const auto& schedule = *new const ScanChained;
  return schedule;
}

const Schedule& scan_gather() {
  static const auto& schedule = *new const ScanGather;
  return schedule;
}

}  // namespace upsweep
