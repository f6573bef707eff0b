#include "generator/schedules/scan_tiles.hpp"

#include <algorithm>

#include "generator/tile_access.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/value_type.hpp"

namespace upsweep::scan_tiles {
namespace {

// SharedStorage of templates/kernel/scan.tiles.cuh.
std::int64_t shared_bytes(const Problem& problem, const Values& values, std::int64_t warps) {
  return tiles::struct_of({tiles::scan_storage(problem, values), tiles::array_of_words(4, 2),
                           tiles::array_of(tiles::accumulator_layout(problem), warps)})
      .size;
}

}  // namespace

constinit const CountParameter delay_nanoseconds{
    "delay_nanoseconds",
    "Time, in nanoseconds, that a warp sleeps before each read of the descriptors of other tiles. With a longer "
    "sleep, polling takes less memory bandwidth.",
    {0, 20, 50, 100, 200, 400, 800},
    0};

Values default_values(const Problem& problem, const DeviceLimits& limits) {
  // A tile of results is at most 32 KiB, whatever they are widened to.
  constexpr std::size_t most_bytes = (32 << 10) / 256;
  Values values;
  values.set_defaults(problem, limits);
  values.items_per_thread =
      std::min(tiles::items_for_bytes(problem, 64), static_cast<std::int64_t>(most_bytes / size_of(problem.output)));
  if (is_compact(problem)) values.store = tiles::Access::two_phase;
  values.prefetch = tiles::default_prefetch(limits);
  return values;
}

std::vector<std::string> violations(const Problem& problem, const Values& values, const DeviceLimits& limits,
                                    std::int64_t warps) {
  return tiles::tile_violations(problem, values, limits, shared_bytes(problem, values, warps));
}

Recipe recipe(const Problem& problem, const Values& values, std::int64_t warps) {
  Recipe recipe = tiles::scan_recipe(problem, values);
  recipe.kernel = "kernel/scan.tiles.cuh";
  recipe.launch.grid = GridRule::block_per_tile;
  tiles::place_descriptors(recipe, tiles::accumulator_layout(problem), values.descriptor, "one_ticket", true);
  recipe.parameters += tiles::constant("u32", "delay_nanoseconds", values.delay_nanoseconds);
  tiles::place_storage(recipe, shared_bytes(problem, values, warps));
  return recipe;
}

}  // namespace upsweep::scan_tiles
