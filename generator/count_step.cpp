#include "generator/count_step.hpp"

#include <algorithm>

#include "generator/tile_access.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

// As many bytes in flight as reductions of middle sizes have (generator/schedules/reduce.cpp). No other shape was
// measured for counts: with this one, stable partitions of 2^28 items of i32 have 0.66 of memcpy's rate, of at most
// 0.67.
constexpr std::int64_t threads = 256;
constexpr std::int64_t bytes_per_thread = 64;
constexpr int blocks_per_multiprocessor = 4;

Recipe count_recipe(const Problem& problem) {
  tiles::TileValues values;
  values.threads_per_block = threads;
  values.items_per_thread =
      std::max<std::int64_t>(bytes_per_thread / static_cast<std::int64_t>(size_of(problem.input)), 1);
  const int vector_bytes = tiles::vector_bytes(problem.input, values.items_per_thread);
  Recipe recipe;
  recipe.kernel = "kernel/count.last_block.cuh";
  recipe.roles = {{"tile/load_striped", vector_bytes > 0 ? "vectorized" : "direct"}};
  recipe.parameters =
      tiles::parameter_block(problem, values) + tiles::constant("int", "load_vector_bytes", vector_bytes);
  tiles::set_tile(recipe, values);
  recipe.launch.grid = GridRule::persistent;
  recipe.launch.blocks_per_multiprocessor = blocks_per_multiprocessor;
  recipe.workspace.layout = "count";
  return recipe;
}

}  // namespace

void add_count(std::vector<Recipe>& steps, const Problem& problem, bool counts_itself) {
  if (!counts_itself) steps.insert(steps.begin(), count_recipe(problem));
  for (Recipe& step : steps) {
    step.scratch.push_back({.name = "total", .type = "u64", .item_bytes = sizeof(std::uint64_t), .items = 1});
  }
}

}  // namespace upsweep
