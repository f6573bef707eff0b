#include "generator/tile_parameters.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/tile_ports.hpp"
#include "generator/value_type.hpp"

namespace upsweep::tiles {
namespace {

constexpr std::int64_t static_shared_limit = 48 * 1024;

// Bytes of the widest item that is read, or written, tile by tile.
std::size_t widest_of(const std::vector<Port>& ports) {
  std::size_t widest = 0;
  for (const Port& port : ports) widest = std::max(widest, size_of(port.type));
  return widest;
}

}  // namespace

Parameter strategy(std::string name, std::string meaning, std::initializer_list<Choice> choices) {
  Parameter parameter{std::move(name), std::move(meaning), {}};
  for (const Choice& choice : choices) {
    parameter.values.emplace_back(std::string(choice.value));
    parameter.value_meanings.emplace_back(choice.meaning);
  }
  return parameter;
}

Parameter count(std::string name, std::string meaning, std::initializer_list<std::int64_t> values) {
  return {std::move(name), std::move(meaning), {values.begin(), values.end()}};
}

Parameter absent_as(ParameterValue value, Parameter parameter) {
  parameter.absent = std::move(value);
  return parameter;
}

Parameter threads_per_block() {
  return count("threads_per_block", "Number of threads in each block.",
               {32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 448, 512, 576, 640, 768, 896, 1024});
}

Parameter items_per_thread() {
  return count("items_per_thread",
               "Number of consecutive items that each thread holds in registers (blocked arrangement). A tile has "
               "`threads_per_block` x `items_per_thread` items.",
               {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32});
}

Parameter minimum_blocks() {
  return count("minimum_blocks",
               "Number of blocks that each multiprocessor must be able to hold at once: the second argument of "
               "`__launch_bounds__`. The compiler limits the registers per thread accordingly.",
               {1, 2, 3, 4, 6, 8});
}

namespace {

constexpr const char* direct_meaning =
    "Each thread accesses its own consecutive items one by one. This needs no shared memory, but the accesses of a "
    "warp are strided.";
constexpr const char* vectorized_meaning =
    "Each thread accesses its own consecutive items in vectors of 16, 8 or 4 bytes. Where the address is not aligned, "
    "the thread accesses its items one by one.";

}  // namespace

Parameter load() {
  return strategy("load", "How the items of a tile are loaded from global memory into registers.",
                  {{"direct", direct_meaning},
                   {"vectorized", vectorized_meaning},
                   {"block_transpose",
                    "Consecutive threads of the block read consecutive items of the tile (striped arrangement, "
                    "coalesced). The block then transposes the items in shared memory."},
                   {"warp_transpose",
                    "Consecutive lanes of each warp read consecutive items of the warp's part of the tile. The warp "
                    "then transposes these items in shared memory, without a block-wide barrier."}});
}

Parameter store(const Problem& problem) {
  if (is_compact(problem)) {
    return strategy("store", "How the results of a tile, which are consecutive, are stored to global memory.",
                    {{"direct", "Each thread writes its results one by one, as soon as it has found their places."},
                     {"two_phase",
                      "The block gathers the results in shared memory. Consecutive threads then write consecutive "
                      "results (coalesced)."}});
  }
  return strategy("store", "How the results of a tile are stored from registers to global memory.",
                  {{"direct", direct_meaning},
                   {"vectorized", vectorized_meaning},
                   {"block_transpose",
                    "The block transposes the results in shared memory. Consecutive threads then write consecutive "
                    "items (striped arrangement, coalesced)."},
                   {"warp_transpose",
                    "Each warp transposes its results in shared memory, without a block-wide barrier. Consecutive "
                    "lanes then write consecutive items."}});
}

Parameter warp_scan() {
  return strategy(
      "warp_scan", "The scan network that a warp uses. The lanes exchange values with shuffles.",
      {{"kogge_stone", "5 steps. All lanes are active in each step (Kogge and Stone, 1973)."},
       {"sklansky",
        "5 steps. In each step, the upper half of a group of lanes adds the total of the lower half (Sklansky, 1960)."},
       {"brent_kung", "9 steps, with the fewest applications of the operator (Brent and Kung, 1982)."}});
}

Parameter block_scan() {
  return strategy("block_scan", "How a block scans the values of its threads, one value per thread.",
                  {{"warp_scans", "Each warp scans its own values. Then the totals of the warps are scanned."},
                   {"raking",
                    "All values go to shared memory. Each lane of one warp reduces one segment. The warp scans the "
                    "totals of the segments, and each lane then scans its segment."}});
}

Parameter descriptor() {
  return strategy("descriptor",
                  "How a tile or block publishes its value and its status to the others. The status tells whether the "
                  "value is not yet available, an aggregate, or an inclusive prefix.",
                  {{"packed",
                    "Value and status share one word of 64 or 128 bits, which is written at once. No fence is needed. "
                    "A value of 16 bytes takes several such words."},
                   {"split",
                    "Value and status are in separate words. The status is written with release semantics and read "
                    "with acquire semantics."}});
}

Parameter prefetch() {
  Parameter parameter = strategy(
      "prefetch",
      "Whether each block prefetches a tile into the L2 cache when the block starts. With `dependent_launch=yes`, the "
      "block "
      "may start while the previous kernel still runs. It then prefetches while it waits for that kernel.",
      {{"none", "No prefetch."},
       {"bulk", "One bulk prefetch instruction for the bytes of a tile (compute capability 9.0 and later)."}});
  return absent_as("none", std::move(parameter));
}

bool fills_vectors(Type type) {
  return 16 % size_of(type) == 0 && alignment_of(type) == size_of(type);
}

int vector_bytes(Type type, const Config& config) {
  const auto size = static_cast<int>(size_of(type));
  if (!fills_vectors(type)) return 0;
  for (const int bytes : {16, 8, 4}) {
    if (bytes > size && config.integer("items_per_thread") * size % bytes == 0) return bytes;
  }
  return 0;
}

std::int64_t items_for_bytes(const Problem& problem, std::int64_t bytes) {
  const auto size = std::max(local_layout(problem).size, static_cast<std::int64_t>(bytes_read_per_item(problem)));
  return std::clamp<std::int64_t>(bytes / size, 4, 16);
}

const char* plain_access(Type type, const Config& config) {
  return vector_bytes(type, config) != 0 ? "vectorized" : "direct";
}

void set_default_access(Config& config, const Problem& problem) {
  const std::vector<Port> inputs = tile_inputs(problem), outputs = tile_outputs(problem);
  const bool narrow = std::max(widest_of(inputs), widest_of(outputs)) <= 2;
  const auto access = [&](const std::vector<Port>& ports) {
    const bool fits =
        std::all_of(ports.begin(), ports.end(), [&](const Port& port) { return vector_bytes(port.type, config) != 0; });
    return narrow && fits ? "vectorized" : "warp_transpose";
  };
  config.values["load"] = access(inputs);
  config.values["store"] = is_compact(problem) ? "two_phase" : access(outputs);
}

std::uint32_t value_words(const Problem& problem) {
  return static_cast<std::uint32_t>((accumulator_layout(problem).size + 7) / 8);
}

bool adds_bytes(const Problem& problem) {
  return entry_of(problem).has_words && entry_of(problem.op).adds_bytes && size_of(problem.input) == 1 &&
         size_of(problem.accumulator) <= 4 && is_integer(problem.accumulator);
}

bool has_halves(const Problem& problem) {
  return entry_of(problem).has_words && !entry_of(problem.op).packed_16x2.empty() && size_of(problem.input) <= 2 &&
         is_integer(problem.input) && problem.accumulator == problem.input && problem.output == problem.input;
}

Parameter packing() {
  return absent_as("single",
                   strategy("packing",
                            "How a thread computes the minimum or maximum of integers of 8 or 16 bits. Only these "
                            "problems have this parameter.",
                            {{"single", "One value per instruction."},
                             {"halves", "Two values per instruction, one in each half of a 32-bit word."}}));
}

const char* default_packing(const DeviceLimits& limits) {
  return limits.compute_capability >= 90 ? "halves" : "single";
}

bool in_halves(const Config& config) {
  return config.values.contains("packing") && config.name("packing") == "halves";
}

std::string constant(const char* type, const char* name, std::int64_t value) {
  return fmt::format("\nconstexpr {} {} = {};\n", type, name, value);
}

namespace {

// Names of the types of what the operator combines, of what items combine to, and of what tiles exchange.
std::string fold_types(const Problem& problem) {
  const std::string_view value = entry_of(problem.accumulator).spelling;
  switch (entry_of(problem).fold) {
    case Fold::counts:
      return fmt::format("\nusing Accumulator = {};\n\nusing Local = u32;\n", value);
    case Fold::counted_values:
      return fmt::format(
          "\nusing Value = {};\n\nusing Accumulator = Counted<u64, Value>;\n\nusing Local = Counted<u32, Value>;\n",
          value);
    case Fold::values:
      break;
  }
  return fmt::format("\nusing Accumulator = {};\n\nusing Value = Accumulator;\n\nusing Local = Accumulator;\n", value);
}

}  // namespace

std::string type_block(const Problem& problem) {
  const TypeEntry& accumulator = entry_of(problem.accumulator);
  std::string text = "#include \"target/cuda.cuh\"\n";
  if (entry_of(problem).fold == Fold::counted_values) text += "#include \"value/counted.cuh\"\n";
  std::set<std::string_view> files;
  for (const Type type : types_of(problem)) {
    const std::string_view file = entry_of(type).file;
    if (!file.empty() && files.insert(file).second) text += fmt::format("#include \"{}\"\n", file);
  }
  text += fmt::format("\nusing Input = {};\n", entry_of(problem.input).spelling);
  text += fmt::format("\nusing Output = {};\n", entry_of(problem.output).spelling);
  if (problem.key) text += fmt::format("\nusing Key = {};\n", entry_of(*problem.key).spelling);
  text +=
      "\n// What an item contributes, and what items of one tile combine to, is a Local. Tiles exchange an "
      "Accumulator made of it.";
  text += fold_types(problem);
  text += "\n// The type in which values are added and multiplied: unsigned for integers, so that overflow wraps.\n";
  text += fmt::format("using Arithmetic = {};\n", accumulator.arithmetic);
  text += "\n// The type in which floating values are compared.\n";
  text += fmt::format("using Floating = {};\n", accumulator.comparison);
  text += ports_block(problem);
  return text;
}

std::string parameter_block(const Problem& problem, const Config& config) {
  std::string text = type_block(problem);
  for (const char* name : {"threads_per_block", "items_per_thread", "minimum_blocks"}) {
    text += constant("int", name, config.integer(name));
  }
  return text;
}

void place_storage(Recipe& recipe, std::int64_t shared_bytes) {
  const bool dynamic = shared_bytes > static_shared_limit;
  recipe.roles["block/storage"] = dynamic ? "dynamic" : "static";
  recipe.launch.shared_bytes = dynamic ? static_cast<int>(shared_bytes) : 0;
  recipe.parameters += "\n// Checked against the limits of the device before anything was compiled.\n";
  recipe.parameters += fmt::format("constexpr int shared_bytes = {};\n", shared_bytes);
}

void set_tile(Recipe& recipe, const Config& config) {
  recipe.launch.threads_per_block = static_cast<int>(config.integer("threads_per_block"));
  recipe.launch.items_per_tile = static_cast<std::uint64_t>(tile_items(config));
}

// Words of 64 or 128 bits that hold value and tag, several of 128 bits, or separate words.
std::string descriptor_strategy(const Problem& problem, const Config& config) {
  if (config.name("descriptor") == "split") return "split";
  return accumulator_layout(problem).size <= 4 ? "packed_64" : "packed_128";
}

WorkspaceRule descriptor_workspace(const Problem& problem, const Config& config, const char* users,
                                   bool slot_per_tile) {
  const std::string strategy = descriptor_strategy(problem, config);
  const std::uint32_t words = value_words(problem);
  return {.layout = std::string(users) + "_" + strategy + (words > 1 ? "_" + std::to_string(64 * words) : ""),
          .slot_bytes = strategy == "packed_64" ? 8u
                        : strategy == "split"   ? 8u + 16u * words
                                                : 16u * words,
          .slot_per_tile = slot_per_tile};
}

Recipe scan_recipe(const Problem& problem, const Config& config) {
  Recipe recipe;
  recipe.roles = {{"tile/load", config.name("load")},
                  {is_compact(problem) ? "tile/scatter" : "tile/store", config.name("store")},
                  {"warp/scan", config.name("warp_scan")},
                  {"block/scan", config.name("block_scan")}};
  recipe.parameters = parameter_block(problem, config);
  recipe.parameters += constant("int", "store_vector_bytes", vector_bytes(problem.output, config));
  set_tile(recipe, config);
  return recipe;
}

}  // namespace upsweep::tiles
