// lookback and chained: one warp of a tile reads the descriptors of the preceding tiles, each of which publishes its
// inclusive prefix.
#include <algorithm>

#include "generator/schedules/scan_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

using tiles::Access;

// Sets the roles of the two schedules.
Recipe recipe_of(const Problem& problem, const scan_tiles::Values& values, const char* prefix) {
  Recipe recipe = scan_tiles::recipe(problem, values, 1);
  recipe.roles["grid/spine"] = "one_warp";
  recipe.roles["grid/prefix"] = prefix;
  return recipe;
}

constinit const CountParameter lookback_window{
    "lookback_window",
    "Size of the look-back window: the number of preceding tiles whose descriptors a warp reads at once. With a "
    "window above 32, each lane reads several descriptors.",
    {1, 2, 4, 8, 16, 32, 64, 128}};

struct LookbackValues : scan_tiles::Values {
  std::int64_t lookback_window = 32;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    visitor(values.lookback_window, upsweep::lookback_window);
    LaunchValues::visit(values, problem, visitor);
  }
};

class ScanLookback final : public scan_tiles::TileScan<LookbackValues> {
 public:
  ScanLookback()
      : TileScan("lookback",
                 "Single-pass scan with decoupled look-back, one tile per block. Each tile publishes its aggregate. "
                 "Then the tile combines the values that the preceding tiles have published, back to the nearest "
                 "inclusive prefix.",
                 "Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled Look-back\", NVIDIA "
                 "Technical Report NVR-2016-002, 2016, section 4") {}

 protected:
  // Measured on an H200 (docs/measurements.md, "Defaults"): small n wants many small tiles; from about 2^20 items on,
  // polling less and larger tiles pay.
  [[nodiscard]] LookbackValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    LookbackValues values{scan_tiles::default_values(problem, limits)};
    const std::size_t widest = tiles::widest_size(problem);
    const bool wide = widest > 4;
    const bool small = problem.size <= std::uint64_t{1} << 14 && (wide || widest == 1);
    if (small) {
      values.items_per_thread = wide ? 2 : 4;
      if (!wide) values.threads_per_block = 128;
    } else if (problem.size < std::uint64_t{1} << 17) {
      values.items_per_thread = tiles::items_for_bytes(problem, 32);
    } else if (problem.size >= std::uint64_t{1} << 20) {
      values.delay_nanoseconds = 400;
      values.threads_per_block = wide ? 256 : 512;
      values.items_per_thread = wide ? std::min<std::int64_t>(static_cast<std::int64_t>(192 / widest), 32) : 16;
    } else if (problem.size >= std::uint64_t{1} << 18 && widest == 1) {
      values.threads_per_block = 512;
      values.block_scan = tiles::BlockScan::raking;
    }
    tiles::set_default_access(values, problem);
    if (small) values.load = Access::direct;
    if (entry_of(problem).fold == Fold::counted_values) take_large_tiles(problem, limits, values);
    if (has_segment_begins(problem)) take_more_blocks(problem, limits, values);
    // Keys and values together may need more shared memory than older devices have.
    while (values.threads_per_block > 128 && !check(problem, values, limits).empty()) values.threads_per_block /= 2;
    return values;
  }

  [[nodiscard]] std::vector<LookbackValues> seed_values(const Problem& problem,
                                                        const DeviceLimits& limits) const override {
    const std::int64_t thin = tiles::items_for_bytes(problem, 16), middle = tiles::items_for_bytes(problem, 32),
                       thick = tiles::items_for_bytes(problem, 64);
    struct Seed {
      std::int64_t threads, items;
      Access access;
    };
    std::vector<LookbackValues> found;
    for (const Seed& seed : {Seed{256, middle, Access::warp_transpose},
                             {256, middle, Access::vectorized},
                             {128, thick, Access::warp_transpose},
                             {512, middle, Access::warp_transpose},
                             {512, thin, Access::vectorized},
                             {512, thick, Access::warp_transpose}}) {
      LookbackValues values = default_values(problem, limits);
      values.threads_per_block = seed.threads;
      values.items_per_thread = seed.items;
      values.load = seed.access;
      values.store = is_compact(problem) ? Access::two_phase : seed.access;
      // Where all tiles run at once, a window that covers all of them is read once.
      values.lookback_window = problem.size <= (std::uint64_t{1} << 18) ? 128 : 32;
      found.push_back(values);
    }
    return found;
  }

  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const LookbackValues& values,
                                               const DeviceLimits& limits) const override {
    return scan_tiles::violations(problem, values, limits, 1);
  }
  // How far a tile looks back, and so which values it combines, depends on timing.
  [[nodiscard]] bool is_association_fixed(const LookbackValues&) const override { return false; }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const LookbackValues& values) const override {
    Recipe recipe = recipe_of(problem, values, "lookback");
    recipe.parameters += tiles::constant("int", "lookback_window", values.lookback_window);
    return {recipe};
  }

 private:
  // While two warps of a block search for segments, other blocks are to have loads under way. 2^26 items of f32 take
  // 303, 256 and 247 us in segments of 4, 64 and 1,000 so, and 333, 272 and 256 us with half as many blocks of twice as
  // many threads (H100, driver 580.159.04, 2026-11-26).
  void take_more_blocks(const Problem& problem, const DeviceLimits& limits, LookbackValues& values) const {
    if (problem.size < std::uint64_t{1} << 20) return;
    LookbackValues more = values;
    more.threads_per_block = 128;
    const auto width = static_cast<std::int64_t>(std::max(size_of(problem.input), size_of(problem.accumulator)));
    more.items_per_thread = std::clamp<std::int64_t>(96 / width, 1, 24);
    more.minimum_blocks = 6;
    if (check(problem, more, limits).empty()) values = more;
  }
  // Reductions by key write little, so that a multiprocessor is busy with two or three blocks that read much. Measured
  // on an H200 (docs/measurements.md, "Selections and reductions by key").
  void take_large_tiles(const Problem& problem, const DeviceLimits& limits, LookbackValues& values) const {
    const std::vector<Port> read = tile_inputs(problem);
    // Narrower ones take as many registers, and wider ones too many.
    const bool is_measured = std::all_of(
        read.begin(), read.end(), [](const Port& port) { return size_of(port.type) == 4 || size_of(port.type) == 8; });
    if (problem.size < std::uint64_t{3} << 18 || size_of(problem.accumulator) > 8 || !is_measured) return;
    const bool larger = problem.size >= std::uint64_t{1} << 25;
    const auto bytes = static_cast<std::int64_t>(tiles::bytes_read_per_item(problem));
    const std::int64_t items =
        larger ? std::min<std::int64_t>(27, 368 / bytes) : std::min<std::int64_t>(19, 184 / bytes);
    LookbackValues large = values;
    large.threads_per_block = 256;
    large.items_per_thread = (items - 1) | 1;  // odd: no bank conflicts
    large.minimum_blocks = larger ? 2 : 3;
    large.delay_nanoseconds = problem.size < std::uint64_t{1} << 24 ? 50 : 200;
    if (check(problem, large, limits).empty()) values = large;
  }
};

class ScanChained final : public scan_tiles::TileScan<scan_tiles::Values> {
 public:
  ScanChained()
      : TileScan("chained",
                 "Chained scan, one tile per block. Each tile waits for the inclusive prefix of the preceding tile and "
                 "then publishes its own inclusive prefix. The result is reproducible.",
                 "Yan, Long and Zhang, \"StreamScan: Fast Scan Algorithms for GPUs without Global Barrier "
                 "Synchronization\", PPoPP 2013") {}

 protected:
  [[nodiscard]] scan_tiles::Values default_values(const Problem& problem, const DeviceLimits& limits) const override {
    return scan_tiles::default_values(problem, limits);
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const scan_tiles::Values& values,
                                               const DeviceLimits& limits) const override {
    return scan_tiles::violations(problem, values, limits, 1);
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const scan_tiles::Values& values) const override {
    return {recipe_of(problem, values, "chained")};
  }
};

}  // namespace

const Schedule& scan_lookback() {
  return *new const ScanLookback;
}

const Schedule& scan_chained() {
  return *new const ScanChained;
}

}  // namespace upsweep
