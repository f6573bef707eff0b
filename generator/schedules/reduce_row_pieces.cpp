// row_pieces: blocks fold pieces of long rows.
#include <algorithm>
#include <bit>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

constinit const CountParameter tiles_per_piece{
    "tiles_per_piece",
    "Number of tiles of `threads_per_block` x `items_per_thread` items in a piece of a row. Rows of at most one piece "
    "are not exchanged between blocks.",
    {1, 2, 4, 8, 16, 32, 64}};

struct RowPiecesValues : reduce_tiles::Values {
  std::int64_t blocks_per_multiprocessor = 8;
  std::int64_t tiles_per_piece = 4;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    visitor(values.tiles_per_piece, upsweep::tiles_per_piece);
    LaunchValues::visit(values, problem, visitor);
  }
};

// SharedStorage of templates/kernel/reduce.row_pieces.cuh.
std::int64_t shared_bytes(const Problem& problem, const RowPiecesValues& values) {
  return tiles::struct_of({reduce_tiles::accumulate_storage(problem, values),
                           reduce_tiles::reduce_storage(problem, values), tiles::Layout{}})
      .size;
}

// Whether some multiprocessors would have a piece more than others, and few enough for that to show.
bool has_few_pieces(const Problem& problem, const RowPiecesValues& values, const DeviceLimits& limits) {
  constexpr std::int64_t long_piece = 4;  // in tiles; there must be more of longer ones
  const auto multiprocessors = static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
  const std::uint64_t wanted = (values.tiles_per_piece > long_piece ? 3 : 2) * multiprocessors;
  return problem.size / static_cast<std::uint64_t>(values.tile_items() * values.tiles_per_piece) < wanted;
}

class ReduceRowPieces final : public DescribedSchedule<RowPiecesValues> {
 public:
  ReduceRowPieces()
      : DescribedSchedule("row_pieces",
                          "Each block folds pieces of rows and writes a partial result of each. The block that "
                          "finishes the last piece of a row folds the partial results of the row in their order. This "
                          "schedule is meant for long rows.",
                          "upsweep. The last block folds: NVIDIA, \"CUDA C++ Programming Guide\", section \"Memory "
                          "Fence Functions\" (sample threadFenceReduction)") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_fold_of_rows(problem); }
  // A block for each of many short rows takes many times as long as a few lanes.
  [[nodiscard]] bool suits(const Problem& problem) const override { return problem.row_length >= 256; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    return reduce_tiles::constraints();
  }

 protected:
  // Pieces of about 256 KiB, but shorter ones where there would be few for each multiprocessor. 2^26 items of i64 in
  // rows of 2^20 and 2^24 take 181 and 180 us in such pieces, and 188 and 183 us in those of 64 KiB; of f32 91.0 and
  // 90.7 us, and 92.3 and 91.3 us. With 16 items of i64 per thread, where
  // `minimum_blocks` allows the registers, 2^26 in rows of 2^20 take 173 us, and 2^20 in rows of 4,096 4.2 us instead
  // of 5.8 us (H100, driver 580.159.04, 2026-11-28).
  [[nodiscard]] RowPiecesValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    RowPiecesValues values{reduce_tiles::default_values(problem, limits)};
    // As many blocks as hold their items in registers without spills.
    constexpr std::uint64_t some_items = 1 << 20;
    const bool per_thread = values.accumulate == reduce_tiles::Accumulate::per_thread;
    if (per_thread && value_size(problem) <= 8) values.minimum_blocks = 4;
    if (per_thread && size_of(problem.input) == 8 && value_size(problem) == 8 && problem.size >= some_items) {
      values.items_per_thread = 16;
      values.minimum_blocks = 2;
    }
    constexpr std::int64_t piece_bytes = 256 << 10;
    const std::int64_t tile_bytes = values.tile_items() * static_cast<std::int64_t>(size_of(problem.input));
    values.tiles_per_piece =
        std::clamp<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(piece_bytes / tile_bytes)), 1, 16);
    while (values.tiles_per_piece > 1 && has_few_pieces(problem, values, limits)) values.tiles_per_piece /= 2;
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const RowPiecesValues& values,
                                               const DeviceLimits& limits) const override {
    return reduce_tiles::violations(problem, values, limits, shared_bytes(problem, values));
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const RowPiecesValues& values) const override {
    Recipe recipe = reduce_tiles::recipe(problem, values, shared_bytes(problem, values));
    recipe.kernel = "kernel/reduce.row_pieces.cuh";
    recipe.parameters += tiles::constant("int", "piece_items", values.tiles_per_piece * values.tile_items());
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
    // RowSlot of the template.
    const bool narrow = value_size(problem) <= 4;
    const std::uint32_t words = tiles::value_words(tiles::accumulator_layout(problem));
    recipe.roles["grid/partial"] = narrow ? "word_32" : "words_64";
    recipe.workspace = {.layout = "row_partials_" + std::to_string(narrow ? 32 : 64 * words),
                        .slot_bytes = narrow ? 12u : 16u * words + 8u,
                        .slot_per_tile = true};
    return {recipe};
  }
};

}  // namespace

const Schedule& reduce_row_pieces() {
  return *new const ReduceRowPieces;
}

}  // namespace upsweep
