// single_block, last_block and last_started: reductions in one launch.
#include <algorithm>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_parameters.hpp"

namespace upsweep {
namespace {

tiles::Layout reduce_storage(const Problem& problem, const Config& config) {
  const std::int64_t threads = config.integer("threads_per_block");
  return tiles::array_of(problem.accumulator,
                         config.name("block_reduce") == "raking" ? tiles::padded(threads) : threads / 32);
}

// AccumulateStorage of templates/tile/accumulate.*.cuh.
tiles::Layout accumulate_storage(const Problem& problem, const Config& config) {
  const tiles::Layout reduce = reduce_storage(problem, config);
  if (config.name("accumulate") == "per_thread") return reduce;
  return tiles::struct_of({tiles::exchange_storage(config.name("load"), problem.input, config), reduce});
}

// Items of so many bytes.
std::int64_t strip_items(const Problem& problem, std::int64_t bytes) {
  const auto size = static_cast<std::int64_t>(size_of(problem.input));
  return std::clamp<std::int64_t>(bytes / size, 1, 128);
}

// Whether the values of threads may be kept apart until the end.
bool takes_strips(const Problem& problem) {
  return is_commutative(problem.op) && tiles::fills_vectors(problem.input);
}

// Items of about 64 bytes, as many as items_per_thread can be.
std::int64_t in_order_items(const Problem& problem) {
  const std::int64_t items = tiles::items_for_bytes(problem, 64);
  return items > 8 ? items / 2 * 2 : items;
}

class Reduce : public Schedule {
 public:
  [[nodiscard]] bool supports(const Problem& problem) const override {
    return entry_of(problem).emission == Emission::at_end;
  }

  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    std::vector<Parameter> parameters = {
        tiles::threads_per_block(),
        // Neighbouring items, or of a strip that threads share: of bytes it takes many to fill vectors.
        tiles::count(
            "items_per_thread",
            "Number of items that each thread loads at a time. With `accumulate=per_tile` these items are consecutive "
            "(blocked arrangement). With `accumulate=per_thread` neighbouring threads load neighbouring items or "
            "vectors (striped arrangement). A tile has `threads_per_block` x `items_per_thread` items.",
            {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64, 96, 128}),
        tiles::minimum_blocks(),
        tiles::strategy("accumulate", "The order in which a block reduces its items.",
                        {{"per_thread",
                          "Each thread keeps one running value over all tiles of its block. At the end, the block "
                          "reduces the values of its threads. Only for commutative operators."},
                         {"per_tile", "The block reduces one tile after the other, in the order of the items."}}),
        tiles::load(),
        tiles::strategy(
            "block_reduce", "How a block reduces the values of its threads, one value per thread.",
            {{"warp_reduces",
              "Each warp reduces its values with shuffles. One warp then reduces the results of all warps."},
             {"raking",
              "All values go to shared memory. Each lane of one warp then reduces one segment, and the warp reduces "
              "the results of its lanes."}}),
        tiles::prefetch()};
    if (tiles::has_halves(problem)) parameters.push_back(tiles::packing());
    return parameters;
  }

  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    const bool any_order = takes_strips(problem);
    const auto vector_items = static_cast<std::int64_t>(16 / size_of(problem.input));
    const std::int64_t strip = strip_items(problem, 64);
    Config config{.schedule = std::string(name()),
                  .values = {{"threads_per_block", 256},
                             {"items_per_thread", any_order ? strip : in_order_items(problem)},
                             {"minimum_blocks", 1},
                             {"accumulate", any_order ? "per_thread" : "per_tile"},
                             {"load", !any_order         ? "warp_transpose"
                                      : vector_items > 1 ? "vectorized"
                                                         : "direct"},
                             {"block_reduce", "warp_reduces"},
                             {"prefetch", limits.compute_capability >= 90 ? "bulk" : "none"}}};
    if (tiles::has_halves(problem)) config.values["packing"] = tiles::default_packing(limits);
    return config;
  }

  [[nodiscard]] std::vector<std::string> own_violations(const Problem& problem, const Config& config,
                                                        const DeviceLimits& limits) const override {
    const bool strips = config.name("accumulate") == "per_thread";
    // A strip is held as it was loaded, and folded item by item; 24 registers and the fold besides.
    const auto words_of = [](std::size_t bytes) { return static_cast<std::int64_t>((bytes + 3) / 4); };
    const std::int64_t items = config.integer("items_per_thread");
    const std::int64_t item_words = strips ? (items * static_cast<std::int64_t>(size_of(problem.input)) + 3) / 4
                                           : items * words_of(size_of(problem.accumulator));
    std::vector<std::string> violations = tiles::block_violations(
        limits, {.threads = config.integer("threads_per_block"),
                 .blocks = config.integer("minimum_blocks"),
                 .shared_bytes = storage(problem, config).size,
                 .registers = item_words + 24 + (strips ? words_of(size_of(problem.accumulator)) : 0)});
    tiles::check_prefetch(violations, config, limits);
    tiles::check_vectors(violations, "load", problem.input, config);
    if (tiles::in_halves(config) && (!strips || config.name("load") != "vectorized")) {
      violations.push_back(
          "packing: packing=halves needs accumulate=per_thread and load=vectorized; use packing=single");
    }
    if (config.name("accumulate") == "per_thread") {
      if (!tiles::fills_vectors(problem.input)) {
        violations.push_back(fmt::format(
            "alignment: accumulate=per_thread needs items that fill vectors of 16 bytes, but items of {} bytes do not; "
            "use accumulate=per_tile",
            size_of(problem.input)));
      }
      if (!is_commutative(problem.op)) {
        violations.push_back("order: accumulate=per_thread needs a commutative operator; use accumulate=per_tile");
      }
      if (config.name("load") != "direct" && config.name("load") != "vectorized") {
        violations.push_back("load: accumulate=per_thread needs load=direct or load=vectorized; use one of these");
      }
    }
    return violations;
  }

  [[nodiscard]] std::vector<Constraint> own_constraints(const Problem&) const override {
    std::vector<Constraint> constraints = tiles::block_constraints();
    constraints.push_back(tiles::vector_constraint());
    constraints.push_back(tiles::capability_constraint("`prefetch=bulk` needs compute capability 9.0."));
    constraints.push_back({"order", "`accumulate=per_thread` needs a commutative operator."});
    constraints.push_back({"alignment",
                           "`accumulate=per_thread` needs items of 1, 2, 4, 8 or 16 bytes that are aligned to their "
                           "size. All built-in types are."});
    constraints.push_back({"load", "`accumulate=per_thread` needs `load=direct` or `load=vectorized`."});
    constraints.push_back({"packing", "`packing=halves` needs `accumulate=per_thread` and `load=vectorized`."});
    return constraints;
  }

  // Which block folds which items depends on the number of multiprocessors, never on timing.
  [[nodiscard]] bool fixed_association(const Config&) const override { return true; }

  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe;
    recipe.roles = {{"tile/accumulate", config.name("accumulate")},
                    {"tile/prefetch", config.name("prefetch")},
                    {"tile/load", config.name("load")},
                    {"block/reduce", config.name("block_reduce")}};
    if (config.name("accumulate") == "per_thread") {
      recipe.roles["tile/load_striped"] = config.name("load");
      const bool by_four = tiles::adds_bytes(problem) && config.name("load") == "vectorized";
      recipe.roles["tile/fold_striped"] = by_four ? "bytes" : tiles::in_halves(config) ? "packed_16x2" : "items";
      recipe.roles["operator/packed_16x2"] = entry_of(problem.op).packed_16x2;
    }
    recipe.parameters = tiles::parameter_block(problem, config);
    recipe.parameters += tiles::constant("int", "load_vector_bytes", tiles::vector_bytes(problem.input, config));
    tiles::set_tile(recipe, config);
    tiles::place_storage(recipe, storage(problem, config).size);
    return recipe;
  }

 protected:
  [[nodiscard]] virtual tiles::Layout storage(const Problem& problem, const Config& config) const = 0;
};

class ReduceSingleBlock final : public Reduce {
 public:
  [[nodiscard]] std::string_view name() const override { return "single_block"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "One block reduces all items. The kernel needs no workspace. This schedule is meant for small n.";
  }
  [[nodiscard]] std::string_view source() const override {
    return "Harris, \"Optimizing Parallel Reduction in CUDA\", NVIDIA, 2007";
  }
  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    Config config = Reduce::own_defaults(problem, limits);
    if (!takes_strips(problem)) return config;
    const bool tiny = bytes_of(problem.size, problem.input) < std::uint64_t{64} << 10;
    config.values["items_per_thread"] = strip_items(problem, tiny ? 64 : 128);
    config.values["block_reduce"] = "raking";
    return config;
  }
  [[nodiscard]] bool suits(const Problem& problem) const override {
    return problem.size <= tiles::most_items_of_few_blocks;
  }
  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = Reduce::own_recipe(problem, config);
    recipe.kernel = "kernel/reduce.single_block.cuh";
    recipe.launch.grid = GridRule::one_block;
    return recipe;
  }

 protected:
  [[nodiscard]] tiles::Layout storage(const Problem& problem, const Config& config) const override {
    return tiles::struct_of({accumulate_storage(problem, config)});
  }
};

// How many blocks fold how many bytes a thread at a time.
struct Strips {
  std::int64_t threads;
  std::int64_t bytes;
  std::int64_t blocks;  // for each multiprocessor
  const char* block_reduce;
};

// What was best over all types and operators on an H200 (docs/notes/performance-notes.md): many small blocks where
// starting is all there is, few large ones with many bytes in flight elsewhere.
Strips strips_for(const Problem& problem) {
  const std::uint64_t kilobytes = bytes_of(problem.size, problem.input) >> 10;
  if (kilobytes < 1 << 10) return {256, 32, 4, "warp_reduces"};
  if (kilobytes < 2 << 10) return {256, 64, 4, "warp_reduces"};
  if (kilobytes < 4 << 10) return {1024, 64, 2, "warp_reduces"};
  if (kilobytes < 16 << 10 || kilobytes >= 192 << 10) return {1024, 128, 1, "warp_reduces"};
  return {1024, 64, 1, "raking"};
}

// Schedules with as many blocks as fit.
class ReduceBlocks : public Reduce {
 public:
  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    std::vector<Parameter> parameters = Reduce::own_parameters(problem);
    parameters.push_back(
        tiles::count("blocks_per_multiprocessor",
                     "Number of blocks that are launched per multiprocessor. At most one block per tile is launched.",
                     {1, 2, 3, 4, 6, 8, 12, 16}));
    return parameters;
  }
  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    Config config = Reduce::own_defaults(problem, limits);
    config.values["blocks_per_multiprocessor"] = 4;
    if (!takes_strips(problem)) return config;
    const Strips strips = strips_for(problem);
    config.values["threads_per_block"] = strips.threads;
    config.values["items_per_thread"] = strip_items(problem, strips.bytes);
    config.values["blocks_per_multiprocessor"] = strips.blocks;
    config.values["block_reduce"] = strips.block_reduce;
    return config;
  }
  [[nodiscard]] std::vector<Config> landmarks(const Problem& problem) const override {
    if (!takes_strips(problem)) return {};
    std::vector<Config> found;
    for (const Strips& strips : {Strips{256, 32, 4, "warp_reduces"},
                                 {256, 32, 6, "raking"},
                                 {256, 64, 4, "warp_reduces"},
                                 {256, 64, 8, "warp_reduces"},
                                 {448, 64, 2, "warp_reduces"},
                                 {512, 64, 2, "warp_reduces"},
                                 {1024, 64, 1, "raking"},
                                 {1024, 64, 2, "warp_reduces"},
                                 {1024, 64, 3, "warp_reduces"},
                                 {1024, 128, 1, "warp_reduces"}}) {
      found.push_back({std::string(name()),
                       {{"threads_per_block", strips.threads},
                        {"items_per_thread", strip_items(problem, strips.bytes)},
                        {"blocks_per_multiprocessor", strips.blocks},
                        {"block_reduce", strips.block_reduce}}});
    }
    return found;
  }
  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = Reduce::own_recipe(problem, config);
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(config.integer("blocks_per_multiprocessor"));
    return recipe;
  }
};

class ReduceLastBlock final : public ReduceBlocks {
 public:
  [[nodiscard]] std::string_view name() const override { return "last_block"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "Each block reduces its share of the items and writes a partial result. The last block to finish reduces "
           "the partial results in the order of the blocks.";
  }
  [[nodiscard]] std::string_view source() const override {
    return "NVIDIA, \"CUDA C++ Programming Guide\", section \"Memory Fence Functions\" (sample threadFenceReduction)";
  }
  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = ReduceBlocks::own_recipe(problem, config);
    recipe.kernel = "kernel/reduce.last_block.cuh";
    const bool narrow = size_of(problem.accumulator) <= 4;
    const std::uint32_t words = tiles::value_words(problem);
    recipe.roles["grid/partial"] = narrow ? "word_32" : "words_64";
    recipe.workspace = {.layout = "partials_" + std::to_string(narrow ? 32 : 64 * words),
                        .slot_bytes = narrow ? 4u : 8u * words};
    return recipe;
  }

 protected:
  [[nodiscard]] tiles::Layout storage(const Problem& problem, const Config& config) const override {
    return tiles::struct_of({accumulate_storage(problem, config), reduce_storage(problem, config), tiles::Layout{}});
  }
};

class ReduceLastStarted final : public ReduceBlocks {
 public:
  [[nodiscard]] std::string_view name() const override { return "last_started"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "Each block reduces its share of the items and publishes a partial result in a descriptor. The last block "
           "to start waits for all partial results and reduces them in the order of the blocks.";
  }
  [[nodiscard]] std::string_view source() const override {
    return "upsweep. Descriptors and tickets: Merrill and Garland, NVR-2016-002, 2016, section 4";
  }
  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    std::vector<Parameter> parameters = ReduceBlocks::own_parameters(problem);
    parameters.push_back(tiles::descriptor());
    return parameters;
  }
  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    Config config = ReduceBlocks::own_defaults(problem, limits);
    config.values["descriptor"] = "packed";
    return config;
  }
  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    Recipe recipe = ReduceBlocks::own_recipe(problem, config);
    recipe.kernel = "kernel/reduce.last_started.cuh";
    recipe.roles["grid/descriptor"] = tiles::descriptor_strategy(problem, config);
    recipe.workspace = tiles::descriptor_workspace(problem, config, "drawn_once", false);
    return recipe;
  }

 protected:
  [[nodiscard]] tiles::Layout storage(const Problem& problem, const Config& config) const override {
    return tiles::struct_of(
        {accumulate_storage(problem, config), reduce_storage(problem, config), tiles::array_of_words(4, 2)});
  }
};

}  // namespace

const Schedule& reduce_single_block() {
  static const auto& schedule = *new const ReduceSingleBlock;
  return schedule;
}

const Schedule& reduce_last_started() {
  static const auto& schedule = *new const ReduceLastStarted;
  return schedule;
}

const Schedule& reduce_last_block() {
  static const auto& schedule = *new const ReduceLastBlock;
  return schedule;
}

}  // namespace upsweep
