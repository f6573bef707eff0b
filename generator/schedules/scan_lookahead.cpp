// lookahead: persistent blocks with a running prefix, warps that each do one thing, bulk copies several stages deep.
#include <algorithm>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/stage_ports.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_parameters.hpp"

namespace upsweep {
namespace {

constexpr std::int64_t warp_size = 32;
constexpr std::int64_t vector_bytes = 16;
constexpr std::int64_t extra_warps = 3;  // loader, publisher, look-ahead

std::int64_t warp_vectors(const Config& config) {
  return warp_size * config.integer("vectors_per_thread");
}

std::int64_t tile_bytes(const Config& config) {
  return config.integer("worker_warps") * warp_vectors(config) * vector_bytes;
}

std::int64_t tile_items(const Problem& problem, const Config& config) {
  return tile_bytes(config) / static_cast<std::int64_t>(size_of(problem.input));
}

// Whether stages hold one array, the results of which, if they are compacted, only count: others have a part for each
// array.
bool is_single(const Problem& problem) {
  return is_dense(problem) || (is_compact(problem) && entry_of(problem).fold == Fold::counts &&
                               tile_inputs(problem).size() == 1 && tile_outputs(problem).size() == 1);
}

bool results_in_place(const Problem& problem) {
  return size_of(problem.input) == size_of(problem.output);
}

// Sums of bytes that are bytes themselves go four at a time.
std::string sweep_strategy(const Problem& problem, const Config& config) {
  const bool by_four = tiles::adds_bytes(problem) && size_of(problem.output) == 1;
  return by_four ? "bytes" : tiles::in_halves(config) ? "packed_16x2" : "items";
}

std::string fold_strategy(const Problem& problem, const Config& config) {
  return tiles::adds_bytes(problem) ? "bytes" : tiles::in_halves(config) ? "packed_16x2" : "items";
}

bool is_bulk(const std::string& engine) {
  return engine.starts_with("bulk");
}

// ResultStorage of templates/pipeline/results.*.cuh.
tiles::Layout results_storage(const Problem& problem, const Config& config) {
  const std::int64_t items = tile_items(problem, config);
  if (!is_single(problem)) return stage_ports::results_layout(problem, items, config.integer("worker_warps"));
  if (results_in_place(problem)) return {};
  return {items * static_cast<std::int64_t>(size_of(problem.output)), 128};
}

// SharedStorage of templates/kernel/scan.lookahead.cuh.
tiles::Layout storage(const Problem& problem, const Config& config) {
  const std::int64_t stages = config.integer("stages"), slots = config.integer("reduce_ahead") + 1;
  const std::int64_t items = tile_items(problem, config);
  const tiles::Layout stage =
      is_single(problem) ? tiles::Layout{tile_bytes(config), 128} : stage_ports::stage_layout(problem, items);
  const tiles::Layout ring = tiles::array_of(stage, stages);
  const std::int64_t warps = slots * config.integer("worker_warps");
  return tiles::struct_of({ring, results_storage(problem, config), tiles::array_of_words(8, 2 * stages + 3 * slots),
                           tiles::array_of(tiles::local_layout(problem), warps),
                           tiles::array_of(tiles::accumulator_layout(problem), warps),
                           tiles::array_of_words(4, stages + 1)});
}

// What a thread holds between folding and scanning, its items, and about 32 registers besides.
std::int64_t registers(const Problem& problem, const Config& config) {
  const auto words = (tiles::local_layout(problem).size + 3) / 4;
  const std::int64_t items =
      config.integer("vectors_per_thread") * vector_bytes / static_cast<std::int64_t>(size_of(problem.input));
  return items * static_cast<std::int64_t>(tiles::bytes_read_per_item(problem)) / 4 +
         words * (config.integer("reduce_ahead") + 2) + 32;
}

// Tiles and how many of them are on their way.
struct Shape {
  std::int64_t warps;
  std::int64_t vectors;
  std::int64_t stages;
  std::int64_t ahead;
};

// What was best over all types, operators and kinds of scan on an H200 (docs/notes/performance-notes.md). Large tiles
// need rounds: what is loaded while what was loaded is worked on.
constexpr Shape small_shape{16, 3, 9, 3};
constexpr Shape middle_shape{12, 5, 7, 3};
constexpr Shape large_shape{12, 5, 7, 4};

Shape shape_for(const Problem& problem) {
  const std::uint64_t megabytes = input_bytes(problem, problem.size) >> 20;
  return megabytes < 8 ? small_shape : megabytes < 48 ? middle_shape : large_shape;
}

std::vector<Shape> shapes_for(const Problem& problem) {
  const std::uint64_t megabytes = input_bytes(problem, problem.size) >> 20;
  if (megabytes < 8) return {small_shape, {8, 5, 8, 2}, middle_shape, {8, 3, 9, 3}};
  if (megabytes < 48) return {middle_shape, {14, 5, 5, 2}, small_shape, {8, 5, 8, 2}};
  return {large_shape, {8, 7, 8, 5}, small_shape, {10, 5, 9, 5}};
}

// Where stages hold several arrays: the first of these that leaves room for six stages, of about 32 KB. Selections by
// flags reach 0.93 to 0.98 of memcpy's rate with it (docs/measurements.md).
constexpr Shape shapes_of_ports[] = {{12, 5, 0, 0}, {16, 3, 0, 0}, {12, 3, 0, 0}, {8, 3, 0, 0},
                                     {12, 1, 0, 0}, {8, 1, 0, 0},  {4, 1, 0, 0},  {2, 1, 0, 0}};

Config with_shape(const Shape& shape) {
  return {.schedule = "lookahead",
          .values = {{"worker_warps", shape.warps},
                     {"vectors_per_thread", shape.vectors},
                     {"stages", shape.stages},
                     {"reduce_ahead", shape.ahead}}};
}

// Reductions by key have more to do for each item, and larger tiles are faster than more stages: the first that fits.
constexpr Shape shapes_by_key[] = {{8, 7, 4, 2}, {10, 5, 4, 2}, {8, 5, 4, 2}};

// Of devices from sm_90 on.
constexpr DeviceLimits usual_limits{.compute_capability = 90,
                                    .threads_per_block = 1024,
                                    .registers_per_multiprocessor = 65536,
                                    .shared_bytes_per_block = 227 * 1024};

bool has_registers(const Problem& problem, const Config& config, const DeviceLimits& limits) {
  const std::int64_t threads = (config.integer("worker_warps") + extra_warps) * warp_size;
  return registers(problem, config) <= std::min<std::int64_t>(255, limits.registers_per_multiprocessor / threads);
}

// The shape with as many stages as fit, up to nine.
Shape with_stages(Shape shape, const Problem& problem, const DeviceLimits& limits) {
  for (shape.stages = 9;; --shape.stages) {
    shape.ahead = std::max<std::int64_t>(std::min<std::int64_t>(shape.stages - 3, 5), 0);
    const std::int64_t bytes = storage(problem, with_shape(shape)).size;
    if (shape.stages == 2 || bytes <= limits.shared_bytes_per_block) return shape;
  }
}

std::vector<Shape> fitting_shapes(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::int64_t enough_stages = 6;
  std::vector<Shape> fitting;
  if (entry_of(problem).fold == Fold::counted_values) {
    for (const Shape& shape : shapes_by_key) {
      const Config config = with_shape(shape);
      const bool fits = storage(problem, config).size <= limits.shared_bytes_per_block;
      if (fits && has_registers(problem, config, limits)) fitting.push_back(shape);
    }
  }
  for (const Shape& any : shapes_of_ports) {
    const Shape shape = with_stages(any, problem, limits);
    if (shape.warps > 12 && tiles::local_layout(problem).size > 16) continue;  // values of 16 bytes would spill
    const bool fits = has_registers(problem, with_shape(shape), limits);
    if (fits && shape.stages >= enough_stages) fitting.push_back(shape);
  }
  if (fitting.empty()) fitting.push_back(with_stages({1, 1, 0, 0}, problem, limits));
  return fitting;
}

// Input and results that do not both fit the L2 cache, or hardly, leave it early: 9 to 15% faster there, and no
// difference where they are larger.
bool leaves_cache(const Problem& problem) {
  return input_bytes(problem, problem.size) >= std::uint64_t{8} << 20 &&
         input_bytes(problem, problem.size) < std::uint64_t{96} << 20;
}

// Gives up stages, then warps, then vectors, until the stages fit a block's shared memory.
void fit(Config& config, const Problem& problem, const DeviceLimits& limits) {
  const auto too_large = [&] { return storage(problem, config).size > limits.shared_bytes_per_block; };
  const auto lower = [&](const char* name, std::int64_t by) { config.values[name] = config.integer(name) - by; };
  constexpr std::int64_t fewest_ahead = 2;
  while (too_large() && config.integer("stages") > fewest_ahead + 2) lower("stages", 1);
  config.values["reduce_ahead"] = std::min(config.integer("reduce_ahead"), config.integer("stages") - 2);
  while (too_large() && config.integer("worker_warps") > 2) lower("worker_warps", 2);
  while (too_large() && config.integer("vectors_per_thread") > 1) lower("vectors_per_thread", 2);
}

class ScanLookahead final : public Schedule {
 public:
  [[nodiscard]] std::string_view name() const override { return "lookahead"; }
  [[nodiscard]] std::string_view meaning() const override {
    return "Persistent blocks with specialised warps. A loader warp copies tiles into a ring buffer in shared memory. "
           "Worker warps reduce each tile, and scan it some tiles later. A publisher warp publishes the aggregate of "
           "each tile. A look-ahead warp combines the aggregates of all tiles since the previous tile of its block.";
  }
  [[nodiscard]] std::string_view source() const override {
    return "upsweep (docs/kernels.md, section 3). Tickets: Merrill and Garland, NVR-2016-002, 2016, section 4.4";
  }
  [[nodiscard]] bool supports(const Problem& problem) const override {
    // Stages hold vectors of 16 bytes.
    if (is_single(problem)) return tiles::fills_vectors(problem.input) && tiles::fills_vectors(problem.output);
    return is_compact(problem) && stage_ports::are_supported(problem);
  }

  [[nodiscard]] std::vector<Parameter> own_parameters(const Problem& problem) const override {
    std::vector<Parameter> parameters = {
        tiles::count("worker_warps",
                     "Number of warps in each block that reduce and scan tiles. Each block has three more warps: the "
                     "loader, the publisher and the look-ahead warp.",
                     {1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28}),
        tiles::count("vectors_per_thread",
                     "Number of consecutive 16-byte vectors of a tile that each worker thread processes: of `in` or "
                     "`values`, and as many items of other arrays. The number is odd to avoid bank conflicts in shared "
                     "memory.",
                     {1, 3, 5, 7, 9, 11}),
        tiles::count("stages", "Number of tiles that fit in the ring buffer of a block, in shared memory.",
                     {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18}),
        tiles::count("reduce_ahead", "Number of tiles that the workers reduce ahead of the tile that they scan.",
                     {0, 1, 2, 3, 4, 5, 6, 8}),
        tiles::count("states_per_lane",
                     "Number of descriptors of other tiles that each lane of the look-ahead warp reads at once. The "
                     "whole warp reads 32 times as many descriptors.",
                     {1, 2, 4, 5, 8}),
        tiles::count("blocks_per_multiprocessor",
                     "Number of blocks that are launched per multiprocessor. Each multiprocessor must be able to hold "
                     "all of them at once.",
                     {1, 2, 3, 4}),
        tiles::strategy(
            "order", "How tiles are assigned to blocks.",
            {{"ticket", "A block that is ready for a tile draws the number of the next tile from an atomic counter."},
             {"strided",
              "With B blocks, block b processes the tiles b, b + B, b + 2B and so on. The launch is cooperative. The "
              "result is reproducible."}}),
        tiles::strategy("fill", "How a tile is copied from global to shared memory.",
                        {{"bulk", "Bulk asynchronous copies (`cp.async.bulk`, compute capability 9.0 and later)."},
                         {"bulk_once", "As `bulk`, with the evict-first policy in the L2 cache."},
                         {"async", "Asynchronous copies of 16 bytes per lane (`cp.async`)."}}),
        tiles::strategy("emit", "How the results of a tile are copied from shared to global memory.",
                        {{"bulk", "Bulk asynchronous copies (`cp.async.bulk`, compute capability 9.0 and later)."},
                         {"bulk_once", "As `bulk`, with the evict-first policy in the L2 cache."},
                         {"vectorized", "Stores of 16 bytes per lane."},
                         {"vectorized_once", "As `vectorized`, with the evict-first policy in the L2 cache."}}),
        tiles::descriptor(),
        tiles::prefetch()};
    if (tiles::has_halves(problem)) parameters.push_back(tiles::packing());
    return parameters;
  }

  [[nodiscard]] Config own_defaults(const Problem& problem, const DeviceLimits& limits) const override {
    const bool bulk = limits.compute_capability >= 90;
    const Shape shape = is_single(problem) ? shape_for(problem) : fitting_shapes(problem, limits).front();
    const char* const copy = leaves_cache(problem) ? "bulk_once" : "bulk";
    // A warp writes few results of a reduction by key. Its tiles are large, so that there are few to look back over.
    const bool by_key = entry_of(problem).fold == Fold::counted_values;
    Config config{.schedule = "lookahead",
                  .values = {{"worker_warps", shape.warps},
                             {"vectors_per_thread", shape.vectors},
                             {"stages", shape.stages},
                             {"reduce_ahead", shape.ahead},
                             {"states_per_lane", by_key ? 2 : 5},
                             {"blocks_per_multiprocessor", 1},
                             {"order", "ticket"},
                             {"fill", bulk ? copy : "async"},
                             {"emit", bulk && !by_key ? copy : "vectorized"},
                             {"descriptor", "packed"},
                             {"prefetch", bulk ? "bulk" : "none"}}};
    if (tiles::has_halves(problem)) config.values["packing"] = tiles::default_packing(limits);
    fit(config, problem, limits);
    return config;
  }

  [[nodiscard]] std::vector<std::string> own_violations(const Problem& problem, const Config& config,
                                                        const DeviceLimits& limits) const override {
    const std::int64_t blocks = config.integer("blocks_per_multiprocessor");
    std::vector<std::string> violations =
        tiles::block_violations(limits, {.threads = threads(config),
                                         .blocks = blocks,
                                         .shared_bytes = storage(problem, config).size,
                                         .registers = registers(problem, config),
                                         .threads_from = "worker_warps",
                                         .blocks_from = "blocks_per_multiprocessor",
                                         .shared_bytes_from = "worker_warps, vectors_per_thread or stages",
                                         .items_from = "vectors_per_thread, reduce_ahead"});
    for (const char* parameter : {"fill", "emit"}) {
      if (is_bulk(config.name(parameter)) && limits.compute_capability < 90) {
        violations.push_back(fmt::format("compute capability: {0}={1} needs 9.0 or higher; use {0}={2}", parameter,
                                         config.name(parameter),
                                         std::string_view(parameter) == "fill" ? "async" : "vectorized"));
      }
    }
    if (limits.compute_capability < 80) {
      violations.push_back("compute capability: the schedule lookahead needs 8.0 or higher; use the schedule lookback");
    }
    tiles::check_prefetch(violations, config, limits);
    // A stage is free again when its results are on their way, and one more is looked at for the end.
    const std::int64_t needed = config.integer("reduce_ahead") + 2;
    if (config.integer("stages") < needed) {
      violations.push_back(fmt::format(
          "stages: with reduce_ahead={}, stages must be {} or more; use more stages or a smaller reduce_ahead",
          config.integer("reduce_ahead"), needed));
    }
    return violations;
  }

  [[nodiscard]] std::vector<Constraint> own_constraints(const Problem&) const override {
    std::vector<Constraint> constraints = tiles::block_constraints();
    constraints.push_back(tiles::capability_constraint(
        "The schedule needs compute capability 8.0, because it uses asynchronous copies. `fill=bulk`, "
        "`fill=bulk_once`, `emit=bulk`, `emit=bulk_once` and `prefetch=bulk` need compute capability 9.0."));
    constraints.push_back({"stages",
                           "`stages` is at least `reduce_ahead` + 2. The ring buffer holds the tiles that are reduced "
                           "ahead, the tile that is scanned, and one more tile."});
    return constraints;
  }

  [[nodiscard]] std::vector<Config> landmarks(const Problem& problem) const override {
    std::vector<Config> found;
    const bool once = leaves_cache(problem);
    for (const Shape& shape : is_single(problem) ? shapes_for(problem) : fitting_shapes(problem, usual_limits)) {
      for (const char* emit : {once ? "bulk_once" : "bulk", once ? "vectorized_once" : "vectorized"}) {
        found.push_back({"lookahead",
                         {{"worker_warps", shape.warps},
                          {"vectors_per_thread", shape.vectors},
                          {"stages", shape.stages},
                          {"reduce_ahead", shape.ahead},
                          {"emit", emit}}});
      }
    }
    return found;
  }

  // It keeps all multiprocessors busy with tiles to fetch, or it is not worth its start.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    return input_bytes(problem, problem.size) >= (std::uint64_t{1} << 18);
  }

  // In ticket order, which totals a block folds at once depends on timing.
  [[nodiscard]] bool fixed_association(const Config& config) const override {
    return config.name("order") == "strided";
  }

  [[nodiscard]] Recipe own_recipe(const Problem& problem, const Config& config) const override {
    const std::string fill = config.name("fill"), emit = config.name("emit");
    Recipe recipe;
    recipe.kernel = is_single(problem) ? "kernel/scan.lookahead_single.cuh" : "kernel/scan.lookahead_ports.cuh";
    recipe.roles = {{"thread/fold", fold_strategy(problem, config)},
                    {"thread/scan_and_store", sweep_strategy(problem, config)},
                    {"operator/packed_16x2", entry_of(problem.op).packed_16x2},
                    {"grid/descriptor", tiles::descriptor_strategy(problem, config)},
                    {"grid/claim", config.name("order")},
                    {"tile/prefetch", config.name("prefetch")},
                    {"pipeline/fill", is_bulk(fill) ? "bulk" : fill},
                    {"pipeline/bulk_load", fill.ends_with("_once") ? "once" : "keep"},
                    {"pipeline/store", is_bulk(emit) ? "bulk" : "vectorized"},
                    {"pipeline/bulk_store", emit.ends_with("_once") ? "once" : "keep"},
                    {"pipeline/arrays", "single"},
                    {"pipeline/stage", "single"},
                    {"pipeline/results", results_in_place(problem) ? "in_place" : "separate"},
                    {"pipeline/phase", is_bulk(fill) ? "suspend" : "poll"}};
    if (!is_single(problem)) {
      for (const char* role : {"pipeline/arrays", "pipeline/stage", "pipeline/results", "pipeline/scan_and_store"})
        recipe.roles[role] = "ports";
      recipe.definitions = stage_ports::templates(problem);
    }
    recipe.parameters = tiles::type_block(problem);
    recipe.parameters += tiles::constant("int", "threads_per_block", threads(config));
    recipe.parameters += tiles::constant("int", "minimum_blocks", config.integer("blocks_per_multiprocessor"));
    for (const char* name : {"worker_warps", "vectors_per_thread", "stages", "reduce_ahead", "states_per_lane"}) {
      recipe.parameters += tiles::constant("int", name, config.integer(name));
    }
    const bool in_stage = is_single(problem) ? results_in_place(problem) : stage_ports::results_in_stage(problem);
    recipe.parameters += fmt::format(
        "\n// Whether results wait where a tile's items were, to be stored.\n"
        "constexpr bool results_in_stage = {};\n",
        in_stage);
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(config.integer("blocks_per_multiprocessor"));
    recipe.launch.threads_per_block = static_cast<int>(threads(config));
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(tile_items(problem, config));
    recipe.launch.cooperative = config.name("order") == "strided";
    recipe.workspace = tiles::descriptor_workspace(problem, config, "drawn_often", true);
    tiles::place_storage(recipe, storage(problem, config).size);
    return recipe;
  }

 private:
  [[nodiscard]] static std::int64_t threads(const Config& config) {
    return (config.integer("worker_warps") + extra_warps) * warp_size;
  }
};

}  // namespace

const Schedule& scan_lookahead() {
  static const auto& schedule = *new const ScanLookahead;
  return schedule;
}

}  // namespace upsweep
