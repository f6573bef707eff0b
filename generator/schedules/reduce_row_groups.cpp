// row_groups: a group of threads folds each row.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/row_groups.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

using row_groups::warp_lanes;

struct RowGroupsValues : LaunchValues {
  std::int64_t threads_per_block = 256;
  std::int64_t threads_per_row = 32;
  std::int64_t loads_per_thread = 1;
  std::int64_t rows_per_group = 1;
  std::int64_t minimum_blocks = 1;
  std::int64_t blocks_per_multiprocessor = 8;
  tiles::Packing packing = tiles::Packing::single;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.threads_per_row, row_groups::threads_per_row);
    visitor(values.loads_per_thread, row_groups::loads_per_thread);
    visitor(values.rows_per_group, row_groups::rows_per_group);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    if (tiles::has_packing(problem)) visitor(values.packing, tiles::packing);
    LaunchValues::visit(values, problem, visitor);
  }
};

bool is_whole_block(const RowGroupsValues& values) {
  return values.threads_per_row > warp_lanes;
}

// vector_items of templates/thread/row_vectors.cuh.
std::int64_t vector_items(const Problem& problem) {
  return tiles::fills_vectors(problem.input) ? static_cast<std::int64_t>(16 / size_of(problem.input)) : 1;
}

// Vectors that each thread copies at a time of rows that begin within vectors: as much as is under way otherwise, but
// no more than blocks of all sizes have shared memory for.
std::int64_t staged_vectors(const RowGroupsValues& values) {
  constexpr std::int64_t most_vectors = 2048;
  return std::clamp<std::int64_t>(values.loads_per_thread * values.rows_per_group, 2,
                                  std::max<std::int64_t>(2, most_vectors / values.threads_per_block));
}

// SharedStorage of templates/kernel/reduce.row_groups.cuh.
std::int64_t shared_bytes(const Problem& problem, const RowGroupsValues& values) {
  const tiles::Layout tile{.size = 16 * (values.threads_per_block * staged_vectors(values) + 2), .alignment = 16};
  const tiles::Layout group = is_whole_block(values) ? tiles::array_of(tiles::accumulator_layout(problem),
                                                                       values.threads_per_block / warp_lanes)
                                                     : tiles::Layout{};
  return tiles::struct_of({tile, group}).size;
}

// How narrow items are folded.
const char* fold_of_words(const Problem& problem, const RowGroupsValues& values) {
  if (tiles::adds_bytes(problem)) return "bytes";
  return values.packing == tiles::Packing::packed_16x2 ? "packed_16x2" : "items";
}

// Registers of the items under way and of the folds.
std::int64_t registers(const Problem& problem, const RowGroupsValues& values) {
  const auto words_of = [](std::int64_t bytes) { return (bytes + 3) / 4; };
  const std::int64_t load = words_of(vector_items(problem) * static_cast<std::int64_t>(size_of(problem.input)));
  return values.rows_per_group *
             (values.loads_per_thread * load + words_of(static_cast<std::int64_t>(size_of(problem.accumulator)))) +
         24;
}

class ReduceRowGroups final : public DescribedSchedule<RowGroupsValues> {
 public:
  ReduceRowGroups()
      : DescribedSchedule("row_groups",
                          "A group of threads folds a row: one thread, several lanes of a warp, a warp, or a block. No "
                          "group waits for another. The kernel needs no workspace.",
                          "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_fold_of_rows(problem); }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = tiles::block_constraints();
    all.push_back(capability_constraint());
    all.push_back(row_groups::group_constraint("threads_per_row"));
    return all;
  }

 protected:
  [[nodiscard]] RowGroupsValues default_values(const Problem& problem, const DeviceLimits& limits) const override;
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const RowGroupsValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found =
        tiles::block_violations(limits, {.threads = values.threads_per_block,
                                         .blocks = values.minimum_blocks,
                                         .shared_bytes = shared_bytes(problem, values),
                                         .registers = registers(problem, values),
                                         .shared_bytes_from = "threads_per_block, loads_per_thread or rows_per_group",
                                         .items_from = "loads_per_thread or rows_per_group"});
    for (std::string& each :
         row_groups::group_violations("threads_per_row", values.threads_per_row, values.threads_per_block)) {
      found.push_back(std::move(each));
    }
    return found;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const RowGroupsValues& values) const override;
};

// A thread has about 64 bytes under way: of one row, or of several short ones. Where there are too few rows for all
// threads of the device, more threads fold each.
RowGroupsValues ReduceRowGroups::default_values(const Problem& problem, const DeviceLimits& limits) const {
  constexpr std::uint64_t loads_under_way = 4, threads_each = 1024;
  RowGroupsValues values;
  values.set_defaults(problem, limits);
  values.packing = tiles::default_packing(problem, limits);
  const auto items = static_cast<std::uint64_t>(vector_items(problem));
  const std::uint64_t vectors = std::max<std::uint64_t>(1, problem.row_length / items);  // whole ones
  const std::uint64_t rows = std::max<std::uint64_t>(1, rows_of(problem, problem.size));
  const std::uint64_t all_threads = threads_each * static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
  std::uint64_t threads = std::bit_ceil(std::min<std::uint64_t>(vectors, 4096)) / loads_under_way;
  threads = std::max<std::uint64_t>(threads, std::min<std::uint64_t>(vectors, 2));  // whole sectors of 32 bytes
  while (threads < vectors && threads < 256 && rows * std::max<std::uint64_t>(threads, 1) < all_threads) {
    threads = std::max<std::uint64_t>(threads * 2, 1);
  }
  threads = std::clamp<std::uint64_t>(threads, 1, 256);
  if (threads > warp_lanes) threads = rows * warp_lanes < all_threads || vectors >= 2048 ? 256 : warp_lanes;
  values.threads_per_row = static_cast<std::int64_t>(threads);
  // Of a longer row, about as many in each turn.
  const std::uint64_t turns = (vectors + threads * loads_under_way - 1) / (threads * loads_under_way);
  const std::uint64_t loads =
      std::clamp<std::uint64_t>((vectors + threads * turns - 1) / (threads * turns), 1, loads_under_way);
  values.loads_per_thread = static_cast<std::int64_t>(loads);
  values.rows_per_group = is_whole_block(values) ? 1 : static_cast<std::int64_t>(loads_under_way / loads);
  // As many blocks as hold their items in registers without spills.
  const std::size_t size = size_of(problem.input);
  const bool has_many_addresses = threads > 1 && values.rows_per_group == 4;
  values.minimum_blocks = size <= 4 && !has_many_addresses ? 4 : size <= 8 ? 3 : 1;
  while (values.minimum_blocks > 1 && !check(problem, values, limits).empty()) --values.minimum_blocks;
  return values;
}

std::vector<Recipe> ReduceRowGroups::steps(const Problem& problem, const RowGroupsValues& values) const {
  Recipe recipe;
  recipe.kernel = "kernel/reduce.row_groups.cuh";
  recipe.roles["block/reduce_group"] = is_whole_block(values) ? "block" : "warp";
  recipe.roles["thread/fold_words"] = fold_of_words(problem, values);
  recipe.roles["operator/packed_16x2"] = entry_of(problem.op).packed_16x2;
  recipe.parameters = tiles::type_block(problem) +
                      tiles::constant("int", "threads_per_block", values.threads_per_block) +
                      tiles::constant("int", "minimum_blocks", values.minimum_blocks) +
                      tiles::constant("int", "threads_per_row", values.threads_per_row) +
                      tiles::constant("int", "loads_per_thread", values.loads_per_thread) +
                      tiles::constant("int", "rows_per_group", values.rows_per_group) +
                      tiles::constant("int", "staged_vectors", staged_vectors(values));
  recipe.parameters += fmt::format(
      "\n// Whether the operator does not commute: items are combined in their order.\nconstexpr bool "
      "in_order = {};\n",
      !is_commutative(problem.op));
  recipe.launch.grid = GridRule::persistent;
  recipe.launch.threads_per_block = static_cast<int>(values.threads_per_block);
  // The fewest that a block takes at a time: rows of one item.
  recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.threads_per_block);
  recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
  tiles::place_storage(recipe, shared_bytes(problem, values));
  return {recipe};
}

}  // namespace

const Schedule& reduce_row_groups() {
  return *new const ReduceRowGroups;
}

}  // namespace upsweep
