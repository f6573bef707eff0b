// single_block and cluster: one block, or neighbouring blocks that see each other's shared memory, scan one tile after
// the other. For small n.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

constinit const CountParameter one_minimum_block{
    "minimum_blocks",
    "Number of blocks that each multiprocessor must be able to hold at once: the second argument of "
    "`__launch_bounds__`. Only 1 is useful, because each block of this schedule has a multiprocessor to itself.",
    {1}};

constinit const CountParameter cluster_blocks{
    "cluster_blocks",
    "Number of blocks in the cluster. The portable maximum is 8; 16 is a non-portable cluster size.",
    {2, 4, 8, 16}};

struct SingleBlockValues : tiles::ScanValues {
  template <typename Self, typename Visitor>
  static void visit_own(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.items_per_thread, tiles::items_per_thread);
    visitor(values.load, tiles::load);
    visitor(values.store, tiles::store(problem));
    visitor(values.warp_scan, tiles::warp_scan_of(problem));
    visitor(values.block_scan, tiles::block_scan);
    visitor(values.minimum_blocks, one_minimum_block);
    visitor(values.prefetch, tiles::prefetch);
  }
  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    LaunchValues::visit(values, problem, visitor);
  }
};

struct ClusterValues : SingleBlockValues {
  std::int64_t cluster_blocks = 8;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    visitor(values.cluster_blocks, upsweep::cluster_blocks);
    LaunchValues::visit(values, problem, visitor);
  }
};

// As few threads as hold all `size` items, with so many items per thread.
std::int64_t fitting_threads(const Problem& problem, std::uint64_t size, std::int64_t items) {
  constexpr std::uint64_t fewest = 64, most_bytes = 32 << 10;
  const std::uint64_t bytes =
      items * std::max<std::uint64_t>(tiles::local_layout(problem).size, size_of(problem.output));
  const std::uint64_t most = std::clamp<std::uint64_t>(std::bit_floor(most_bytes / bytes), fewest, 512);
  const std::uint64_t wanted = size / items + (size % items != 0 ? 1 : 0);
  return static_cast<std::int64_t>(std::bit_ceil(std::clamp(wanted, fewest, most)));
}

SingleBlockValues single_block_values(const Problem& problem, const DeviceLimits& limits) {
  SingleBlockValues values;
  values.set_defaults(problem, limits);
  values.items_per_thread = tiles::items_for_bytes(problem, 64);
  values.threads_per_block = fitting_threads(problem, problem.size, values.items_per_thread);
  values.prefetch = tiles::default_prefetch(limits);
  tiles::set_default_access(values, problem);
  return values;
}

// Both kernels know how many items are kept of all before they store the first tile.
void set_front(Recipe& recipe, const Problem& problem) {
  if (entry_of(problem).counts_first) recipe.roles["tile/front"] = "counted";
}

class ScanSingleBlock final : public DescribedSchedule<SingleBlockValues> {
 public:
  ScanSingleBlock()
      : DescribedSchedule("single_block",
                          "One block scans one tile after the other and carries the running total from tile to tile. "
                          "The kernel needs no workspace. This schedule is meant for small n.",
                          "Harris, Sengupta and Owens, \"Parallel Prefix Sum (Scan) with CUDA\", GPU Gems 3, 2007, "
                          "section 39.2") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scanned(problem); }
  [[nodiscard]] bool suits(const Problem& problem) const override {
    return problem.size <= tiles::most_items_of_few_blocks;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    return tiles::tile_constraints("`prefetch=bulk` needs compute capability 9.0.");
  }

 protected:
  [[nodiscard]] bool counts_itself() const override { return true; }
  [[nodiscard]] SingleBlockValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    return single_block_values(problem, limits);
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const SingleBlockValues& values,
                                               const DeviceLimits& limits) const override {
    return tiles::tile_violations(problem, values, limits, tiles::scan_storage(problem, values).size);
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const SingleBlockValues& values) const override {
    Recipe recipe = tiles::scan_recipe(problem, values);
    recipe.kernel = "kernel/scan.single_block.cuh";
    recipe.launch.grid = GridRule::one_block;
    set_front(recipe, problem);
    tiles::place_storage(recipe, tiles::scan_storage(problem, values).size);
    return {recipe};
  }
};

class ScanCluster final : public DescribedSchedule<ClusterValues> {
 public:
  ScanCluster()
      : DescribedSchedule("cluster",
                          "One thread block cluster scans the input in rounds. In each round, each block scans one "
                          "tile, and the blocks exchange their totals through distributed shared memory. This schedule "
                          "is meant for small n.",
                          "NVIDIA, \"CUDA C++ Programming Guide\", sections \"Thread Block Clusters\" and "
                          "\"Distributed Shared Memory\"") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scanned(problem); }
  [[nodiscard]] bool suits(const Problem& problem) const override {
    return problem.size <= tiles::most_items_of_few_blocks;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> all =
        tiles::tile_constraints("Thread block clusters and `prefetch=bulk` need compute capability 9.0.");
    all.push_back({"blocks per cluster",
                   "A cluster has at most as many blocks as the device allows: 8, or 16 on a whole "
                   "GPU of compute capability 9.0, 10.0 or 10.3."});
    return all;
  }

 protected:
  [[nodiscard]] bool counts_itself() const override { return true; }
  [[nodiscard]] ClusterValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    ClusterValues values{single_block_values(problem, limits)};
    const auto blocks = static_cast<std::uint64_t>(values.cluster_blocks);
    constexpr std::uint64_t most_threads = 8 * 512;
    const std::int64_t thin = std::max<std::int64_t>(16 / static_cast<std::int64_t>(size_of(problem.input)), 1);
    if (problem.size <= most_threads * static_cast<std::uint64_t>(thin)) {
      values.items_per_thread = thin;
      values.load = tiles::plain_access(problem.input, thin);
      // 2^12 items of i64 take 1.77 us on an H200, and 2.33 us by lookback.
      if (!is_compact(problem)) {
        values.store = size_of(problem.output) == 8 ? tiles::Access::direct : tiles::plain_access(problem.output, thin);
      }
    }
    values.threads_per_block = fitting_threads(problem, (problem.size + blocks - 1) / blocks, values.items_per_thread);
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const ClusterValues& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> found = tiles::tile_violations(problem, values, limits, shared_bytes(problem, values));
    if (limits.compute_capability < 90) {
      found.emplace_back("compute capability: the schedule cluster needs 9.0 or higher; use the schedule single_block");
    } else if (values.cluster_blocks > limits.blocks_per_cluster) {
      found.push_back(
          fmt::format("blocks per cluster: the config needs {}, but the device has {}; lower cluster_blocks",
                      values.cluster_blocks, limits.blocks_per_cluster));
    }
    return found;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const ClusterValues& values) const override {
    Recipe recipe = tiles::scan_recipe(problem, values);
    recipe.kernel = "kernel/scan.cluster.cuh";
    recipe.launch.grid = GridRule::one_cluster;
    set_front(recipe, problem);
    recipe.launch.cluster_blocks = static_cast<int>(values.cluster_blocks);
    tiles::place_storage(recipe, shared_bytes(problem, values));
    recipe.parameters += tiles::constant("int", "cluster_blocks", values.cluster_blocks);
    return {recipe};
  }

 private:
  // SharedStorage of templates/kernel/scan.cluster.cuh.
  [[nodiscard]] static std::int64_t shared_bytes(const Problem& problem, const ClusterValues& values) {
    return tiles::struct_of({tiles::scan_storage(problem, values),
                             tiles::array_of(tiles::accumulator_layout(problem), 2 * values.cluster_blocks)})
        .size;
  }
};

}  // namespace

const Schedule& scan_cluster() {
  return *new const ScanCluster;
}

const Schedule& scan_single_block() {
  return *new const ScanSingleBlock;
}

}  // namespace upsweep
