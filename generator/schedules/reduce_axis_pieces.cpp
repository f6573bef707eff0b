// axis_pieces: blocks fold pieces of panels of columns.
#include <algorithm>

#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

constinit const CountParameter rows_per_thread{
    "rows_per_thread",
    "Number of rows of its columns that each thread folds of a piece. Columns of at most one piece are not exchanged "
    "between blocks.",
    {8, 16, 32, 64, 128, 256, 512, 1024}};

struct AxisPiecesValues : axis_panels::ColumnValues {
  std::int64_t panel_width = 32;
  std::int64_t rows_per_thread = 128;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_columns(values, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    visitor(values.panel_width, axis_panels::panel_width);
    visitor(values.rows_per_thread, upsweep::rows_per_thread);
    LaunchValues::visit(values, problem, visitor);
  }

  // Of a piece, at least.
  [[nodiscard]] std::int64_t least_rows() const {
    return std::max<std::int64_t>(threads_per_block / panel_width, 1) * rows_per_thread;
  }
};

// SharedStorage of templates/kernel/reduce.axis_pieces.cuh.
std::int64_t shared_bytes(const Problem& problem, const AxisPiecesValues& values) {
  return tiles::struct_of({axis_panels::values_storage(problem, values), tiles::Layout{}}).size;
}

// Items of 1 and 2 bytes take more instructions per byte, so a panel is narrow and pieces are long. 2^26 of i8 along
// axes of 2^16 x 1024 take 46 us so and 109 us otherwise, of f16 58 and 73 us (H100, driver 580.159.04, 2026-11-27).
void take_long_pieces(const Problem& problem, AxisPiecesValues& values) {
  values.threads_per_block = 128;
  values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 128);
  values.panel_width = 16;
  values.rows_per_thread = 256;
  values.blocks_per_multiprocessor = 24;
}

class ReduceAxisPieces final : public DescribedSchedule<AxisPiecesValues> {
 public:
  ReduceAxisPieces()
      : DescribedSchedule("axis_pieces",
                          "Each block folds pieces of panels of columns and writes the partial results. The block that "
                          "finishes the last piece of a panel folds its partial results in their order.",
                          "upsweep. The last block folds: NVIDIA, \"CUDA C++ Programming Guide\", section \"Memory "
                          "Fence Functions\" (sample threadFenceReduction)") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_fold_along_axis(problem); }
  [[nodiscard]] std::string_view tile_unit() const noexcept override { return "row"; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = axis_panels::constraints();
    all.push_back(axis_panels::width_constraint());
    all.push_back({"rows", "`rows_per_thread` is at least `items_per_thread`."});
    return all;
  }

 protected:
  // About 64 bytes of each thread under way, and at least three pieces for each multiprocessor: each piece more is one
  // partial result more for the last block. Panels of many parts of the array, with a few items of a row each, take
  // longer, and have four: 4,096 x 4,096 x 4 items of f32 take 122 us so, and 145 us otherwise (H100, driver
  // 580.159.04, 2026-11-26).
  [[nodiscard]] AxisPiecesValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    AxisPiecesValues values;
    values.set_defaults(problem, limits);
    values.columns_per_thread = axis_panels::columns_of_bytes(problem, 16);
    values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 64);
    const bool has_small_items = size_of(problem.input) < 4;
    if (has_small_items) take_long_pieces(problem, values);
    values.minimum_blocks = 3;
    while (values.minimum_blocks > 1 && !check(problem, values, limits).empty()) --values.minimum_blocks;
    constexpr std::uint64_t few_behind = 16, few_parts = 8;
    const std::uint64_t inner = inner_of(problem, problem.size);
    const bool has_scattered_rows = inner <= few_behind && rows_of(problem, problem.size) / inner > few_parts;
    const auto multiprocessors = static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
    const std::uint64_t wanted =
        has_small_items ? multiprocessors * 3 / 4 : (has_scattered_rows ? 4 : 3) * multiprocessors;
    const auto pieces = [&] {
      return problem.size /
             static_cast<std::uint64_t>(values.threads_per_block * values.columns_per_thread * values.rows_per_thread);
    };
    const std::int64_t least_rows = std::max<std::int64_t>(values.items_per_thread, 8);
    while (values.rows_per_thread > least_rows && pieces() < wanted) values.rows_per_thread /= 2;
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const AxisPiecesValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found = axis_panels::violations(problem, values, limits, shared_bytes(problem, values));
    axis_panels::check_width(found, "panel_width", values.panel_width, values);
    if (values.rows_per_thread < values.items_per_thread) {
      found.push_back(fmt::format("rows: rows_per_thread={} is less than items_per_thread={}; use at least so many",
                                  values.rows_per_thread, values.items_per_thread));
    }
    return found;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const AxisPiecesValues& values) const override {
    Recipe recipe = axis_panels::recipe(problem, values, "kernel/reduce.axis_pieces.cuh");
    recipe.parameters += tiles::constant("int", "panel_width", values.panel_width) +
                         tiles::constant("int", "rows_per_thread", values.rows_per_thread);
    recipe.parameters += fmt::format(
        "\n// Whether the operator does not commute: items are combined in their order.\nconstexpr bool "
        "in_order = {};\n",
        !is_commutative(problem.op));
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.least_rows());
    tiles::place_storage(recipe, shared_bytes(problem, values));
    // PieceSlot of the template.
    const bool narrow = value_size(problem) <= 4;
    const std::uint32_t words = tiles::value_words(tiles::accumulator_layout(problem));
    recipe.roles["grid/partial"] = narrow ? "word_32" : "words_64";
    recipe.workspace = {.layout = "axis_partials_" + std::to_string(narrow ? 32 : 64 * words),
                        .slot_bytes = narrow ? 12u : 16u * words + 8u,
                        .slot_per_tile = true};
    return {recipe};
  }
};

}  // namespace

const Schedule& reduce_axis_pieces() {
  return *new const ReduceAxisPieces;
}

}  // namespace upsweep
