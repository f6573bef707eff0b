// row_groups: a group of threads scans each row.
#include <algorithm>
#include <bit>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
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

struct ScanRowGroupsValues : LaunchValues {
  std::int64_t threads_per_block = 256;
  std::int64_t threads_per_row = 32;
  std::int64_t loads_per_thread = 1;
  std::int64_t rows_per_group = 1;
  std::int64_t minimum_blocks = 1;
  std::int64_t blocks_per_multiprocessor = 8;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.threads_per_row, row_groups::threads_per_row);
    visitor(values.loads_per_thread, row_groups::loads_per_thread);
    visitor(values.rows_per_group, row_groups::rows_per_group);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    LaunchValues::visit(values, problem, visitor);
  }
};

bool scans_by_block(const ScanRowGroupsValues& values) {
  return values.threads_per_row > row_groups::warp_lanes;
}

// vector_items of templates/thread/row_vectors.cuh.
std::int64_t items_of_vector(const Problem& problem) {
  return tiles::fills_vectors(problem.input) ? static_cast<std::int64_t>(16 / size_of(problem.input)) : 1;
}

// SharedStorage of templates/kernel/scan.row_groups.cuh.
std::int64_t storage_bytes(const Problem& problem, const ScanRowGroupsValues& values) {
  if (!scans_by_block(values)) return 1;  // an empty struct
  return tiles::struct_of({tiles::array_of(problem.accumulator, values.threads_per_block / row_groups::warp_lanes)})
      .size;
}

// Registers of the vectors under way, and of the folds of one row's items.
std::int64_t registers_of(const Problem& problem, const ScanRowGroupsValues& values) {
  const auto words_of = [](std::int64_t bytes) { return (bytes + 3) / 4; };
  const std::int64_t items = values.loads_per_thread * items_of_vector(problem);
  return values.rows_per_group * words_of(items * static_cast<std::int64_t>(size_of(problem.input))) +
         items * words_of(static_cast<std::int64_t>(size_of(problem.accumulator))) + 24;
}

class ScanRowGroups final : public DescribedSchedule<ScanRowGroupsValues> {
 public:
  ScanRowGroups()
      : DescribedSchedule("row_groups",
                          "A group of threads scans a row: one thread, several lanes of a warp, a warp, or a block. A "
                          "row that is longer than the group has room for is scanned part by part. No group waits for "
                          "another. The kernel needs no workspace. This schedule is meant for many rows.",
                          "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return has_row_begins(problem); }
  // One group would scan one row of all items alone.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t least_rows = 16;
    return rows_of(problem, problem.size) >= least_rows;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all = tiles::block_constraints();
    all.push_back(capability_constraint());
    all.push_back(row_groups::group_constraint("threads_per_row"));
    return all;
  }

 protected:
  [[nodiscard]] ScanRowGroupsValues default_values(const Problem& problem, const DeviceLimits& limits) const override;
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const ScanRowGroupsValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found =
        tiles::block_violations(limits, {.threads = values.threads_per_block,
                                         .blocks = values.minimum_blocks,
                                         .shared_bytes = storage_bytes(problem, values),
                                         .registers = registers_of(problem, values),
                                         .shared_bytes_from = "threads_per_block",
                                         .items_from = "loads_per_thread or rows_per_group"});
    for (std::string& each :
         row_groups::group_violations("threads_per_row", values.threads_per_row, values.threads_per_block)) {
      found.push_back(std::move(each));
    }
    return found;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const ScanRowGroupsValues& values) const override;
};

// A thread has a vector of a row at a time; of a longer row, a warp has one vector after the other, or a block where
// there are too few rows for all threads of the device. As many threads as there are registers for: 2^26 items of f32
// take 128 us in rows of 64 and 145 us in rows of 1000 with 1,920 threads per multiprocessor, and 156 us and 192 us
// with 512 and 1,024 threads that have four rows, or two vectors, each (H200, driver 580.159.04, 2026-11-26).
ScanRowGroupsValues ScanRowGroups::default_values(const Problem& problem, const DeviceLimits& limits) const {
  constexpr std::uint64_t threads_each = 1024;
  ScanRowGroupsValues values;
  values.set_defaults(problem, limits);
  const auto items = static_cast<std::uint64_t>(items_of_vector(problem));
  const std::uint64_t vectors = std::max<std::uint64_t>(1, problem.row_length / items);
  const std::uint64_t rows = std::max<std::uint64_t>(1, rows_of(problem, problem.size));
  const std::uint64_t all_threads = threads_each * static_cast<std::uint64_t>(std::max(limits.multiprocessors, 1));
  values.threads_per_row = static_cast<std::int64_t>(std::bit_ceil(std::min<std::uint64_t>(vectors, 32)));
  if (vectors > 256 && rows * 32 < all_threads) values.threads_per_row = values.threads_per_block;
  // As many as do not spill.
  const std::size_t size = size_of(problem.input);
  values.minimum_blocks = size == 1 ? 2 : size == 2 || value_size(problem) > 8 ? 4 : 6;
  while (values.minimum_blocks > 1 && !check(problem, values, limits).empty()) --values.minimum_blocks;
  values.blocks_per_multiprocessor = 16;
  return values;
}

std::vector<Recipe> ScanRowGroups::steps(const Problem& problem, const ScanRowGroupsValues& values) const {
  Recipe recipe;
  recipe.kernel = "kernel/scan.row_groups.cuh";
  recipe.roles["block/scan_group"] = scans_by_block(values) ? "block" : "warp";
  recipe.roles["algorithm/row_initial"] = entry_of(problem).has_initial ? "value" : "none";
  recipe.parameters = tiles::type_block(problem) +
                      tiles::constant("int", "threads_per_block", values.threads_per_block) +
                      tiles::constant("int", "minimum_blocks", values.minimum_blocks) +
                      tiles::constant("int", "threads_per_row", values.threads_per_row) +
                      tiles::constant("int", "loads_per_thread", values.loads_per_thread) +
                      tiles::constant("int", "rows_per_group", values.rows_per_group);
  recipe.parameters += "\n// A thread has neighbouring items.\nconstexpr bool in_order = true;\n";
  recipe.launch.grid = GridRule::persistent;
  recipe.launch.threads_per_block = static_cast<int>(values.threads_per_block);
  // The fewest that a block takes at a time: rows of one item.
  recipe.launch.items_per_tile = static_cast<std::uint64_t>(
      std::max<std::int64_t>(values.threads_per_block / values.threads_per_row * values.rows_per_group, 1));
  recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
  tiles::place_storage(recipe, storage_bytes(problem, values));
  return {recipe};
}

}  // namespace

const Schedule& scan_row_groups() {
  return *new const ScanRowGroups;
}

}  // namespace upsweep
