// independent_tiles: each block computes one tile, which needs nothing of other tiles but the items beside it.
#include <algorithm>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

struct IndependentTilesValues : tiles::StoredTileValues {
  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.items_per_thread, tiles::items_per_thread);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
    visitor(values.load, tiles::load);
    visitor(values.store, tiles::store(problem));
    visitor(values.prefetch, tiles::prefetch);
    LaunchValues::visit(values, problem, visitor);
  }
};

// Who waits for each other between the exchange of a tile's items and that of its results, in the same memory.
struct Waits {
  bool block = false;
  bool warp = false;
};

Waits waits_of(const Problem& problem, const IndependentTilesValues& values) {
  using tiles::Access;
  const auto is_exchanged = [](Access access) {
    return access == Access::block_transpose || access == Access::warp_transpose;
  };
  if (!is_exchanged(values.load) || !is_exchanged(values.store)) return {};
  // Each warp has the same part of the memory for its items and for its results if these have one size.
  const bool by_warps = values.load == Access::warp_transpose && values.store == Access::warp_transpose &&
                        size_of(problem.input) == size_of(problem.output);
  return {.block = !by_warps, .warp = by_warps};
}

class IndependentTiles final : public DescribedSchedule<IndependentTilesValues> {
 public:
  IndependentTiles()
      : DescribedSchedule("independent_tiles",
                          "Each block computes one tile. It reads the items of the tile and those beside it, and waits "
                          "for no other block. The kernel needs no workspace.",
                          "upsweep") {}

  [[nodiscard]] bool supports(const Problem& problem) const override { return !is_folded(problem); }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    return tiles::tile_constraints("`prefetch=bulk` needs compute capability 9.0.");
  }

 protected:
  // About 64 bytes of items and of results per thread. Differences of 2^28 items take memcpy's time with them
  // (docs/measurements.md, "Partitions, differences and reverse scans").
  [[nodiscard]] IndependentTilesValues default_values(const Problem& problem,
                                                      const DeviceLimits& limits) const override {
    IndependentTilesValues values;
    values.set_defaults(problem, limits);
    const auto widest = static_cast<std::int64_t>(tiles::widest_size(problem));
    values.items_per_thread = std::clamp<std::int64_t>(64 / widest, 4, 16);
    values.prefetch = tiles::default_prefetch(limits);
    tiles::set_default_access(values, problem);
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const IndependentTilesValues& values,
                                               const DeviceLimits& limits) const override {
    return tiles::tile_violations(problem, values, limits, tiles::tile_exchange_storage(problem, values).size);
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const IndependentTilesValues& values) const override {
    Recipe recipe = tiles::tile_recipe(problem, values);
    recipe.kernel = "kernel/transform.tiles.cuh";
    recipe.launch.grid = GridRule::block_per_tile;
    const Waits waits = waits_of(problem, values);
    recipe.parameters += fmt::format(
        "\n// Whether results are exchanged where items of other threads of the block, or of the warp, were.\n"
        "constexpr bool block_exchanges_twice = {};\nconstexpr bool warp_exchanges_twice = {};\n",
        waits.block, waits.warp);
    tiles::place_storage(recipe, tiles::tile_exchange_storage(problem, values).size);
    return {recipe};
  }
};

}  // namespace

const Schedule& independent_tiles() {
  return *new const IndependentTiles;
}

}  // namespace upsweep
