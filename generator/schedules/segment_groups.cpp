// segment_groups: a group of threads scans or folds each segment.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/row_groups.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

constinit const CountParameter blocks_per_helper{
    "blocks_per_helper",
    "One block of so many has no segments of its own. It helps to fold segments that are cut into pieces "
    "(`piece_kibibytes`). 0: one block alone folds a segment, however long, and the kernel needs no workspace.",
    {0, 4, 8, 16},
    0};

constinit const CountParameter piece_kibibytes{
    "piece_kibibytes",
    "KiB of items in a piece. A segment that is longer than that, and longer than four times what a group of threads "
    "loads at a time, is cut into equal pieces. There are 256 pieces at most, so pieces of a very long segment are "
    "larger. Without helpers, the value changes nothing.",
    {1, 4, 16, 64},
    16};

// Entries and places for partial results of the queue in templates/grid/long_segment_queue.cuh.
constexpr std::int64_t queue_entries = 1024, queue_places = 8192;

struct SegmentGroupsValues : LaunchValues {
  std::int64_t threads_per_block = 128;
  std::int64_t threads_per_segment = 32;
  std::int64_t items_per_thread = 4;
  std::int64_t minimum_blocks = 1;
  std::int64_t blocks_per_multiprocessor = 8;
  tiles::Prefetch prefetch = tiles::Prefetch::none;
  std::int64_t blocks_per_helper = 0;
  std::int64_t piece_kibibytes = 16;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.threads_per_segment, row_groups::threads_per_segment);
    visitor(values.items_per_thread, row_groups::items_per_thread);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    visitor(values.prefetch, tiles::prefetch);
    if (is_fold_of_segments(problem)) {
      visitor(values.blocks_per_helper, upsweep::blocks_per_helper);
      visitor(values.piece_kibibytes, upsweep::piece_kibibytes);
    }
    LaunchValues::visit(values, problem, visitor);
  }
};

// SharedStorage of templates/kernel/{reduce,scan}.segment_groups.cuh; with helpers, of
// templates/kernel/reduce.segment_groups_shared.cuh.
std::int64_t shared_bytes(const Problem& problem, const SegmentGroupsValues& values) {
  const std::int64_t warps = values.threads_per_block / row_groups::warp_lanes;
  const std::int64_t queue_words = values.blocks_per_helper > 0 ? values.threads_per_block + 8 : 0;
  return tiles::struct_of(
             {tiles::array_of(problem.accumulator, warps), tiles::array_of_words(4, 2 * warps + queue_words)})
      .size;
}

// SegmentQueue of templates/grid/long_segment_queue.cuh.
std::int64_t queue_bytes(const Problem& problem) {
  constexpr std::int64_t line = 128, entry_bytes = 48;
  const std::int64_t place_bytes = 8 * tiles::value_words(tiles::accumulator_layout(problem));
  return 2 * (2 * line + queue_entries * entry_bytes) + queue_places * place_bytes;
}

// Registers of the items under way, and of what a scan makes of them.
std::int64_t registers(const Problem& problem, const SegmentGroupsValues& values) {
  const auto words_of = [](std::size_t bytes) { return static_cast<std::int64_t>((bytes + 3) / 4); };
  const std::int64_t item = words_of(size_of(problem.input)) + words_of(size_of(problem.accumulator));
  return values.items_per_thread * item + 24;
}

class SegmentGroups final : public DescribedSchedule<SegmentGroupsValues> {
 public:
  SegmentGroups()
      : DescribedSchedule(
            "segment_groups",
            "Each segment has a group of threads, which is one thread, several lanes of a warp, a warp, or a block. If "
            "a segment "
            "is more than four times as long as what the group loads at a time, the whole block takes it. In reduces, "
            "the last blocks can be helpers: they have no segments of their own, and fold pieces of very long segments "
            "together with the blocks that these segments belong to. No block waits for what another one folds. "
            "Without helpers, the kernel needs no workspace, and one block alone takes a segment, however long. This "
            "schedule is meant for few items.",
            "upsweep. A thread, a warp or a block for each segment: NVIDIA, CUB, `DeviceSegmentedReduce`") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return problem.shape == Shape::segments; }
  // One block would take a long segment alone, or helpers would begin with it late.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t most_items = 1 << 18;
    return problem.size <= most_items;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = tiles::block_constraints();
    all.push_back(capability_constraint("`prefetch=bulk` needs compute capability 9.0."));
    all.push_back(row_groups::group_constraint("threads_per_segment"));
    return all;
  }

 protected:
  [[nodiscard]] SegmentGroupsValues default_values(const Problem& problem, const DeviceLimits& limits) const override;
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const SegmentGroupsValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found = tiles::block_violations(limits, {.threads = values.threads_per_block,
                                                                      .blocks = values.minimum_blocks,
                                                                      .shared_bytes = shared_bytes(problem, values),
                                                                      .registers = registers(problem, values),
                                                                      .shared_bytes_from = "threads_per_block",
                                                                      .items_from = "items_per_thread"});
    for (std::string& each :
         row_groups::group_violations("threads_per_segment", values.threads_per_segment, values.threads_per_block)) {
      found.push_back(std::move(each));
    }
    tiles::check_prefetch(found, values.prefetch, limits);
    return found;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const SegmentGroupsValues& values) const override;
};

// One block of eight helps. As many blocks as a multiprocessor holds without spills (sm_90, f32 and f64) run at a time,
// and twice as many are started.
void set_helpers(const Problem& problem, SegmentGroupsValues& values) {
  values.blocks_per_helper = 8;
  const bool is_wide = size_of(problem.accumulator) > 4;
  values.minimum_blocks = values.threads_per_block > 128 ? (is_wide ? 3 : 4) : (is_wide ? 6 : 8);
  values.blocks_per_multiprocessor = 2 * values.minimum_blocks;
}

// A group loads a segment of the expected length at a time, as far as a warp can, or a block where segments are long.
// Lanes for several times that length where segments are very short, so that few others are long for a group. Segments
// that may overlap are longer than their number says.
SegmentGroupsValues SegmentGroups::default_values(const Problem& problem, const DeviceLimits& limits) const {
  constexpr std::uint64_t long_segment = 512;
  SegmentGroupsValues values;
  values.set_defaults(problem, limits);
  values.prefetch = tiles::default_prefetch(limits);
  const auto items = static_cast<std::uint64_t>(values.items_per_thread);
  const std::uint64_t lanes = std::bit_ceil(std::min<std::uint64_t>(problem.row_length, long_segment) / items);
  values.threads_per_segment = std::clamp<std::int64_t>(static_cast<std::int64_t>(lanes), 4, row_groups::warp_lanes);
  if (problem.unordered_segments && is_fold_of_segments(problem)) values.threads_per_segment = row_groups::warp_lanes;
  if (problem.row_length >= long_segment) values.threads_per_segment = values.threads_per_block = 256;
  // If one unordered segment has half of 2^20 items of f32, the reduce takes 17 us with helpers and 550 us without.
  // With equal lengths, it takes 6 and 4 us. If one of 2^16 has half of them, it takes 8 and 19 us, and with equal
  // lengths 2.6 and 2.1 us. Segments in order have merge_path instead, which takes 13 and 7 us with one such segment
  // (H200, driver 580.159.04, 2026-11-28).
  constexpr std::uint64_t few_items = 1 << 15;
  if (is_fold_of_segments(problem) && problem.unordered_segments && problem.size > few_items) {
    set_helpers(problem, values);
  }
  const auto is_too_large = [&] { return !check(problem, values, limits).empty(); };
  while (values.minimum_blocks > 1 && is_too_large()) values.minimum_blocks /= 2;
  while (values.items_per_thread > 1 && is_too_large()) values.items_per_thread /= 2;
  return values;
}

// The kernel with helpers, and its queue.
void add_helpers(Recipe& recipe, const Problem& problem, const SegmentGroupsValues& values) {
  const std::int64_t item_bytes = static_cast<std::int64_t>(size_of(problem.input)), bytes = queue_bytes(problem);
  recipe.kernel = "kernel/reduce.segment_groups_shared.cuh";
  recipe.roles["grid/partial"] = "words_64";
  recipe.parameters += tiles::constant("u32", "blocks_per_helper", values.blocks_per_helper) +
                       tiles::constant("int", "piece_items", (values.piece_kibibytes << 10) / item_bytes) +
                       tiles::constant("u32", "queue_entries", queue_entries) +
                       tiles::constant("u32", "queue_places", queue_places) +
                       tiles::constant("u64", "queue_bytes", bytes);
  recipe.workspace = {
      .layout = fmt::format("segment_queue_{}", 64 * tiles::value_words(tiles::accumulator_layout(problem))),
      .slot_bytes = static_cast<std::uint64_t>(bytes),
      .one_slot = true};
}

std::vector<Recipe> SegmentGroups::steps(const Problem& problem, const SegmentGroupsValues& values) const {
  const bool folds = is_fold_of_segments(problem);
  Recipe recipe;
  recipe.kernel = folds ? "kernel/reduce.segment_groups.cuh" : "kernel/scan.segment_groups.cuh";
  recipe.roles["tile/prefetch"] = tiles::prefetch.name_of(values.prefetch);
  recipe.roles["algorithm/row_initial"] = entry_of(problem).has_initial ? "value" : "none";
  recipe.parameters = tiles::type_block(problem) +
                      tiles::constant("int", "threads_per_block", values.threads_per_block) +
                      tiles::constant("int", "items_per_thread", values.items_per_thread) +
                      tiles::constant("int", "minimum_blocks", values.minimum_blocks) +
                      tiles::constant("int", "threads_per_segment", values.threads_per_segment) +
                      // With helpers, more would take 12 registers more.
                      tiles::constant("int", "unrolled_rounds", values.blocks_per_helper > 0 ? 1 : 4);
  recipe.parameters += fmt::format(
      "\n// Whether the operator does not commute: items are combined in their order.\nconstexpr bool "
      "in_order = {};\n",
      !is_commutative(problem.op));
  recipe.launch.grid = GridRule::persistent;
  recipe.launch.threads_per_block = static_cast<int>(values.threads_per_block);
  // Of a reduce, segments count as items, too.
  recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.threads_per_block);
  recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
  if (values.blocks_per_helper > 0) add_helpers(recipe, problem, values);
  tiles::place_storage(recipe, shared_bytes(problem, values));
  return {recipe};
}

}  // namespace

const Schedule& segment_groups() {
  return *new const SegmentGroups;
}

}  // namespace upsweep
