#include "generator/schedules/reduce_tiles.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep::reduce_tiles {
namespace {

// Items of about 64 bytes, as many as items_per_thread can be.
std::int64_t blocked_items(const Problem& problem) {
  const std::int64_t items = tiles::items_for_bytes(problem, 64);
  return items > 8 ? items / 2 * 2 : items;
}

// How a thread adds up the items that it has loaded, with `accumulate=per_thread`.
const char* fold_strategy(const Problem& problem, const Values& values) {
  if (tiles::adds_bytes(problem) && values.load == tiles::Access::vectorized) return "bytes";
  return values.packing == tiles::Packing::packed_16x2 ? "packed_16x2" : "items";
}

}  // namespace

constinit const CountParameter items_per_thread{
    "items_per_thread",
    "Number of items that each thread loads at a time. With `accumulate=per_tile` these items are consecutive "
    "(blocked arrangement). With `accumulate=per_thread` neighbouring threads load neighbouring items or "
    "vectors (striped arrangement). A tile has `threads_per_block` x `items_per_thread` items.",
    // Of bytes it takes many to fill vectors.
    {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64, 96, 128}};

constinit const ChoiceParameter<Accumulate> accumulate{
    "accumulate",
    "The order in which a block reduces its items.",
    {{Accumulate::per_thread, "per_thread",
      "Each thread keeps one running value over all tiles of its block. At the end, the block reduces the values of "
      "its threads. Only for commutative operators."},
     {Accumulate::per_tile, "per_tile", "The block reduces one tile after the other, in the order of the items."}}};

constinit const ChoiceParameter<BlockReduce> block_reduce{
    "block_reduce",
    "How a block reduces the values of its threads, one value per thread.",
    {{BlockReduce::warp_reduces, "warp_reduces",
      "Each warp reduces its values with shuffles. One warp then reduces the results of all warps."},
     {BlockReduce::raking, "raking",
      "All values go to shared memory. Each lane of one warp then reduces one segment, and the warp reduces the "
      "results of its lanes."}}};

constinit const CountParameter blocks_per_multiprocessor{
    "blocks_per_multiprocessor",
    "Number of blocks that are launched per multiprocessor, at most; fewer for few items.",
    {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}};

bool can_accumulate_per_thread(const Problem& problem) {
  return is_commutative(problem.op) && tiles::fills_vectors(problem.input);
}

std::int64_t items_of_bytes(const Problem& problem, std::int64_t bytes) {
  const auto size = static_cast<std::int64_t>(size_of(problem.input));
  return std::clamp<std::int64_t>(bytes / size, 1, 128);
}

Values default_values(const Problem& problem, const DeviceLimits& limits) {
  Values values;
  values.set_defaults(problem, limits);
  values.items_per_thread = blocked_items(problem);
  if (can_accumulate_per_thread(problem)) {
    values.items_per_thread = items_of_bytes(problem, 64);
    values.accumulate = Accumulate::per_thread;
    values.load = size_of(problem.input) < 16 ? tiles::Access::vectorized : tiles::Access::direct;
  }
  values.prefetch = tiles::default_prefetch(limits);
  values.packing = tiles::default_packing(problem, limits);
  return values;
}

std::vector<std::string> violations(const Problem& problem, const Values& values, const DeviceLimits& limits,
                                    std::int64_t shared_bytes) {
  const bool per_thread = values.accumulate == Accumulate::per_thread;
  // With per_thread, items are held as they were loaded, and added up one by one; 24 registers and the sum besides. A
  // sum in bins is twice there: the bins, and the slices of the items for them.
  const auto words_of = [](std::size_t bytes) { return static_cast<std::int64_t>((bytes + 3) / 4); };
  const std::int64_t items = values.items_per_thread;
  const std::int64_t item_words = per_thread ? (items * static_cast<std::int64_t>(size_of(problem.input)) + 3) / 4
                                             : items * words_of(value_size(problem));
  std::vector<std::string> found = tiles::block_violations(
      limits,
      {.threads = values.threads_per_block,
       .blocks = values.minimum_blocks,
       .shared_bytes = shared_bytes,
       .registers = item_words + 24 + (per_thread ? words_of(value_size(problem)) * (is_binned(problem) ? 2 : 1) : 0)});
  tiles::check_prefetch(found, values.prefetch, limits);
  tiles::check_vectors(found, "load", values.load, problem.input, items);
  if (values.packing == tiles::Packing::packed_16x2 && (!per_thread || values.load != tiles::Access::vectorized)) {
    found.push_back("packing: packing=packed_16x2 needs accumulate=per_thread and load=vectorized; use packing=single");
  }
  if (!per_thread) return found;
  if (!tiles::fills_vectors(problem.input)) {
    found.push_back(fmt::format(
        "alignment: accumulate=per_thread needs items that fill vectors of 16 bytes, but items of {} bytes do not; "
        "use accumulate=per_tile",
        size_of(problem.input)));
  }
  if (!is_commutative(problem.op)) {
    found.push_back("order: accumulate=per_thread needs a commutative operator; use accumulate=per_tile");
  }
  if (values.load != tiles::Access::direct && values.load != tiles::Access::vectorized) {
    found.push_back("load: accumulate=per_thread needs load=direct or load=vectorized; use one of these");
  }
  return found;
}

std::vector<Constraint> constraints() {
  std::vector<Constraint> constraints = tiles::tile_constraints("`prefetch=bulk` needs compute capability 9.0.");
  constraints.push_back({"order", "`accumulate=per_thread` needs a commutative operator."});
  constraints.push_back({"alignment",
                         "`accumulate=per_thread` needs items of 1, 2, 4, 8 or 16 bytes that are aligned to their "
                         "size. All built-in types are."});
  constraints.push_back({"load", "`accumulate=per_thread` needs `load=direct` or `load=vectorized`."});
  constraints.push_back({"packing", "`packing=packed_16x2` needs `accumulate=per_thread` and `load=vectorized`."});
  return constraints;
}

tiles::Layout reduce_storage(const Problem& problem, const Values& values) {
  const std::int64_t threads = values.threads_per_block;
  return tiles::array_of(tiles::accumulator_layout(problem),
                         values.block_reduce == BlockReduce::raking ? tiles::padded(threads) : threads / 32);
}

tiles::Layout accumulate_storage(const Problem& problem, const Values& values) {
  const tiles::Layout reduce = reduce_storage(problem, values);
  if (values.accumulate == Accumulate::per_thread) return reduce;
  return tiles::struct_of({tiles::exchange_storage(values.load, problem.input, values), reduce});
}

Recipe recipe(const Problem& problem, const Values& values, std::int64_t shared_bytes) {
  Recipe recipe;
  recipe.roles = {{"tile/accumulate", accumulate.name_of(values.accumulate)},
                  {"tile/prefetch", tiles::prefetch.name_of(values.prefetch)},
                  {"tile/load", tiles::load.name_of(values.load)},
                  {"block/reduce", block_reduce.name_of(values.block_reduce)}};
  if (values.accumulate == Accumulate::per_thread) {
    if (is_binned(problem)) recipe.roles["tile/thread_fold"] = "binned";
    recipe.roles["tile/load_striped"] = tiles::load.name_of(values.load);
    recipe.roles["tile/fold_striped"] = fold_strategy(problem, values);
    recipe.roles["operator/packed_16x2"] = entry_of(problem.op).packed_16x2;
  }
  recipe.parameters = tiles::parameter_block(problem, values);
  recipe.parameters +=
      tiles::constant("int", "load_vector_bytes", tiles::vector_bytes(problem.input, values.items_per_thread));
  tiles::set_tile(recipe, values);
  tiles::place_storage(recipe, shared_bytes);
  return recipe;
}

}  // namespace upsweep::reduce_tiles
