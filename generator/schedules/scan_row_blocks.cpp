// row_blocks: each block scans whole rows.
#include <algorithm>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

struct RowBlocksValues : tiles::ScanValues {
  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.items_per_thread, tiles::items_per_thread);
    visitor(values.load, tiles::load);
    visitor(values.store, tiles::store(problem));
    visitor(values.warp_scan, tiles::warp_scan_of(problem));
    visitor(values.block_scan, tiles::block_scan);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
    visitor(values.prefetch, tiles::prefetch);
    LaunchValues::visit(values, problem, visitor);
  }
};

class ScanRowBlocks final : public DescribedSchedule<RowBlocksValues> {
 public:
  ScanRowBlocks()
      : DescribedSchedule("row_blocks",
                          "Each block scans as many whole rows as a tile has room for, or one longer row tile by tile. "
                          "No block waits for another. The kernel needs no workspace. This schedule is meant for many "
                          "rows.",
                          "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return has_row_begins(problem); }
  // One block would scan one row of all items alone.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t least_rows = 16;
    return problem.size <= tiles::most_items_of_few_blocks || rows_of(problem, problem.size) >= least_rows;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    return tiles::tile_constraints("`prefetch=bulk` needs compute capability 9.0.");
  }

 protected:
  [[nodiscard]] RowBlocksValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    RowBlocksValues values;
    values.set_defaults(problem, limits);
    values.prefetch = tiles::default_prefetch(limits);
    if (has_small_tiles(problem, limits, values)) return values;
    values.items_per_thread = tiles::items_for_bytes(problem, 64);
    tiles::set_default_access(values, problem);
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const RowBlocksValues& values,
                                               const DeviceLimits& limits) const override {
    return tiles::tile_violations(problem, values, limits, tiles::scan_storage(problem, values).size);
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const RowBlocksValues& values) const override {
    Recipe recipe = tiles::scan_recipe(problem, values);
    recipe.kernel = "kernel/scan.row_blocks.cuh";
    recipe.launch.grid = GridRule::block_per_tile;
    // Whole rows leave room in a tile. There are more blocks than tiles, so that no block scans a second share where
    // the room is at most an eighth.
    recipe.launch.items_per_tile =
        static_cast<std::uint64_t>(std::max<std::int64_t>(values.tile_items() - values.tile_items() / 8, 1));
    tiles::place_storage(recipe, tiles::scan_storage(problem, values).size);
    return {recipe};
  }

 private:
  // Four items of f32 for each thread, where few items are short rows: 2^12, 2^16 and 2^20 items of f32 take 1.4, 1.7
  // and 4.6 us so in rows of 64, and 1.9, 2.2 and 5.2 us in tiles of 2,048 items. Eight for longer rows: 2^16 items
  // take 2.6 us in rows of 4096, and 3.2 us by lookback. In rows of 1024, they take 1.9 us with 256 threads, and 4.5 us
  // with 384, where some blocks have two rows (H200, driver 580.159.04, 2026-11-26). A plan is for rows of up to 1.42
  // times the length. 2^20 items of f32 in rows of 64 take 4.3 us with eight and 4.8 us with four, in rows of 1,024 4.9
  // us with both, and of i32 in rows of 4,096 4.0 us in tiles of as many items, loaded as vectors, and 5.9 us in tiles
  // of 2,048 (H100, driver 580.159.04, 2026-11-28).
  [[nodiscard]] bool has_small_tiles(const Problem& problem, const DeviceLimits& limits,
                                     RowBlocksValues& values) const {
    constexpr std::uint64_t some_items = 1 << 20, few_items = 1 << 16;
    struct Tile {
      std::int64_t threads, bytes;  // what each thread has of the items and of what they combine to
      std::uint64_t items;          // of a call, at most
      double part;                  // of the tile that a row fills, at most
      std::uint64_t least = 0;      // items of a call
    };
    constexpr double short_row = 0.125;
    values.load = values.store = tiles::Access::vectorized;
    for (const Tile& tile : {Tile{128, 64, some_items, short_row, some_items},
                             {128, 16, some_items, 0.7},
                             {256, 16, some_items, 1},
                             {512, 64, few_items, 1},
                             {256, 64, some_items, 1, some_items},
                             {256, 128, some_items, 1, some_items}}) {
      values.threads_per_block = tile.threads;
      values.items_per_thread = tiles::items_for_bytes(problem, tile.bytes);
      const bool has_room =
          static_cast<double>(problem.row_length) <= static_cast<double>(values.tile_items()) * tile.part;
      // Where there are many tiles, larger ones; narrow items are as fast without.
      if (tile.least > 0 && size_of(problem.input) < 4) continue;
      const bool has_items = problem.size >= tile.least && problem.size <= tile.items;
      if (has_items && has_room && check(problem, values, limits).empty()) return true;
    }
    values.threads_per_block = RowBlocksValues().threads_per_block;
    return false;
  }
};

}  // namespace

const Schedule& scan_row_blocks() {
  return *new const ScanRowBlocks;
}

}  // namespace upsweep
