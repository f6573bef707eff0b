#include <upsweep/source.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <upsweep/error.hpp>
#include <upsweep/version.hpp>

#include "base/hash.hpp"
#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/arguments.hpp"
#include "generator/assemble.hpp"
#include "generator/definitions.hpp"
#include "generator/launch_tiles.hpp"
#include "generator/schedule.hpp"
#include "generator/shape.hpp"
#include "generator/space.hpp"
#include "generator/tile_ports.hpp"
#include "generator/workspace_parts.hpp"

namespace upsweep {
namespace {

// Which templates/operator/combine.*.cuh.
std::string fold_name(Fold fold) {
  constexpr std::array names{"value", "count", "counted", "flagged", "part_counts", "value"};
  return names[static_cast<std::size_t>(fold)];
}

// Which templates of how results are made and stored.
std::string emission_name(const Problem& problem) {
  if (entry_of(problem).emission == Emission::both_ends) return "both_ends";
  if (entry_of(problem).emission == Emission::parts) return "parts";
  return is_compact(problem) ? "compact" : has_plain_items(problem) ? "dense" : "dense_ports";
}

std::string describe(const LaunchRule& launch, std::string_view tile_unit) {
  const std::string blocks = launch.grid == GridRule::one_block ? "one block"
                             : launch.grid == GridRule::one_cluster
                                 ? fmt::format("one cluster of {} blocks", launch.cluster_blocks)
                             : launch.grid == GridRule::block_per_tile
                                 ? "one block per tile"
                                 : fmt::format("{} {} per multiprocessor", launch.blocks_per_multiprocessor,
                                               launch.blocks_per_multiprocessor == 1 ? "block" : "blocks");
  const std::string shared =
      launch.shared_bytes > 0 ? fmt::format(", {} bytes of dynamic shared memory", launch.shared_bytes) : "";
  const std::string extents =
      launch.row_columns > 0 ? fmt::format("; only for one array with {} items behind the axis", launch.row_columns)
                             : "";
  return fmt::format("{} of {} threads, tiles of {}{} {}s{}{}", blocks, launch.threads_per_block,
                     tile_unit == "item" ? "" : "about ", tile_extent(launch), tile_unit, shared, extents);
}

std::string describe(const WorkspaceRule& workspace) {
  if (workspace.layout.empty()) return "none";
  if (workspace.one_slot) {
    return fmt::format("{}: {} bytes, then {}", workspace.layout, WorkspaceRule::header_bytes, workspace.slot_bytes);
  }
  return fmt::format("{}: {} bytes, then {} per {}", workspace.layout, WorkspaceRule::header_bytes,
                     workspace.slot_bytes,
                     workspace.slots_of_whole_grid ? "block of as many as are ever launched"
                     : workspace.slot_per_tile     ? "tile"
                                                   : "block");
}

std::string describe(const std::vector<ScratchRule>& scratch) {
  std::string text;
  for (const ScratchRule& array : scratch) {
    text += fmt::format("// scratch: {}, {} bytes per item, {} items", array.name, array.item_bytes, array.items);
    if (array.items_per_multiprocessor > 0)
      text += fmt::format(", {} per multiprocessor", array.items_per_multiprocessor);
    if (array.call_items_per_item > 0) text += fmt::format(", one for each {} of the call", array.call_items_per_item);
    text += "\n";
  }
  return text;
}

std::string describe(const Config& config) {
  std::string text = config.schedule;
  for (const auto& [name, value] : config.values) text += fmt::format("\n//   {} {}", name, to_string(value));
  return text;
}

// What the problem adds to a schedule's recipe.
void complete_recipe(Recipe& recipe, const Problem& problem, const SourceOptions& options) {
  const AlgorithmEntry& entry = entry_of(problem);
  recipe.roles["algorithm/hooks"] =
      !entry.hooks.empty() ? entry.hooks : entry_of(entry.reverse_of.value_or(problem.algorithm)).name;
  recipe.definitions.merge(definitions_of(problem));
  recipe.definitions.merge(port_templates(problem));
  for (const char* role : {"tile/place", "tile/downsweep", "pipeline/scan_and_store"}) {
    recipe.roles.emplace(role, emission_name(problem));
  }
  if (entry_of(problem).emission == Emission::parts) {
    recipe.roles["tile/outputs"] = "parts";
    recipe.roles.emplace("tile/front", "scratch");  // unless the kernel counts
    recipe.roles["algorithm/parts"] = std::string(entry_of(problem).name);
  }
  recipe.roles["algorithm/row_pitch"] = has_pitch(problem) ? "given" : "none";
  recipe.roles["tile/inputs"] = has_plain_items(problem) ? "single" : "ports";
  for (const char* role : {"tile/results", "thread/load_vectors", "thread/results", "pipeline/order"}) {
    recipe.roles[role] = is_backward(problem) ? "backward" : "forward";
  }
  if (has_segment_begins(problem)) recipe.roles["tile/inputs"] = recipe.roles["tile/outputs"] = "segments";
  if (is_backward(problem)) recipe.roles["tile/place"] = recipe.roles["tile/inputs"] = "backward";
  // Sums with an error term: it is known what lanes with nothing before them can add.
  std::string& warp_scan = recipe.roles.emplace("warp/scan", "kogge_stone").first->second;
  if (is_compensated(problem) && warp_scan == "kogge_stone") warp_scan = "kogge_stone_select";
  if (options.segment_ends) {
    recipe.roles["algorithm/offsets"] = "pairs";
    if (is_dense(problem)) {
      recipe.roles["tile/segment_gaps"] = "bits";
      recipe.roles["tile/place"] = recipe.roles["tile/downsweep"] = recipe.roles["pipeline/scan_and_store"] =
          "dense_gaps";
    }
  }
  recipe.roles["algorithm/limits"] = options.limits ? "given" : has_segment_begins(problem) ? "segments" : "none";
  recipe.roles.emplace("operator/combine", fold_name(entry.fold));
  recipe.roles["operator/predicate"] = std::string(name(problem.op));
  recipe.roles.emplace("algorithm/start", has_initial_prefix(problem) ? "initial" : "none");
  recipe.parameters += fmt::format(
      "\n// Whether the first item has an exclusive prefix: the initial value.\nconstexpr bool has_initial = {};\n",
      has_initial_prefix(problem));
  recipe.parameters += fmt::format(
      "\n// Whether results may take the place of items that other tiles read: what tiles publish then orders their "
      "accesses.\nconstexpr bool results_replace_items = {};\n",
      may_replace_items(problem));
  recipe.parameters += arguments_definition(problem, options, recipe.scratch);
}

// `place`: the line that says which step it is; empty for the only one.
Source source_of(const Problem& problem, const Config& config, Recipe recipe, Target target,
                 const SourceOptions& options, const std::string& place) {
  if (recipe.scratch.size() > most_scratch_arrays) {
    throw Error(ErrorKind::internal, "a step has more arrays of scratch than its arguments hold: please report this");
  }
  complete_recipe(recipe, problem, options);
  const std::string body = assemble(recipe, target);
  Source source{.text = {},
                .entry = "upsweep_kernel",
                .key = {},
                .launch = recipe.launch,
                .workspace = recipe.workspace,
                .scratch = recipe.scratch,
                .arguments = arguments_of(problem, options, recipe.scratch)};
  const std::string_view unit = find_schedule(problem, config.schedule).tile_unit();
  const std::string header = fmt::format("// {}\n//\n// schedule {}\n//\n{}// launch: {}\n// workspace: {}\n{}",
                                         to_string(problem), describe(config), place, describe(recipe.launch, unit),
                                         describe(recipe.workspace), describe(recipe.scratch));
  source.key = base::hash(header + body);
  source.text = fmt::format("{}// generated by upsweep {}, key {}\n{}", header, generator_version(), source.key, body);
  return source;
}

}  // namespace

std::uint64_t LaunchRule::blocks(std::uint64_t n, int multiprocessors) const {
  if (grid == GridRule::one_cluster) return static_cast<std::uint64_t>(cluster_blocks);
  if (grid == GridRule::one_block || n == 0) return 1;
  const std::uint64_t tiles = n / items_per_tile + (n % items_per_tile != 0 ? 1 : 0);
  if (grid == GridRule::block_per_tile) return tiles;
  return std::min<std::uint64_t>(tiles, static_cast<std::uint64_t>(multiprocessors) * blocks_per_multiprocessor);
}

std::uint64_t LaunchRule::blocks_along_axis(std::uint64_t n, std::uint64_t columns, std::uint64_t inner,
                                            int multiprocessors) const {
  if (columns_per_tile == 0 || n == 0) return blocks(n, multiprocessors);
  const auto vector = static_cast<std::uint64_t>(columns_per_vector),
             most = static_cast<std::uint64_t>(multiprocessors);
  const std::uint64_t each = inner % vector == 0 ? columns_per_tile : columns_per_tile / vector;
  const std::uint64_t tiles = columns / each + (columns % each != 0 ? 1 : 0);
  const std::uint64_t wanted = std::max(tiles, std::min(blocks(n, multiprocessors), most));
  return std::min<std::uint64_t>(wanted, most * static_cast<std::uint64_t>(blocks_per_multiprocessor));
}

std::uint64_t WorkspaceRule::bytes(std::uint64_t slots) const {
  if (layout.empty()) return 0;
  return header_bytes + (slots * slot_bytes + header_bytes - 1) / header_bytes * header_bytes;
}

std::uint64_t Source::workspace_bytes(std::uint64_t n, int multiprocessors) const {
  // Where the input is not aligned, tiles that lie on the grid of addresses are one more.
  constexpr std::uint64_t any_size = std::uint64_t{1} << 62;
  if (workspace.one_slot) return workspace.bytes(1);
  if (workspace.slots_of_whole_grid) return workspace.bytes(launch.blocks(any_size, multiprocessors));
  const std::uint64_t slots =
      workspace.slot_per_tile ? n / launch.items_per_tile + 2 : launch.blocks(n, multiprocessors);
  return workspace.bytes(slots);
}

std::uint64_t ScratchRule::bytes(std::uint64_t n, int multiprocessors) const {
  std::uint64_t count = items + static_cast<std::uint64_t>(multiprocessors) * items_per_multiprocessor;
  if (call_items_per_item > 0) count += n / call_items_per_item + (n % call_items_per_item != 0 ? 1 : 0);
  constexpr std::uint64_t unit = WorkspaceRule::header_bytes;
  return (count * item_bytes + unit - 1) / unit * unit;
}

std::uint64_t workspace_bytes(std::span<const Source> steps, std::uint64_t n, int multiprocessors) {
  return WorkspaceParts(steps, multiprocessors).bytes(n);
}

std::vector<Source> generate_steps(const Problem& asked, const Config& config, Target target,
                                   const SourceOptions& options) {
  Problem problem = asked;
  problem.density = Density::unknown;  // as the size, it decides on the config alone
  problem.row_length = 0;              // likewise
  problem.inner = 0;
  problem.row_pitch = has_pitch(problem) ? 1 : 0;  // whichever it is
  if (options.scalars_in_memory && scalars(problem).empty()) {
    throw UsageError(
        fmt::format("the algorithm {} has no scalars that could be in device memory, such as an initial "
                    "value",
                    name(problem.algorithm)));
  }
  if (options.limits && (problem.shape == Shape::axis || problem.shape == Shape::segments || has_pitch(problem))) {
    throw UsageError(
        fmt::format("{} takes no number of items from device memory: leave out the limits", to_string(problem)));
  }
  if (options.segment_ends && problem.shape != Shape::segments) {
    throw UsageError(fmt::format("{} has no segments that could have ends: leave them out", to_string(problem)));
  }
  // Whether a device can hold the config is for its own Space to say; here, that any could.
  const DeviceLimits most{.compute_capability = 1000,
                          .multiprocessors = 1,
                          .threads_per_block = 1024,
                          .threads_per_multiprocessor = 2048,
                          .blocks_per_multiprocessor = 32,
                          .blocks_per_cluster = 16,
                          .registers_per_multiprocessor = 65536,
                          .shared_bytes_per_block = 227 * 1024,
                          .shared_bytes_per_multiprocessor = 228 * 1024};
  Space(problem, most).validate(config);
  std::vector<Recipe> recipes = find_schedule(problem, config.schedule).recipes(problem, config);
  std::vector<Source> steps;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    const std::string place = recipes.size() == 1 ? "" : fmt::format("// step: {} of {}\n", i + 1, recipes.size());
    steps.push_back(source_of(problem, config, std::move(recipes[i]), target, options, place));
  }
  return steps;
}

Source generate(const Problem& problem, const Config& config, Target target, const SourceOptions& options) {
  std::vector<Source> steps = generate_steps(problem, config, target, options);
  if (steps.size() == 1) return std::move(steps.front());
  throw UsageError(fmt::format("the schedule {} has {} steps: call generate_steps() for their sources", config.schedule,
                               steps.size()));
}

std::string generator_version() {
  return UPSWEEP_VERSION;
}

}  // namespace upsweep
