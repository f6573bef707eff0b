// lookahead: persistent blocks with a running prefix, warps that each do one thing, bulk copies several stages deep.
#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/device_limits.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/lookahead_ring.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/shape.hpp"
#include "generator/shape_defaults.hpp"
#include "generator/stage_ports.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

using lookahead::Emit;
using lookahead::Fill;
using lookahead::Values;

// Where results wait to be stored.
const char* results_strategy(const Problem& problem, const Values& values) {
  if (values.emit == Emit::positions) return "positions";
  if (!lookahead::is_single(problem)) return "ports";
  if (is_partition(problem)) return entry_of(problem).emission == Emission::parts ? "parts" : "both_ends";
  return lookahead::results_in_place(problem) ? "in_place" : "separate";
}

// Whether sums within rows are modulo 256.
bool sums_bytes_of_rows(const Problem& problem) {
  return has_row_begins(problem) && entry_of(problem.op).adds_bytes && is_integer(problem.accumulator) &&
         size_of(problem.input) == 1 && size_of(problem.accumulator) == 1 && size_of(problem.output) == 1;
}

// Whether stages have a part for each array.
bool has_parts(const Problem& problem, const Values& values) {
  return !lookahead::is_single(problem) || values.emit == Emit::positions;
}

bool is_bulk(Fill fill) {
  return fill != Fill::async;
}

bool is_bulk(Emit emit) {
  return emit == Emit::bulk || emit == Emit::bulk_once;
}

// How a thread adds up its items: four bytes at a time, two halves of a word at a time, in a wider type, or one by one.
// Results of a scan are added up by four only where they are bytes themselves.
const char* fold_strategy(const Problem& problem, const Values& values) {
  if (tiles::adds_bytes(problem)) return "bytes";
  if (is_compensated(problem) && size_of(problem.input) == 2 && part_of_sum(problem) == Type::f32) return "f64";
  return values.packing == tiles::Packing::packed_16x2 ? "packed_16x2" : "items";
}

const char* scan_strategy(const Problem& problem, const Values& values) {
  if (tiles::adds_bytes(problem) && size_of(problem.output) == 1) return "bytes";
  return values.packing == tiles::Packing::packed_16x2 ? "packed_16x2" : "items";
}

// Input and results that do not both fit the L2 cache, or hardly, leave it early: 9 to 15% faster there, and no
// difference where they are larger.
bool leaves_cache(const Problem& problem) {
  return input_bytes(problem, problem.size) >= std::uint64_t{8} << 20 &&
         input_bytes(problem, problem.size) < std::uint64_t{96} << 20;
}

void check_bulk(std::vector<std::string>& violations, const Values& values, const DeviceLimits& limits) {
  if (limits.compute_capability >= 90) return;
  const auto add = [&](const char* parameter, const char* value, const char* instead) {
    violations.push_back(
        fmt::format("compute capability: {0}={1} needs 9.0 or higher; use {0}={2}", parameter, value, instead));
  };
  if (is_bulk(values.fill)) add("fill", lookahead::fill.name_of(values.fill), "async");
  if (is_bulk(values.emit)) add("emit", lookahead::emit.name_of(values.emit), "vectorized");
}

// A thread's places are whole rows. The first tile may begin up to 31 bytes before the array. With three vectors, the
// first thread still has a whole row.
void check_columns(const Problem& problem, const Values& values, std::vector<std::string>& violations) {
  constexpr std::int64_t vector_bytes = 16, least_vectors = 3, most = most_row_bytes;
  const std::int64_t columns = values.shape.row_columns, vectors = values.shape.vectors_per_thread;
  if (columns == 0) return;
  if (const auto behind = static_cast<std::int64_t>(exact_inner(problem)); behind > 0 && behind != columns) {
    violations.push_back(
        fmt::format("row_columns: the axis has {} items behind it; use row_columns={}", behind, behind));
  }
  const auto value_bytes = static_cast<std::int64_t>(size_of(problem.accumulator));
  if (columns * value_bytes > most) {
    violations.push_back(fmt::format("row_columns: {} values of {} bytes are more than {} bytes; use row_columns=2",
                                     columns, value_bytes, most));
  }
  const std::int64_t items = vectors * vector_bytes / static_cast<std::int64_t>(size_of(problem.input));
  if (vectors >= least_vectors && items % columns == 0) return;
  violations.push_back(
      fmt::format("vectors_per_thread: a thread's {} items are not whole rows of {}, or fewer than {} vectors; use "
                  "vectors_per_thread={}",
                  items, columns, least_vectors, least_vectors));
}

class ScanLookahead final : public DescribedSchedule<Values> {
 public:
  ScanLookahead()
      : DescribedSchedule(
            "lookahead",
            "Persistent blocks with specialised warps. A loader warp copies tiles into a ring buffer in shared memory. "
            "Worker warps reduce each tile, and scan it some tiles later. A publisher warp publishes the aggregate of "
            "each tile. A look-ahead warp combines the aggregates of all tiles since the previous tile of its block. "
            "Along an axis with two to four items behind it, rows take the place of items.",
            "upsweep (docs/kernels.md, section 3). Tickets: Merrill and Garland, NVR-2016-002, 2016, section 4.4") {}

  [[nodiscard]] bool supports(const Problem& problem) const override {
    if (has_pitch(problem)) return false;  // copies to stages are of whole tiles
    if (!is_scanned(problem) && !has_few_columns(problem)) return false;
    // Stages hold vectors of 16 bytes.
    if (lookahead::is_single(problem)) {
      return tiles::fills_vectors(problem.input) && tiles::fills_vectors(problem.output);
    }
    return stage_ports::are_supported(problem);
  }

  [[nodiscard]] std::string reason_for_defaults(const DeviceLimits& limits) const override {
    const double each = bandwidth_each(limits);
    if (each <= 0) return {};
    return fmt::format("{} and {} are for {} multiprocessors with {:.0f} GB/s of memory bandwidth each",
                       lookahead::reduce_ahead.name, lookahead::states_per_lane.name, limits.multiprocessors, each);
  }

  // The schedule keeps all multiprocessors busy with tiles to load, or it is not worth its start. Along an axis, no
  // other schedule scans as many rows as fast.
  [[nodiscard]] bool suits(const Problem& problem) const override {
    constexpr std::uint64_t few_rows = 1 << 10;
    if (is_scan_along_axis(problem)) return problem.row_length > few_rows;
    return input_bytes(problem, problem.size) >= (std::uint64_t{1} << 18);
  }

  [[nodiscard]] std::vector<Constraint> constraints(const Problem& problem) const override {
    std::vector<Constraint> constraints = tiles::block_constraints();
    constraints.push_back(capability_constraint(
        "The schedule needs compute capability 8.0, because it uses asynchronous copies. `fill=bulk`, "
        "`fill=bulk_once`, `emit=bulk`, `emit=bulk_once` and `prefetch=bulk` need compute capability 9.0."));
    constraints.push_back({"stages",
                           "`stages` is at least `reduce_ahead` + 2. The ring buffer holds the tiles that are reduced "
                           "ahead, the tile that is scanned, and one more tile." +
                               (has_segment_begins(problem)
                                    ? std::string(" It is at least `filler_warps`: as many warps take turns at the "
                                                  "stages.")
                                    : std::string())});
    if (is_scan_along_axis(problem)) {
      constraints.push_back(
          {"row_columns", fmt::format("It is the number of items behind the axis, and so many values have at most "
                                      "{} bytes.",
                                      most_row_bytes)});
      constraints.push_back({"vectors_per_thread", "It is 3 or more, and a thread's items are whole rows."});
    }
    return constraints;
  }

 protected:
  [[nodiscard]] Values default_values(const Problem& problem, const DeviceLimits& limits) const override {
    // A warp writes few results of a reduction by key. Its tiles are large, so that there are few to look back over.
    const bool by_key = entry_of(problem).fold == Fold::counted_values;
    const bool once = leaves_cache(problem);
    Values values;
    values.set_defaults(problem, limits);
    const bool by_positions = lookahead::prefers_positions(problem);
    values.shape = lookahead::default_shape(problem, limits, by_positions);
    values.states_per_lane = lookahead::default_states_per_lane(problem, limits);
    const bool takes_vectors = by_key || lookahead::selects_bytes(problem) ||
                               lookahead::selects_fast(problem, limits) || lookahead::has_large_wide_tiles(problem);
    if (limits.compute_capability >= 90) {
      values.fill = once ? Fill::bulk_once : Fill::bulk;
      if (!takes_vectors) values.emit = once ? Emit::bulk_once : Emit::bulk;
    }
    if (by_positions) values.emit = Emit::positions;
    values.prefetch = tiles::default_prefetch(limits);
    values.packing = tiles::default_packing(problem, limits);
    return values;
  }

  [[nodiscard]] std::vector<Values> seed_values(const Problem& problem, const DeviceLimits& limits) const override {
    std::vector<Values> found;
    const bool once = leaves_cache(problem);
    for (const lookahead::Shape& shape : lookahead::seed_shapes(problem)) {
      for (const Emit emit : {once ? Emit::bulk_once : Emit::bulk, once ? Emit::vectorized_once : Emit::vectorized}) {
        Values values = default_values(problem, limits);
        values.shape = shape;
        values.emit = emit;
        found.push_back(values);
      }
    }
    for (const lookahead::Shape& shape : lookahead::seed_shapes_of_positions(problem)) {
      Values values = default_values(problem, limits);
      values.shape = shape;
      values.emit = Emit::positions;
      found.push_back(values);
    }
    return found;
  }

  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const Values& values,
                                               const DeviceLimits& limits) const override {
    std::vector<std::string> violations =
        tiles::block_violations(limits, {.threads = values.shape.threads(),
                                         .blocks = values.blocks_per_multiprocessor,
                                         .shared_bytes = lookahead::shared_bytes(problem, values.shape, values.emit),
                                         .registers = lookahead::registers(problem, values.shape, values.emit),
                                         .threads_from = "worker_warps",
                                         .blocks_from = "blocks_per_multiprocessor",
                                         .shared_bytes_from = "worker_warps, vectors_per_thread or stages",
                                         .items_from = "vectors_per_thread, reduce_ahead"});
    check_bulk(violations, values, limits);
    if (limits.compute_capability < 80) {
      violations.push_back("compute capability: the schedule lookahead needs 8.0 or higher; use the schedule lookback");
    }
    tiles::check_prefetch(violations, values.prefetch, limits);
    check_columns(problem, values, violations);
    // A stage is free again when its results are on their way, and one more is looked at for the end.
    const std::int64_t fillers = values.shape.filler_warps, needed = values.shape.reduce_ahead + 2;
    if (values.shape.stages < fillers) {
      violations.push_back(fmt::format("stages: {} warps take turns at the stages, so that stages must be {} or more",
                                       fillers, fillers));
    }
    if (values.shape.stages < needed) {
      violations.push_back(fmt::format(
          "stages: with reduce_ahead={}, stages must be {} or more; use more stages or a smaller reduce_ahead",
          values.shape.reduce_ahead, needed));
    }
    return violations;
  }

  // With tickets, which aggregates a block combines at once depends on timing.
  [[nodiscard]] bool is_association_fixed(const Values& values) const override {
    return values.order == lookahead::Order::strided;
  }

  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const Values& values) const override {
    Recipe recipe;
    recipe.roles = roles(problem, values);
    recipe.kernel = "kernel/scan.lookahead_single.cuh";
    if (has_parts(problem, values)) recipe.definitions = stage_ports::templates(problem);
    if (has_parts(problem, values) || entry_of(problem).emission == Emission::parts) {
      recipe.kernel = "kernel/scan.lookahead_ports.cuh";
    }
    if (has_segment_begins(problem)) recipe.kernel = "kernel/scan.lookahead_turns.cuh";
    recipe.parameters = parameters_text(problem, values);
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
    recipe.launch.threads_per_block = static_cast<int>(values.shape.threads());
    recipe.launch.row_columns = static_cast<int>(values.shape.row_columns);
    recipe.launch.items_per_tile = static_cast<std::uint64_t>(values.shape.tile_items(problem));
    recipe.launch.cooperative = values.order == lookahead::Order::strided;
    tiles::place_descriptors(recipe, lookahead::local_layout(problem, values.shape), values.descriptor, "many_tickets",
                             true);
    tiles::place_storage(recipe, lookahead::shared_bytes(problem, values.shape, values.emit));
    return {recipe};
  }

 private:
  [[nodiscard]] static std::map<std::string, std::string> roles(const Problem& problem, const Values& values) {
    const bool fills_once = values.fill == Fill::bulk_once;
    const bool emits_once = values.emit == Emit::bulk_once || values.emit == Emit::vectorized_once;
    const char* const arrays = is_backward(problem) ? "backward" : "single";
    std::map<std::string, std::string> roles = {{"thread/fold", fold_strategy(problem, values)},
                                                {"thread/scan_and_store", scan_strategy(problem, values)},
                                                {"operator/packed_16x2", entry_of(problem.op).packed_16x2},
                                                {"grid/claim", lookahead::order.name_of(values.order)},
                                                {"grid/look_ahead", is_compensated(problem) ? "lanes" : "rows"},
                                                {"tile/prefetch", tiles::prefetch.name_of(values.prefetch)},
                                                {"pipeline/fill", is_bulk(values.fill) ? "bulk" : "async"},
                                                {"pipeline/bulk_load", fills_once ? "once" : "keep"},
                                                {"pipeline/store", is_bulk(values.emit) ? "bulk" : "vectorized"},
                                                {"pipeline/bulk_store", emits_once ? "once" : "keep"},
                                                {"pipeline/arrays", arrays},
                                                {"pipeline/stage", arrays},
                                                {"pipeline/results", results_strategy(problem, values)},
                                                {"pipeline/phase", is_bulk(values.fill) ? "suspend" : "poll"}};
    if (lookahead::packs_bytes(problem)) roles["pipeline/fold_share"] = roles["pipeline/gather_results"] = "bytes";
    if (entry_of(problem).emission == Emission::parts) roles["pipeline/arrays"] = "parts";
    if (values.shape.row_columns > 0) {
      roles["thread/fold"] = roles["thread/scan_and_store"] = roles["operator/combine"] = "columns";
      if (has_initial_prefix(problem)) roles["algorithm/start"] = "columns";
    }
    if (has_parts(problem, values)) {
      roles["pipeline/arrays"] = roles["pipeline/stage"] = "ports";
      roles["pipeline/scan_and_store"] = is_compact(problem) ? "ports" : "dense_ports";
      if (has_row_begins(problem) || has_segment_begins(problem)) roles["pipeline/fold_share"] = "rows";
      if (sums_bytes_of_rows(problem)) {
        roles["pipeline/scan_and_store"] = roles["pipeline/fold_share"] = "row_bytes";
        roles["algorithm/row_start"] = entry_of(problem).has_initial ? "initial" : "zero";
      }
    }
    if (values.emit == Emit::positions) {
      roles["pipeline/scan_and_store"] = "positions";
      roles["pipeline/fold_share"] = "masks";
      roles["pipeline/kept"] = "mask";
      const bool has_short_runs = entry_of(problem).result_distance > 1;
      roles["pipeline/mask_fold"] = entry_of(problem).fold == Fold::counts ? "count"
                                    : has_short_runs                       ? "long_runs"
                                                                           : "runs";
      roles["pipeline/store_marked"] = has_short_runs ? "long_runs" : "each";
    }
    return roles;
  }

  [[nodiscard]] static std::string parameters_text(const Problem& problem, const Values& values) {
    const bool in_stage = !has_parts(problem, values)
                              ? lookahead::results_in_place(problem)
                              : values.emit != Emit::positions && stage_ports::results_in_stage(problem);
    const std::int64_t columns = values.shape.row_columns;
    return tiles::type_block(problem, "Local", columns) +
           (columns > 0 ? tiles::constant("int", "row_columns", columns) : "") +
           tiles::constant("int", "threads_per_block", values.shape.threads()) +
           tiles::constant("int", "minimum_blocks", values.blocks_per_multiprocessor) +
           tiles::constant("int", "worker_warps", values.shape.worker_warps) +
           tiles::constant("int", "vectors_per_thread", values.shape.vectors_per_thread) +
           tiles::constant("int", "stages", values.shape.stages) +
           tiles::constant("int", "reduce_ahead", values.shape.reduce_ahead) +
           tiles::constant("int", "states_per_lane", values.states_per_lane) +
           (has_segment_begins(problem) ? tiles::constant("int", "filler_warps", values.shape.filler_warps) : "") +
           fmt::format(
               "\n// Whether results wait where a tile's items were, to be stored.\n"
               "constexpr bool results_in_stage = {};\n",
               in_stage);
  }
};

}  // namespace

const Schedule& scan_lookahead() {
  return *new const ScanLookahead;
}

}  // namespace upsweep
