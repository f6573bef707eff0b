#include "generator/tile_recipe.hpp"

#include <set>

#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/shape.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_ports.hpp"
#include "generator/value_type.hpp"

namespace upsweep::tiles {

std::string constant(const char* type, const char* name, std::int64_t value) {
  return fmt::format("\nconstexpr {} {} = {};\n", type, name, value);
}

namespace {

// Names of the types of what the operator combines, of what items combine to, and of what tiles exchange.
std::string fold_types(const Problem& problem, std::int64_t row_columns) {
  const std::string_view value = entry_of(problem.accumulator).spelling;
  if (row_columns > 0) {
    return fmt::format("\nusing Value = {};\n\nusing Accumulator = Columns<Value, {}>;\n\nusing Local = Accumulator;\n",
                       value, row_columns);
  }
  if (problem.accuracy != Accuracy::plain) {
    return fmt::format("\nusing Value = {};\n\nusing Accumulator = {};\n\nusing Local = Accumulator;\n", value,
                       sum_type(problem).spelling);
  }
  switch (entry_of(problem).fold) {
    case Fold::counts:
      return fmt::format("\nusing Accumulator = {};\n\nusing Local = u32;\n", value);
    case Fold::counted_values:
      return fmt::format(
          "\nusing Value = {};\n\nusing Accumulator = Counted<u64, Value>;\n\nusing Local = Counted<u32, Value>;\n",
          value);
    case Fold::flagged_values:
      return fmt::format("\nusing Value = {};\n\nusing Accumulator = Flagged<Value>;\n\nusing Local = Accumulator;\n",
                         value);
    case Fold::part_counts:
      return fmt::format(
          "\nusing Value = {};\n\nusing Accumulator = PartCounts<Value>;\n\nusing Local = PartCounts<u32>;\n", value);
    case Fold::values:
    case Fold::none:
      break;
  }
  return fmt::format("\nusing Accumulator = {};\n\nusing Value = Accumulator;\n\nusing Local = Accumulator;\n", value);
}

// What the parameter `store` chooses.
const char* store_role(const Problem& problem) {
  if (entry_of(problem).emission == Emission::parts) return "tile/gather";
  return is_compact(problem) ? "tile/scatter" : "tile/store";
}

}  // namespace

std::string type_block(const Problem& problem, const char* exchanged, std::int64_t row_columns) {
  const TypeEntry& accumulator = entry_of(problem.accumulator);
  std::string text = "#include \"target/cuda.cuh\"\n";
  if (row_columns > 0) text += "#include \"value/columns.cuh\"\n";
  if (entry_of(problem).fold == Fold::counted_values) text += "#include \"value/counted.cuh\"\n";
  if (entry_of(problem).fold == Fold::flagged_values) text += "#include \"value/flagged.cuh\"\n";
  if (entry_of(problem).fold == Fold::part_counts) text += "#include \"value/part_counts.cuh\"\n";
  if (problem.accuracy != Accuracy::plain) text += fmt::format("#include \"{}\"\n", sum_type(problem).file);
  std::set<std::string_view> files;
  for (const Type type : types_of(problem)) {
    const std::string_view file = entry_of(type).file;
    if (!file.empty() && files.insert(file).second) text += fmt::format("#include \"{}\"\n", file);
  }
  text += fmt::format("\nusing Input = {};\n", entry_of(problem.input).spelling);
  text += fmt::format("\nusing Output = {};\n", entry_of(problem.output).spelling);
  if (problem.key) text += fmt::format("\nusing Key = {};\n", entry_of(*problem.key).spelling);
  text +=
      "\n// What an item contributes, and what items of one tile combine to, is a Local. An Accumulator is made of it.";
  text += fold_types(problem, row_columns);
  text += fmt::format("\n// What tiles exchange.\nusing Exchanged = {};\n", exchanged);
  text += "\n// The type in which values are added and multiplied: unsigned for integers, so that overflow wraps.\n";
  text += fmt::format("using Arithmetic = {};\n", accumulator.arithmetic);
  text += "\n// The type in which floating values are compared.\n";
  text += fmt::format("using Floating = {};\n", accumulator.comparison);
  text += ports_block(problem);
  return text;
}

std::string parameter_block(const Problem& problem, const TileValues& values) {
  return type_block(problem) + constant("int", "threads_per_block", values.threads_per_block) +
         constant("int", "items_per_thread", values.items_per_thread) +
         constant("int", "minimum_blocks", values.minimum_blocks);
}

void place_storage(Recipe& recipe, std::int64_t shared_bytes) {
  constexpr std::int64_t static_shared_limit = 48 * 1024;
  const bool dynamic = shared_bytes > static_shared_limit;
  recipe.roles["block/storage"] = dynamic ? "dynamic" : "static";
  recipe.launch.shared_bytes = dynamic ? static_cast<int>(shared_bytes) : 0;
  recipe.parameters += "\n// Checked against the limits of the device before anything was compiled.\n";
  recipe.parameters += fmt::format("constexpr int shared_bytes = {};\n", shared_bytes);
}

void set_tile(Recipe& recipe, const TileValues& values) {
  recipe.launch.threads_per_block = static_cast<int>(values.threads_per_block);
  recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.tile_items());
}

std::uint32_t value_words(const Layout& value) {
  return static_cast<std::uint32_t>((value.size + 7) / 8);
}

void place_descriptors(Recipe& recipe, const Layout& exchanged, Descriptor kind, const char* users,
                       bool slot_per_tile) {
  // One word of 64 or 128 bits that holds value and tag, several of 128 bits, or separate words.
  const std::uint32_t words = value_words(exchanged);
  const bool is_split = kind == Descriptor::split, narrow = exchanged.size <= 4;
  const std::string layout = is_split ? "split" : narrow ? "packed_64" : "packed_128";
  recipe.roles["grid/descriptor"] = layout + (words > 1 && !is_split ? "_words" : "");
  recipe.workspace = {.layout = std::string(users) + "_" + layout + (words > 1 ? "_" + std::to_string(64 * words) : ""),
                      .slot_bytes = is_split ? 8u + 16u * words
                                    : narrow ? 8u
                                             : 16u * words,
                      .slot_per_tile = slot_per_tile};
}

Recipe tile_recipe(const Problem& problem, const StoredTileValues& values) {
  const auto access = [&](const auto& parameter, Access value) {
    const bool mirrored = is_backward(problem) && value == Access::vectorized;
    return std::string(parameter.name_of(value)) + (mirrored ? "_backward" : "");
  };
  Recipe recipe;
  recipe.roles = {{"tile/load", access(load, values.load)},
                  {store_role(problem), access(store(problem), values.store)},
                  {"tile/prefetch", prefetch.name_of(values.prefetch)}};
  if (has_pitch(problem)) {
    const auto of_rows = [](Access value) { return value == Access::vectorized ? "vectors" : "any"; };
    recipe.roles["tile/fetch_rows"] = of_rows(values.load);
    recipe.roles["tile/store_rows"] = of_rows(values.store);
  }
  recipe.parameters = parameter_block(problem, values);
  recipe.parameters += constant("int", "store_vector_bytes", vector_bytes(problem.output, values.items_per_thread));
  set_tile(recipe, values);
  return recipe;
}

Recipe scan_recipe(const Problem& problem, const ScanValues& values) {
  Recipe recipe = tile_recipe(problem, values);
  recipe.roles["warp/scan"] = warp_scan.name_of(values.warp_scan);
  recipe.roles["block/scan"] = any_block_scan.name_of(values.block_scan);
  return recipe;
}

}  // namespace upsweep::tiles
