// axis_blocks: each block folds panels of columns alone.
#include <algorithm>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/device_limits.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/axis_blocks.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/shape_defaults.hpp"

namespace upsweep {
namespace {

struct BlockShape {
  std::int64_t width, threads, rows;
};

// Items that take several rounds of all blocks.
bool has_many_items(const Problem& problem) {
  return problem.size * size_of(problem.input) >= std::uint64_t{64} << 20;
}

// Wide panels have longer pieces of rows, but there are fewer of them. A panel that is wider than a row has pieces of
// several axes. Rows of 16 units are wide; where rows begin within lines of 128 bytes, at least 12 units stand for the
// class of these (of_classes).
std::int64_t width_of_rows(const Problem& problem, std::uint64_t units, const DeviceLimits& limits) {
  constexpr std::int64_t most = 32, sectors = 4, wide = 12, wide_if_uneven = 16;
  const bool has_many = has_many_items(problem);
  const std::int64_t row_units = problem.inner / static_cast<std::uint64_t>(axis_panels::columns_of_bytes(problem, 16));
  const auto least_panels = [&](std::int64_t width) {
    return multiprocessors_of(limits) * (width <= (has_many ? 2 * sectors : sectors) ? 3 : has_many ? 6 : 16) / 8;
  };
  std::int64_t width = row_units >= (has_uneven_rows(problem) ? wide_if_uneven : wide) ? sectors : 1;
  while (width < most && width < std::max(row_units, sectors) &&
         units / static_cast<std::uint64_t>(2 * width) >= least_panels(2 * width)) {
    width *= 2;
  }
  return width;
}

// A thread folds a column of few rows alone, or a warp folds columns of some rows. At least 48 bytes stand for a class
// of rows of 64 bytes.
BlockShape shape_for_short_axes(const Problem& problem, std::uint64_t units, const DeviceLimits& limits) {
  constexpr std::uint64_t few_rows = 16, warp_columns = 128, narrow = 48;
  if (problem.row_length <= few_rows) {
    const std::int64_t threads = units / warp_columns < multiprocessors_of(limits) ? 32 : 128;
    return {threads, threads, 8};
  }
  if (!has_many_items(problem) || bytes_of(problem.inner, problem.input) < narrow) return {4, 32, 8};
  return size_of(problem.input) == 1 ? BlockShape{32, 128, 8} : BlockShape{64, 64, 8};
}

// Many columns of narrow rows, in a fast memory: in small blocks, fewer groups wait for each other. Items take so long
// (us) in blocks of 64 threads, and in those that were the default before (H200, driver 580.159.04, 2026-11-28):
//   i64 2^25  128 x 4  93, 122   256 x 4  68, 122   512 x 4  64, 111   1,024 x 4  64, 81   2,048 x 4  63, 67
//             128 x 8  92, 111   256 x 8  68, 110   512 x 8  64, 110   1,024 x 8  64, 83   2,048 x 8  63, 66
//   f32 2^26  128 x 4  69,  80   256 x 4  66,  81   512 x 4  67,  69   1,024 x 4  66, 66   2,048 x 4  74, 66
//             128 x 8  67,  68   256 x 8  66,  68   512 x 8  64,  64   1,024 x 8  64, 64   2,048 x 8  66, 63
bool suits_small_blocks(const Problem& problem, const DeviceLimits& limits) {
  const std::size_t item = size_of(problem.input);
  const std::uint64_t row = bytes_of(problem.inner, problem.input);
  return has_fast_memory(limits) && has_many_items(problem) &&
         ((item == 8 && row <= 64 && problem.row_length <= 2048) ||
          (item == 4 && row <= 32 && problem.row_length <= 256));
}

// One column per thread, so that more rows are under way (generator/axis_fold_defaults.cpp has the times).
BlockShape shape_for_single_columns(const Problem& problem) {
  constexpr std::uint64_t short_axis = 384, long_axis = 1536, long_axis_of_double_words = 6144;
  const std::size_t item = size_of(problem.input);
  const std::uint64_t length = problem.row_length;
  if (item == 8) return {32, length <= short_axis ? 128 : length < long_axis_of_double_words ? 256 : 512, 4};
  return {32, item == 4 && length >= long_axis ? 512 : 256, 4};
}

// Where there are fewer panels than multiprocessors, each thread loads all of its rows at a time, if a block has enough
// threads. Measured for 2^12 to 2^26 items of f32, and 2^26 of f64, f16 and i8, along axes of 4 to 4096 by 4, 16, 64
// and about 1000 (H100, driver 580.159.04, 2026-11-27).
BlockShape shape_of_block(const Problem& problem, std::int64_t columns_per_thread, const DeviceLimits& limits) {
  constexpr std::uint64_t short_axis = 64, less_long_axis = 256, long_axis = 1024;
  const std::uint64_t units = axis_panels::expected_columns(problem) / static_cast<std::uint64_t>(columns_per_thread);
  if (problem.row_length <= short_axis) return shape_for_short_axes(problem, units, limits);
  if (suits_small_blocks(problem, limits)) return {4, 64, 8};
  BlockShape shape = {width_of_rows(problem, units, limits), 256, 8};
  const std::uint64_t panels = units / static_cast<std::uint64_t>(shape.width);
  if (has_many_items(problem)) {
    if (panels < 4 * multiprocessors_of(limits)) {
      shape.threads = 512;
    } else if (size_of(problem.input) == 1) {
      shape.threads = problem.row_length <= long_axis ? 64 : 128;
    }
    return shape;
  }
  if (panels >= multiprocessors_of(limits)) {
    shape.threads = problem.row_length <= less_long_axis ? 128 : 256;
    return shape;
  }
  shape.threads = 32;
  while (shape.threads < 512 &&
         static_cast<std::uint64_t>(shape.threads / shape.width * shape.rows) < problem.row_length) {
    shape.threads *= 2;
  }
  return shape;
}

class ReduceAxisBlocks final : public axis_blocks::Schedule {
 public:
  ReduceAxisBlocks()
      : Schedule("axis_blocks",
                 "Each block folds panels of columns from their first rows to their last ones. Groups of its "
                 "threads have rows of the same columns, and the block folds what the groups have. No block "
                 "waits for another. The kernel needs no workspace.",
                 "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_fold_along_axis(problem); }
  // A few blocks would fold all items alone, each about 45 GB/s.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t most_items = 1 << 20, panel_bytes = 64, most_bytes = 64 << 20;
    const std::uint64_t columns = axis_panels::expected_columns(problem);
    const std::uint64_t panels = std::max<std::uint64_t>(bytes_of(columns, problem.input) / panel_bytes, 1);
    return problem.size <= most_items || bytes_of(problem.size, problem.input) / panels <= most_bytes;
  }

 protected:
  [[nodiscard]] axis_blocks::Values default_values(const Problem& problem, const DeviceLimits& limits) const override {
    constexpr std::uint64_t very_few_rows = 4;
    axis_blocks::Values values;
    values.set_defaults(problem, limits);
    values.prefetch = tiles::default_prefetch(limits);
    const bool has_single_columns = folds_single_columns(problem, limits);
    values.columns_per_thread = has_single_columns ? 1 : axis_panels::columns_of_bytes(problem, 16);
    const BlockShape shape = has_single_columns ? shape_for_single_columns(problem)
                                                : shape_of_block(problem, values.columns_per_thread, limits);
    values.panel_width = shape.width;
    values.threads_per_block = shape.threads;
    const std::int64_t rows = problem.row_length <= very_few_rows ? 4 : shape.rows;
    values.items_per_thread = axis_panels::rows_of_bytes(problem, values.columns_per_thread, 16 * rows);
    // Where there are many items, more blocks than run at a time, so that no multiprocessor is long without work before
    // the others.
    values.blocks_per_multiprocessor =
        std::min<std::int64_t>((has_many_items(problem) ? 8192 : 2048) / shape.threads, 64);
    const auto is_too_large = [&] { return !check(problem, values, limits).empty(); };
    while (values.threads_per_block > 256 && is_too_large()) values.threads_per_block /= 2;
    while (values.items_per_thread > 1 && is_too_large()) values.items_per_thread /= 2;
    while (values.threads_per_block > 32 && is_too_large()) {
      values.threads_per_block /= 2;
      values.panel_width = std::min(values.panel_width, values.threads_per_block);
    }
    return values;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const axis_blocks::Values& values) const override {
    Recipe recipe = recipe_of(problem, values, "kernel/reduce.axis_blocks.cuh");
    recipe.parameters += fmt::format(
        "\n// Whether the operator does not commute: items are combined in their order.\nconstexpr bool "
        "in_order = {};\n",
        !is_commutative(problem.op));
    return {recipe};
  }
};

}  // namespace

const Schedule& reduce_axis_blocks() {
  return *new const ReduceAxisBlocks;
}

}  // namespace upsweep
