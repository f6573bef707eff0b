// segment_pieces: blocks that take shares of the items, specialised warps, bulk copies several stages deep.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/lookahead_ring.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/stage_ports.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

using lookahead::Emit;
using lookahead::Fill;
using lookahead::Shape;

constexpr std::int64_t warp_size = 32;

constinit const CountParameter shares_per_block{
    "shares_per_block",
    "Number of small shares for each block, at most. The first shares of all blocks are together a third of the tiles. "
    "Then blocks take small shares one after the other, and those that are fast take more than others.",
    {1, 4, 8, 12, 16, 24, 32},
    32};

struct SegmentPiecesValues : LaunchValues {
  Shape shape;
  std::int64_t blocks_per_multiprocessor = 1;
  std::int64_t shares_per_block = 32;
  Fill fill = Fill::async;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.shape.worker_warps, lookahead::worker_warps);
    visitor(values.shape.vectors_per_thread, lookahead::vectors_per_thread);
    visitor(values.shape.stages, lookahead::stages);
    visitor(values.shape.reduce_ahead, lookahead::reduce_ahead);
    visitor(values.shape.filler_warps, lookahead::filler_warps);
    visitor(values.blocks_per_multiprocessor, lookahead::blocks_per_multiprocessor);
    visitor(values.shares_per_block, upsweep::shares_per_block);
    visitor(values.fill, lookahead::fill);
    LaunchValues::visit(values, problem, visitor);
  }
  [[nodiscard]] std::int64_t warps() const { return shape.worker_warps + 1 + shape.filler_warps; }
};

// PiecesStorage of templates/kernel/reduce.segment_pieces.cuh, with as many claims.
std::int64_t shared_bytes(const Problem& problem, const SegmentPiecesValues& values) {
  Shape ring = values.shape;
  ring.filler_warps = 0;
  constexpr std::int64_t alignment = 128, shares_ahead = 4, most_taken = 128;
  const std::int64_t claims = values.shape.stages + values.shape.filler_warps + shares_ahead + 1;
  return tiles::struct_of({tiles::Layout{lookahead::shared_bytes(problem, ring, Emit::vectorized), alignment},
                           tiles::array_of(tiles::local_layout(problem), values.warps()),
                           tiles::array_of_words(8, claims + 1), tiles::array_of_words(4, claims),
                           tiles::array_of_words(4, most_taken + most_taken / warp_size + 3),
                           lookahead::samples_layout()})
      .size;
}

class ReduceSegmentPieces final : public DescribedSchedule<SegmentPiecesValues> {
 public:
  ReduceSegmentPieces()
      : DescribedSchedule(
            "segment_pieces",
            "Persistent blocks with specialised warps. Each block takes shares of the tiles, one after the other, so "
            "that blocks with many ends of segments take fewer. Filler warps take turns at copying tiles into a ring "
            "buffer in shared memory and at marking where segments begin. Worker warps fold "
            "each tile and write the results of the segments that end in it. At its end, a block completes the "
            "segments that began in earlier shares, by a look-back over their totals.",
            "upsweep (docs/algorithms.md, \"Segments\")") {}

  [[nodiscard]] bool supports(const Problem& problem) const override {
    return is_fold_of_segments(problem) && !problem.unordered_segments && stage_ports::are_supported(problem);
  }
  [[nodiscard]] bool suits(const Problem& problem) const override {
    return input_bytes(problem, problem.size) >= (std::uint64_t{1} << 18);
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = tiles::block_constraints();
    all.push_back(capability_constraint(
        "The schedule needs compute capability 8.0, because it uses asynchronous copies. `fill=bulk` and "
        "`fill=bulk_once` need compute capability 9.0."));
    all.push_back({"stages",
                   "`stages` is at least `reduce_ahead` + 2, and at least `filler_warps`: as many warps take turns at "
                   "the stages."});
    return all;
  }

 protected:
  // Large tiles are faster where there are many items: between events, which is about 8 us more than `upsweep bench`
  // shows, 2^26 items of f32 take 138, 121 and 116 us in segments of 16, 64 and 1,000 with the large shape, and 143,
  // 125 and 119 us with the other one. Where segments are short, one filler more helps: in segments of 4 and 8, 189 and
  // 149 us instead of 193 and 153 us (H100, driver 580.159.04, 2026-11-27). The cache gives items up first with
  // `fill=bulk_once`, and more shares are better balanced. With `bulk_once` and 32 shares, with 16, with `bulk` and 32,
  // and with 16, segments of 4 take 165, 166, 185 and 180 us, of 16 118, 119, 124 and 123 us, of lengths by a power law
  // with a mean of 64 110, 112, 119 and 122 us, and 2^24 items in segments of 16 38, 38, 43 and 41 us (2026-11-28).
  [[nodiscard]] SegmentPiecesValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    SegmentPiecesValues values;
    values.set_defaults(problem, limits);
    values.fill = limits.compute_capability >= 90 ? Fill::bulk_once : Fill::async;
    constexpr std::uint64_t short_segment = 12, large = 48 << 20;
    const bool is_large = input_bytes(problem, problem.size) >= large;
    values.shape = is_large ? Shape{12, 7, 5, 1} : Shape{12, 5, 7, 1};
    values.shape.filler_warps = problem.row_length < short_segment ? 4 : 3;
    const auto is_invalid = [&] { return !check(problem, values, limits).empty(); };
    while (values.shape.stages > 3 && is_invalid()) --values.shape.stages;
    values.shape.filler_warps = std::min(values.shape.filler_warps, values.shape.stages);
    while (values.shape.worker_warps > 2 && is_invalid()) values.shape.worker_warps -= 2;
    while (values.shape.vectors_per_thread > 1 && is_invalid()) values.shape.vectors_per_thread -= 2;
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const SegmentPiecesValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> violations =
        tiles::block_violations(limits, {.threads = values.warps() * warp_size,
                                         .blocks = values.blocks_per_multiprocessor,
                                         .shared_bytes = shared_bytes(problem, values),
                                         .registers = lookahead::registers(problem, values.shape, Emit::vectorized),
                                         .threads_from = "worker_warps",
                                         .blocks_from = "blocks_per_multiprocessor",
                                         .shared_bytes_from = "worker_warps, vectors_per_thread or stages",
                                         .items_from = "vectors_per_thread, reduce_ahead"});
    if (limits.compute_capability < 80) {
      violations.push_back("compute capability: the schedule segment_pieces needs 8.0 or higher; use merge_path");
    }
    if (limits.compute_capability < 90 && values.fill != Fill::async) {
      violations.push_back(fmt::format("compute capability: fill={} needs 9.0 or higher; use fill=async",
                                       lookahead::fill.name_of(values.fill)));
    }
    const std::int64_t needed = std::max(values.shape.reduce_ahead + 2, values.shape.filler_warps);
    if (values.shape.stages < needed) {
      violations.push_back(fmt::format("stages: with reduce_ahead={} and filler_warps={}, stages must be {} or more",
                                       values.shape.reduce_ahead, values.shape.filler_warps, needed));
    }
    return violations;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const SegmentPiecesValues& values) const override {
    const bool is_bulk = values.fill != Fill::async;
    Recipe recipe;
    recipe.kernel = "kernel/reduce.segment_pieces.cuh";
    recipe.definitions = stage_ports::templates(problem);
    recipe.roles = {{"pipeline/fill", is_bulk ? "bulk" : "async"},
                    {"pipeline/bulk_load", values.fill == Fill::bulk_once ? "once" : "keep"},
                    {"pipeline/phase", is_bulk ? "suspend" : "poll"},
                    {"pipeline/store", "vectorized"},
                    {"pipeline/arrays", "ports"},
                    {"pipeline/stage", "ports"},
                    {"pipeline/results", "ports"},
                    {"pipeline/scan_and_store", "segment_ends"},
                    {"pipeline/fold_share", "segment_ends"},
                    {"pipeline/kept", "segment_ends"},
                    {"grid/partial", "words_64"}};
    recipe.parameters = tiles::type_block(problem, "Local") +
                        tiles::constant("int", "threads_per_block", values.warps() * warp_size) +
                        tiles::constant("int", "minimum_blocks", values.blocks_per_multiprocessor) +
                        tiles::constant("int", "worker_warps", values.shape.worker_warps) +
                        tiles::constant("int", "vectors_per_thread", values.shape.vectors_per_thread) +
                        tiles::constant("int", "stages", values.shape.stages) +
                        tiles::constant("int", "reduce_ahead", values.shape.reduce_ahead) +
                        tiles::constant("int", "filler_warps", values.shape.filler_warps) +
                        tiles::constant("int", "shares_per_block", values.shares_per_block) +
                        "\n// Whether results wait where a tile's items were, to be stored.\n"
                        "constexpr bool results_in_stage = false;\n";
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
    recipe.launch.threads_per_block = static_cast<int>(values.warps() * warp_size);
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.shape.tile_items(problem));
    // Two descriptors for each share, as templates/grid/segment_lookback.cuh has them.
    tiles::place_descriptors(recipe, tiles::accumulator_layout(problem), tiles::Descriptor::packed, "segment_pieces",
                             false);
    recipe.workspace.layout += fmt::format("_{}", values.shares_per_block);
    recipe.workspace.slot_bytes *= 2 * (static_cast<std::uint64_t>(values.shares_per_block) + 1);
    recipe.workspace.slots_of_whole_grid = true;
    tiles::place_storage(recipe, shared_bytes(problem, values));
    return {recipe};
  }
};

}  // namespace

const Schedule& reduce_segment_pieces() {
  return *new const ReduceSegmentPieces;
}

}  // namespace upsweep
