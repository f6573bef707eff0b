#include "generator/schedules/axis_blocks.hpp"

#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep::axis_blocks {
namespace {

// SharedStorage of templates/kernel/reduce.axis_blocks.cuh and templates/kernel/scan.axis_blocks.cuh.
std::int64_t shared_bytes(const Problem& problem, const Values& values) {
  return tiles::array_of(axis_panels::values_storage(problem, values), 2).size;
}

}  // namespace

std::vector<Constraint> Schedule::constraints(const Problem&) const {
  std::vector<Constraint> all = axis_panels::constraints("`prefetch=bulk` needs compute capability 9.0.");
  all.push_back(axis_panels::width_constraint());
  return all;
}

std::vector<std::string> Schedule::check(const Problem& problem, const Values& values,
                                         const DeviceLimits& limits) const {
  std::vector<std::string> found = axis_panels::violations(problem, values, limits, shared_bytes(problem, values));
  axis_panels::check_width(found, "panel_width", values.panel_width, values);
  tiles::check_prefetch(found, values.prefetch, limits);
  return found;
}

Recipe Schedule::recipe_of(const Problem& problem, const Values& values, const char* kernel) {
  Recipe recipe = axis_panels::recipe(problem, values, kernel);
  recipe.roles["tile/prefetch"] = tiles::prefetch.name_of(values.prefetch);
  recipe.parameters += tiles::constant("int", "panel_width", values.panel_width);
  recipe.launch.columns_per_vector = static_cast<int>(values.columns_per_thread);
  recipe.launch.columns_per_tile = static_cast<std::uint64_t>(values.panel_width * values.columns_per_thread);
  recipe.launch.items_per_tile =
      static_cast<std::uint64_t>(values.threads_per_block * values.items_per_thread * values.columns_per_thread);
  tiles::place_storage(recipe, shared_bytes(problem, values));
  return recipe;
}

}  // namespace upsweep::axis_blocks
