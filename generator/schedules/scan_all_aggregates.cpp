// all_aggregates: all warps of a tile combine the aggregates of all preceding tiles.
#include <algorithm>
#include <bit>

#include "generator/bytes.hpp"
#include "generator/schedules/scan_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/selections.hpp"

namespace upsweep {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{6} << 20;

std::uint64_t widest_bytes(const Problem& problem) {
  return bytes_of(problem.size, tiles::widest_size(problem));
}

// Narrow items are many: a tile is to have its bytes.
std::int64_t items_for(const Problem& problem, std::int64_t bytes) {
  return std::clamp<std::int64_t>(bytes / static_cast<std::int64_t>(tiles::widest_size(problem)), 2, 32);
}

class ScanAllAggregates final : public scan_tiles::TileScan<scan_tiles::Values> {
 public:
  ScanAllAggregates()
      : TileScan("all_aggregates",
                 "Single-pass scan, one tile per block. Each tile publishes its aggregate. All warps of a tile then "
                 "combine the aggregates of all preceding tiles. The result is reproducible. This schedule is meant "
                 "for inputs whose tiles all run at the same time.",
                 "upsweep (docs/notes/performance-notes.md)") {}

  // The number of aggregates that are read rises with the square of the tiles.
  [[nodiscard]] bool suits(const Problem& problem) const override { return widest_bytes(problem) <= most_bytes; }

 protected:
  // Measured on an H200 (docs/measurements.md, "Defaults"): tiles of 8 KiB up to 512 KiB (2 MiB of wide items), then of
  // 16 KiB. The longer other tiles take to publish, the longer a warp sleeps between reads.
  [[nodiscard]] scan_tiles::Values default_values(const Problem& problem, const DeviceLimits& limits) const override {
    scan_tiles::Values values = scan_tiles::default_values(problem, limits);
    const std::uint64_t kilobytes = widest_bytes(problem) >> 10;
    const bool wide = tiles::local_layout(problem).size > 8;
    values.items_per_thread = items_for(problem, kilobytes <= (wide ? 2048 : 512) ? 32 : 64);
    if (!wide) values.block_scan = tiles::BlockScan::raking;
    values.delay_nanoseconds = kilobytes <= 512 ? 0 : kilobytes <= 1024 ? 50 : kilobytes <= 2048 ? 100 : 200;
    if (counts_few_items(problem)) take_small_tiles(problem, values);
    keep_resident(problem, values, limits);
    return values;
  }

  [[nodiscard]] std::vector<scan_tiles::Values> seed_values(const Problem& problem,
                                                            const DeviceLimits& limits) const override {
    const std::int64_t middle = items_for(problem, 32), thick = items_for(problem, 64);
    std::vector<scan_tiles::Values> found;
    const auto add = [&](std::int64_t threads, std::int64_t items) -> scan_tiles::Values& {
      scan_tiles::Values& values = found.emplace_back(default_values(problem, limits));
      values.threads_per_block = threads;
      values.items_per_thread = items;
      return values;
    };
    for (const std::int64_t threads : {256, 512}) {
      add(threads, middle);
      add(threads, thick);
    }
    scan_tiles::Values& small = add(128, middle);
    small.load = tiles::Access::block_transpose;
    small.block_scan = tiles::BlockScan::warp_scans;
    return found;
  }

  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const scan_tiles::Values& values,
                                               const DeviceLimits& limits) const override {
    return scan_tiles::violations(problem, values, limits, warps(values));
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const scan_tiles::Values& values) const override {
    Recipe recipe = scan_tiles::recipe(problem, values, warps(values));
    recipe.roles["grid/spine"] = "all_aggregates";
    return {recipe};
  }

 private:
  [[nodiscard]] static std::int64_t warps(const scan_tiles::Values& values) { return values.threads_per_block / 32; }

  // Tiles of 128 threads, 256 of them at most. 2^16 items of i32: a selection takes 2.6 us so and 3.2 us with tiles
  // of `lookback`, a three-way partition 2.9 and 4.2 us (H100, driver 580.159.04, 2026-11-26).
  static void take_small_tiles(const Problem& problem, scan_tiles::Values& values) {
    values.threads_per_block = 128;
    values.items_per_thread =
        static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(problem.size >> 14, 1, 8)));
    if (values.items_per_thread < 4) values.load = tiles::Access::direct;
    values.store = tiles::Access::direct;
    values.block_scan = tiles::BlockScan::warp_scans;
  }

  // Sets minimum_blocks so that all tiles run at the same time, where that can be had. On an H200, an exclusive sum of
  // 1,258,291 items of i32 took 8.6 us with tiles that ran in two waves, and 5.1 us in one.
  void keep_resident(const Problem& problem, scan_tiles::Values& values, const DeviceLimits& limits) const {
    const auto tile = static_cast<std::uint64_t>(values.tile_items());
    const auto multiprocessors = static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
    const std::uint64_t tiles = problem.size / tile + (problem.size % tile != 0 ? 1 : 0);
    const std::uint64_t blocks = tiles / multiprocessors + (tiles % multiprocessors != 0 ? 1 : 0);
    for (const std::int64_t value : upsweep::tiles::minimum_blocks.values) {
      if (static_cast<std::uint64_t>(value) < blocks) continue;
      values.minimum_blocks = value;
      if (!check(problem, values, limits).empty()) values.minimum_blocks = 1;
      return;
    }
  }
};

}  // namespace

const Schedule& scan_all_aggregates() {
  return *new const ScanAllAggregates;
}

}  // namespace upsweep
