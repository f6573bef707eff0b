#include "generator/schedules/axis_panels.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "generator/shape.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep::axis_panels {

constinit const CountParameter columns_per_thread{
    "columns_per_thread",
    "Number of neighbouring columns that each thread takes. Their items of one row are loaded as one vector where the "
    "array is aligned for it. Otherwise each thread takes one column; with `axis_columns` it takes up to four, as many "
    "columns apart as a block has threads.",
    {1, 2, 4, 8, 16}};

constinit const CountParameter items_per_thread{"items_per_thread",
                                                "Number of rows of its columns that each thread loads at a time.",
                                                {1, 2, 4, 6, 8, 12, 16, 24, 32}};

constinit const CountParameter panel_width{
    "panel_width",
    "Number of neighbouring threads that have the columns of a panel. The other threads of the block have other rows "
    "of the same columns.",
    {1, 2, 4, 8, 16, 32, 64, 128}};

std::uint64_t expected_columns(const Problem& problem) noexcept {
  return std::max<std::uint64_t>(1, rows_of(problem, problem.size));
}

std::int64_t columns_of_bytes(const Problem& problem, std::int64_t bytes) {
  const auto size = static_cast<std::int64_t>(size_of(problem.input));
  if (16 % size != 0) return 1;
  return std::max<std::int64_t>(1, std::min<std::int64_t>(bytes, 16) / size);
}

std::int64_t rows_of_bytes(const Problem& problem, std::int64_t columns, std::int64_t bytes) {
  const std::int64_t row = columns * static_cast<std::int64_t>(size_of(problem.input));
  std::int64_t rows = 1;
  while (rows < 32 && 2 * rows * row <= bytes) rows *= 2;
  return rows;
}

tiles::Layout values_storage(const Problem& problem, const ColumnValues& values) {
  return tiles::array_of(tiles::accumulator_layout(problem), values.columns_per_thread * values.threads_per_block);
}

std::vector<std::string> violations(const Problem& problem, const ColumnValues& values, const DeviceLimits& limits,
                                    std::int64_t shared_bytes, const char* shared_bytes_from) {
  // Items as they were loaded, three values per column, and about 32 registers of addresses and counters.
  const auto words_of = [](std::int64_t bytes) { return (bytes + 3) / 4; };
  const auto size = static_cast<std::int64_t>(size_of(problem.input));
  const std::int64_t items = words_of(values.columns_per_thread * size) * values.items_per_thread;
  const std::int64_t folds =
      3 * values.columns_per_thread * words_of(static_cast<std::int64_t>(size_of(problem.accumulator)));
  std::vector<std::string> found =
      tiles::block_violations(limits, {.threads = values.threads_per_block,
                                       .blocks = values.minimum_blocks,
                                       .shared_bytes = shared_bytes,
                                       .registers = items + folds + 32,
                                       .shared_bytes_from = shared_bytes_from,
                                       .items_from = "items_per_thread or columns_per_thread"});
  if (values.columns_per_thread > 1 && 16 % (values.columns_per_thread * size) != 0) {
    found.push_back(fmt::format(
        "columns: {} columns of {} bytes do not fill a vector of at most 16 bytes; use columns_per_thread={}",
        values.columns_per_thread, size, columns_of_bytes(problem, 16)));
  }
  return found;
}

void check_width(std::vector<std::string>& violations, const char* parameter, std::int64_t width,
                 const ColumnValues& values) {
  if (width <= values.threads_per_block) return;
  violations.push_back(fmt::format("width: {}={} is more than the {} threads of a block; use {} or less", parameter,
                                   width, values.threads_per_block, values.threads_per_block));
}

std::vector<Constraint> constraints(const std::string& capability) {
  std::vector<Constraint> all = tiles::block_constraints();
  all.push_back(capability_constraint(capability));
  all.push_back({"columns",
                 "The items of `columns_per_thread` columns in a row have 1, 2, 4, 8 or 16 bytes, or "
                 "`columns_per_thread` is 1."});
  return all;
}

Constraint width_constraint() {
  return {"width", "Panels are at most as wide as a block has threads."};
}

Recipe recipe(const Problem& problem, const ColumnValues& values, const char* kernel) {
  Recipe recipe;
  recipe.kernel = kernel;
  recipe.parameters = tiles::type_block(problem) +
                      tiles::constant("int", "threads_per_block", values.threads_per_block) +
                      tiles::constant("int", "items_per_thread", values.items_per_thread) +
                      tiles::constant("int", "columns_per_thread", values.columns_per_thread) +
                      tiles::constant("int", "minimum_blocks", values.minimum_blocks);
  recipe.launch.grid = GridRule::persistent;
  recipe.launch.threads_per_block = static_cast<int>(values.threads_per_block);
  recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
  return recipe;
}

}  // namespace upsweep::axis_panels
