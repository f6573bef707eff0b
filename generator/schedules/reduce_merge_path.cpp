// merge_path: blocks take equal shares of the items and the ends of segments.
#include <algorithm>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

struct MergePathValues : tiles::ScanValues {
  std::int64_t blocks_per_multiprocessor = 3;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.items_per_thread, tiles::items_per_thread);
    visitor(values.load, tiles::load);
    visitor(values.warp_scan, tiles::warp_scan);
    visitor(values.block_scan, tiles::block_scan);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    LaunchValues::visit(values, problem, visitor);
  }
};

// SharedStorage of templates/kernel/reduce.merge_path.cuh.
std::int64_t shared_bytes(const Problem& problem, const MergePathValues& values) {
  return tiles::struct_of({tiles::inputs_storage(problem, values),
                           tiles::array_of(problem.accumulator, values.tile_items()),
                           tiles::block_scan_storage(problem, values), tiles::array_of(Type::u64, 2),
                           tiles::array_of_words(4, 2), tiles::Layout{}})
      .size;
}

class ReduceMergePath final : public DescribedSchedule<MergePathValues> {
 public:
  ReduceMergePath()
      : DescribedSchedule(
            "merge_path",
            "Each block takes an equal share of the items and the ends of segments, merged in their "
            "order, and folds it tile by tile. A block completes the segment that began in an earlier share and ends "
            "in its own, by a look-back over the totals of the shares before.",
            "Merrill and Garland, \"Merge-based Parallel Sparse Matrix-vector Multiplication\", SC 2016") {}

  [[nodiscard]] bool supports(const Problem& problem) const override {
    return is_fold_of_segments(problem) && !problem.unordered_segments;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = tiles::block_constraints();
    all.push_back(tiles::vector_constraint());
    all.push_back(capability_constraint());
    return all;
  }

 protected:
  // As many blocks as a multiprocessor holds at a time, so that all of them end at about the same time. Large tiles are
  // faster but where many segments end in each: 2^26 items of f32 take 292, 116 and 109 us in segments of 4, 64 and
  // 1,000 with 32 items per thread and two blocks, and 216, 125 and 117 us with 16 and four (H100, driver 580.159.04,
  // 2026-11-26).
  [[nodiscard]] MergePathValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    constexpr std::uint64_t short_segment = 16;
    const bool ends_often = problem.row_length < short_segment;
    MergePathValues values;
    values.set_defaults(problem, limits);
    if (!ends_often && set_small_tiles(problem, limits, values)) return values;
    const auto width = static_cast<std::int64_t>(std::max(size_of(problem.input), size_of(problem.accumulator)));
    values.items_per_thread =
        ends_often ? tiles::items_for_bytes(problem, 128) : std::clamp<std::int64_t>(128 / width, 1, 32);
    tiles::set_default_access(values, problem);
    values.minimum_blocks = ends_often ? 4 : 2;
    while (values.minimum_blocks > 1 && !check(problem, values, limits).empty()) values.minimum_blocks /= 2;
    while (values.threads_per_block > 32 && !check(problem, values, limits).empty()) values.threads_per_block /= 2;
    values.blocks_per_multiprocessor = values.minimum_blocks;
    return values;
  }
  // Few items are too few for large tiles to keep all multiprocessors busy: 2^18, 2^19 and 2^20 items of f32 take 9.2,
  // 9.8 and 11.2 us in segments of 1,000 in large tiles and 7.9, 9.0 and 9.5 us so, in segments of 16 9.7, 10.7 and
  // 11.4 us and 7.3, 8.5 and 11.0 us. 2^20 of f16 take 14.8 and 13.2 us in large ones and 9.2 and 10.5 us so, and 2^19
  // of i64 11.2 and 10.7 us and 10.6 and 9.8 us. 2^22 of f32 take 16.3 us so and 14.4 us in large ones, and of i8 19.6
  // and 15.1 us (H100, driver 580.159.04, 2026-11-28).
  [[nodiscard]] bool set_small_tiles(const Problem& problem, const DeviceLimits& limits,
                                     MergePathValues& values) const {
    constexpr std::uint64_t few_bytes = 4 << 20;
    const std::size_t item = size_of(problem.input);
    if (item < 2 || item > 8 || bytes_of(problem.size, problem.input) > few_bytes) return false;
    MergePathValues small = values;
    small.threads_per_block = 96;
    small.items_per_thread = 11;
    small.load = tiles::Access::block_transpose;
    small.minimum_blocks = small.blocks_per_multiprocessor = 6;
    if (!check(problem, small, limits).empty()) return false;
    values = small;
    return true;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const MergePathValues& values,
                                               const DeviceLimits& limits) const override {
    return tiles::tile_violations(problem, values, limits, shared_bytes(problem, values));
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const MergePathValues& values) const override {
    Recipe recipe = tiles::scan_recipe(problem, values);
    recipe.kernel = "kernel/reduce.merge_path.cuh";
    recipe.roles["tile/downsweep"] = "segment_ends";
    recipe.roles["tile/segment_begins"] = "walk";
    recipe.roles["grid/partial"] = "words_64";
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
    // Two descriptors for each share, as templates/grid/segment_lookback.cuh has them.
    tiles::place_descriptors(recipe, tiles::accumulator_layout(problem), tiles::Descriptor::packed, "merge_path",
                             false);
    recipe.workspace.slot_bytes *= 2;
    recipe.workspace.slots_of_whole_grid = true;
    tiles::place_storage(recipe, shared_bytes(problem, values));
    return {recipe};
  }
};

}  // namespace

const Schedule& reduce_merge_path() {
  return *new const ReduceMergePath;
}

}  // namespace upsweep
