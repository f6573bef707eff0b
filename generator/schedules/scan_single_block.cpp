// single_block and cluster: one block, or neighbouring blocks that see each other's shared memory, scan tile after
// tile. For small n.
#include <algorithm>
#include <bit>

#include "generator/algorithm.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_parameters.hpp"

namespace upsweep {
namespace {

class ScanSingleBlock : public Schedule {
 public:
  [[nodiscard]] std::string_view name() const override { return "single_block"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "One block scans one tile after the other and carries the running total from tile to tile. The kernel needs "
           "no workspace. This schedule is meant for small n.";
  }
  [[nodiscard]] std::string_view source() const override {
    return "Harris, Sengupta and Owens, \"Parallel Prefix Sum (Scan) with CUDA\", GPU Gems 3, 2007, section 39.2";
  }
  [[nodiscard]] bool supports(const Problem& problem) const override { return is_scanned(problem); }

  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    return {tiles::threads_per_block(),
            tiles::items_per_thread(),
            tiles::load(),
            tiles::store(problem),
            tiles::warp_scan(),
            tiles::block_scan(),
            tiles::count("minimum_blocks",
                         "Number of blocks that each multiprocessor must be able to hold at once: the second argument "
                         "of `__launch_bounds__`. Only 1 is useful, because each block of this schedule has a "
                         "multiprocessor to itself.",
                         {1}),
            tiles::prefetch()};
  }

  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    const std::int64_t items = tiles::items_for_bytes(problem, 64);
    Config config{.schedule = "single_block",
                  .values = {{"threads_per_block", fitting_threads(problem, problem.size, items)},
                             {"items_per_thread", items},
                             {"minimum_blocks", 1},
                             {"warp_scan", "kogge_stone"},
                             {"block_scan", "warp_scans"},
                             {"prefetch", limits.compute_capability >= 90 ? "bulk" : "none"}}};
    tiles::set_default_access(config, problem);
    return config;
  }

  [[nodiscard]] std::vector<std::string> own_violations(const Problem& problem, const Config& config,
                                                        const DeviceLimits& limits) const override {
    std::vector<std::string> violations =
        tiles::resource_violations(problem, config, limits, storage(problem, config).size);
    tiles::check_access(violations, problem, config);
    tiles::check_prefetch(violations, config, limits);
    return violations;
  }

  [[nodiscard]] std::vector<Constraint> own_constraints(const Problem&) const override {
    std::vector<Constraint> constraints = tiles::block_constraints();
    constraints.push_back(tiles::vector_constraint());
    constraints.push_back(tiles::capability_constraint("`prefetch=bulk` needs compute capability 9.0."));
    return constraints;
  }

  [[nodiscard]] bool suits(const Problem& problem) const override {
    return problem.size <= tiles::most_items_of_few_blocks;
  }

  [[nodiscard]] bool fixed_association(const Config&) const override { return true; }

  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = tiles::scan_recipe(problem, config);
    recipe.kernel = "kernel/scan.single_block.cuh";
    recipe.roles["tile/prefetch"] = config.name("prefetch");
    recipe.launch.grid = GridRule::one_block;
    tiles::place_storage(recipe, storage(problem, config).size);
    return recipe;
  }

 protected:
  // As few as have a place for each of `size` items, with so many items a thread.
  [[nodiscard]] static std::int64_t fitting_threads(const Problem& problem, std::uint64_t size, std::int64_t items) {
    constexpr std::uint64_t fewest = 64, most_bytes = 32 << 10;
    const std::uint64_t bytes =
        items * std::max<std::uint64_t>(tiles::local_layout(problem).size, size_of(problem.output));
    const std::uint64_t most = std::clamp<std::uint64_t>(std::bit_floor(most_bytes / bytes), fewest, 512);
    const std::uint64_t wanted = size / items + (size % items != 0 ? 1 : 0);
    return static_cast<std::int64_t>(std::bit_ceil(std::clamp(wanted, fewest, most)));
  }
  // SharedStorage of templates/kernel/scan.single_block.cuh.
  [[nodiscard]] virtual tiles::Layout storage(const Problem& problem, const Config& config) const {
    return tiles::scan_storage(problem, config);
  }
};

class ScanCluster final : public ScanSingleBlock {
 public:
  [[nodiscard]] std::string_view name() const override { return "cluster"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "One thread block cluster scans the input in rounds. In each round, each block scans one tile, and the "
           "blocks exchange their totals through distributed shared memory. This schedule is meant for small n.";
  }
  [[nodiscard]] std::string_view source() const override {
    return "NVIDIA, \"CUDA C++ Programming Guide\", sections \"Thread Block Clusters\" and \"Distributed Shared "
           "Memory\"";
  }

  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    std::vector<Parameter> parameters = ScanSingleBlock::own_parameters(problem);
    parameters.push_back(
        tiles::count("cluster_blocks",
                     "Number of blocks in the cluster. The portable maximum is 8; 16 is a non-portable cluster size.",
                     {2, 4, 8, 16}));
    return parameters;
  }

  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    Config config = ScanSingleBlock::own_defaults(problem, limits);
    config.schedule = "cluster";
    constexpr std::int64_t blocks = 8, most_items = 8 * 512;  // per item of a thread
    const std::int64_t thin = std::max<std::int64_t>(16 / static_cast<std::int64_t>(size_of(problem.input)), 1);
    if (problem.size <= static_cast<std::uint64_t>(most_items * thin)) {
      config.values["items_per_thread"] = thin;
      config.values["load"] = tiles::plain_access(problem.input, config);
      if (!is_compact(problem)) config.values["store"] = tiles::plain_access(problem.output, config);
    }
    const std::uint64_t share = (problem.size + blocks - 1) / blocks;
    config.values["threads_per_block"] = fitting_threads(problem, share, config.integer("items_per_thread"));
    config.values["cluster_blocks"] = blocks;
    return config;
  }

  [[nodiscard]] std::vector<std::string> own_violations(const Problem& problem, const Config& config,
                                                        const DeviceLimits& limits) const override {
    std::vector<std::string> violations = ScanSingleBlock::own_violations(problem, config, limits);
    if (limits.compute_capability < 90) {
      violations.emplace_back(
          "compute capability: the schedule cluster needs 9.0 or higher; use the schedule single_block");
    }
    return violations;
  }

  [[nodiscard]] std::vector<Constraint> own_constraints(const Problem& problem) const override {
    std::vector<Constraint> constraints = ScanSingleBlock::own_constraints(problem);
    constraints.back().meaning = "Thread block clusters and `prefetch=bulk` need compute capability 9.0.";
    return constraints;
  }

  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = ScanSingleBlock::own_recipe(problem, config);
    recipe.kernel = "kernel/scan.cluster.cuh";
    recipe.launch.grid = GridRule::one_cluster;
    recipe.launch.cluster_blocks = static_cast<int>(config.integer("cluster_blocks"));
    recipe.parameters += tiles::constant("int", "cluster_blocks", config.integer("cluster_blocks"));
    return recipe;
  }

 protected:
  // SharedStorage of templates/kernel/scan.cluster.cuh.
  [[nodiscard]] tiles::Layout storage(const Problem& problem, const Config& config) const override {
    return tiles::struct_of(
        {tiles::scan_storage(problem, config),
         tiles::array_of(tiles::accumulator_layout(problem), 2 * config.integer("cluster_blocks"))});
  }
};

}  // namespace

const Schedule& scan_cluster() {
  static const auto& schedule = *new const ScanCluster;
  return schedule;
}

const Schedule& scan_single_block() {
  static const auto& schedule = *new const ScanSingleBlock;
  return schedule;
}

}  // namespace upsweep
