// ladder: the reductions of Harris' slides, step by step.
#include <algorithm>

#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/operator.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_recipe.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep {
namespace {

enum class Step : std::uint8_t {
  interleaved_divergent,
  interleaved_strided,
  sequential,
  first_add,
  unrolled_warp,
  unrolled,
  multiple_items,
  shuffles,
  redux,
  bulk_copies
};

// The trees of the slides halve the number of threads.
constinit const CountParameter ladder_threads{
    "threads_per_block", "Number of threads in each block: a power of two.", {32, 64, 128, 256, 512, 1024}};

constexpr Choice<Step> interleaved_divergent{Step::interleaved_divergent, "interleaved_divergent",
                                             "Each thread loads one item. In the tree, every second thread that is "
                                             "left combines its value with its neighbour's. "
                                             "The threads of a warp diverge (\"Reduction #1\")."};
constexpr Choice<Step> interleaved_strided{
    Step::interleaved_strided, "interleaved_strided",
    "The same pairs, combined by the lowest threads of the block. Warps do not diverge, but addresses that are a power "
    "of two apart conflict in the banks of shared memory (\"Reduction #2\")."};
constexpr Choice<Step> sequential_step{
    Step::sequential, "sequential",
    "The lower half of the threads that are left combine their values with those of the upper half. There are no bank "
    "conflicts. The operator must commute, from this step on (\"Reduction #3\")."};
constexpr Choice<Step> first_add{
    Step::first_add, "first_add",
    "Each thread loads two items, half a tile apart, and combines them at once. Without it, half of the threads have "
    "nothing to do after the load (\"Reduction #4\")."};
constexpr Choice<Step> unrolled_warp{
    Step::unrolled_warp, "unrolled_warp",
    "The last six steps of the tree are unrolled and need barriers of one warp only. The slides have no barrier there, "
    "which is wrong from compute capability 7.0 on (\"Reduction #5\")."};
constexpr Choice<Step> unrolled{Step::unrolled, "unrolled", "The whole tree is unrolled (\"Reduction #6\")."};
constexpr Choice<Step> multiple_items{
    Step::multiple_items, "multiple_items",
    "As many blocks are launched as run at the same time. Each thread adds up its items of many tiles first "
    "(\"Reduction #7\")."};
constexpr Choice<Step> shuffles{
    Step::shuffles, "shuffles",
    "The same, but warps fold with shuffles instead of shared memory (Luitjens, \"Faster Parallel Reductions on "
    "Kepler\", NVIDIA, 2014)."};
constexpr Choice<Step> redux{Step::redux, "redux",
                             "The same, but a warp folds by one instruction (`redux.sync`, compute capability 8.0 and "
                             "later). For sums, minimum, "
                             "maximum and bitwise operators of `i32` and `u32`."};

constexpr Choice<Step> bulk_copies{
    Step::bulk_copies, "bulk_copies",
    "With shuffles again; bulk copies bring the tiles to shared memory, several of them at a time (`cp.async.bulk`, "
    "compute capability 9.0 and later)."};

constexpr const char* step_meaning = "The step of the ladder. Each step keeps what the steps before it have gained.";

constinit const ChoiceParameter<Step> all_steps{
    "step",
    step_meaning,
    {interleaved_divergent, interleaved_strided, sequential_step, first_add, unrolled_warp, unrolled, multiple_items,
     shuffles, redux, bulk_copies}};

constinit const ChoiceParameter<Step> steps_without_redux{
    "step",
    step_meaning,
    {interleaved_divergent, interleaved_strided, sequential_step, first_add, unrolled_warp, unrolled, multiple_items,
     shuffles, bulk_copies}};

bool has_redux(const Problem& problem) {
  const bool is_word = problem.accumulator == Type::i32 || problem.accumulator == Type::u32;
  return is_word && entry_of(problem.op).has_redux;
}

const ChoiceParameter<Step>& ladder_step(const Problem& problem) {
  return has_redux(problem) ? all_steps : steps_without_redux;
}

struct LadderValues : LaunchValues {
  std::int64_t threads_per_block = 256;
  Step step = Step::multiple_items;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, ladder_threads);
    visitor(values.step, ladder_step(problem));
    LaunchValues::visit(values, problem, visitor);
  }
};

constexpr int capability_of_redux = 80, capability_of_bulk_copies = 90;

bool strides(Step step) {
  return step >= Step::multiple_items;
}

// templates/block/tree.*.cuh.
const char* tree_of(Step step) {
  if (step == Step::first_add) return sequential_step.name;
  if (step == Step::redux || step == Step::bulk_copies) return shuffles.name;
  return all_steps.name_of(step == Step::multiple_items ? Step::unrolled : step);
}

// templates/tile/first_level.*.cuh.
const char* first_level_of(Step step) {
  return strides(step) ? "many" : step >= Step::first_add ? "two" : "one";
}

// BlockTreeStorage of the templates.
std::int64_t storage_bytes(const Problem& problem, const LadderValues& values, std::int64_t threads) {
  const std::int64_t slots = values.step >= Step::shuffles ? threads / 32 : threads;
  return tiles::struct_of({tiles::array_of(tiles::accumulator_layout(problem), slots)}).size;
}

// SharedStorage of templates/kernel/reduce.ladder_bulk.cuh.
std::int64_t bulk_storage_bytes(const Problem& problem, std::int64_t threads) {
  const std::int64_t stages = threads < 1024 ? 4 : 2;
  return tiles::struct_of({tiles::array_of_words(16, stages * threads),
                           tiles::array_of(tiles::accumulator_layout(problem), threads / 32),
                           tiles::array_of_words(8, stages)})
      .size;
}

// Of a block of the first kernel.
std::int64_t tree_storage_bytes(const Problem& problem, const LadderValues& values) {
  return values.step == Step::bulk_copies ? bulk_storage_bytes(problem, values.threads_per_block)
                                          : storage_bytes(problem, values, values.threads_per_block);
}

// Per thread and tile, in the first kernel.
std::int64_t items_of_tile(const Problem& problem, Step step) {
  if (step == Step::bulk_copies)
    return std::max<std::int64_t>(16 / static_cast<std::int64_t>(size_of(problem.input)), 1);
  return step >= Step::first_add ? 2 : 1;
}

// Of the block that folds the partial results, which may be many: four times as many as in other blocks, if that is not
// too much shared memory.
std::int64_t threads_of_rest(const Problem& problem, const LadderValues& values) {
  constexpr std::int64_t most = 1024, most_bytes = 32 << 10;
  const std::int64_t wide = std::min(4 * values.threads_per_block, most);
  return storage_bytes(problem, values, wide) <= most_bytes ? wide : values.threads_per_block;
}

// As many blocks as a multiprocessor of 2048 threads holds.
std::int64_t blocks_per_multiprocessor(const LadderValues& values) {
  constexpr std::int64_t most_threads = 2048, most_blocks = 32;
  return std::min(most_threads / values.threads_per_block, most_blocks);
}

class ReduceLadder final : public DescribedSchedule<LadderValues> {
 public:
  ReduceLadder()
      : DescribedSchedule(
            "ladder",
            "The reduction ladder: a sequence of kernels, each without a cost that the one before has. Each "
            "block reduces its items by a tree in shared memory and writes a partial result. A second "
            "kernel, of one block, reduces the partial results by the same tree. A search seldom "
            "proposes this schedule.",
            "Harris, \"Optimizing Parallel Reduction in CUDA\", NVIDIA, 2007") {}

  [[nodiscard]] bool supports(const Problem& problem) const override {
    return entry_of(problem).emission == Emission::at_end;
  }
  [[nodiscard]] bool is_baseline() const override { return true; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const override {
    std::vector<Constraint> constraints = tiles::block_constraints();
    constraints.push_back({"order",
                           "The operator must commute, except with `step=interleaved_divergent` and "
                           "`step=interleaved_strided`, which combine neighbours."});
    constraints.push_back(capability_constraint("`step=redux` needs compute capability 8.0, `step=bulk_copies` 9.0."));
    constraints.push_back({"alignment", "`step=bulk_copies` needs items that fill vectors of 16 bytes."});
    return constraints;
  }

 protected:
  [[nodiscard]] LadderValues default_values(const Problem& problem, const DeviceLimits& limits) const override {
    LadderValues values;
    values.set_defaults(problem, limits);
    if (!is_commutative(problem.op)) values.step = Step::interleaved_strided;
    return values;
  }
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const LadderValues& values,
                                               const DeviceLimits& limits) const override {
    const std::int64_t threads = values.threads_per_block;
    const auto words = static_cast<std::int64_t>((value_size(problem) + 3) / 4);
    std::vector<std::string> found =
        tiles::block_violations(limits, {.threads = std::max(threads, threads_of_rest(problem, values)),
                                         .shared_bytes = tree_storage_bytes(problem, values),
                                         .registers = 2 * words + 24,
                                         .shared_bytes_from = "threads_per_block",
                                         .items_from = "threads_per_block"});
    if (values.step == Step::redux && limits.compute_capability < capability_of_redux) {
      found.emplace_back("compute capability: step=redux needs 8.0 or higher; use step=shuffles");
    }
    if (values.step == Step::bulk_copies) {
      if (limits.compute_capability < capability_of_bulk_copies) {
        found.emplace_back("compute capability: step=bulk_copies needs 9.0 or higher; use step=shuffles");
      }
      if (!tiles::fills_vectors(problem.input)) {
        found.emplace_back("alignment: step=bulk_copies needs items that fill vectors of 16 bytes; use step=shuffles");
      }
    }
    if (values.step >= Step::sequential && !is_commutative(problem.op)) {
      found.push_back(
          fmt::format("order: step={} needs a commutative operator; use step=interleaved_divergent or "
                      "step=interleaved_strided",
                      all_steps.name_of(values.step)));
    }
    return found;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const LadderValues& values) const override {
    Recipe tree = recipe(problem, values, values.threads_per_block, tree_storage_bytes(problem, values));
    tree.kernel = values.step == Step::bulk_copies ? "kernel/reduce.ladder_bulk.cuh" : "kernel/reduce.ladder.cuh";
    tree.roles["tile/first_level"] = first_level_of(values.step);
    tree.launch.grid = strides(values.step) ? GridRule::persistent : GridRule::block_per_tile;
    if (strides(values.step)) {
      tree.launch.blocks_per_multiprocessor = static_cast<int>(blocks_per_multiprocessor(values));
    }
    const std::int64_t threads = threads_of_rest(problem, values);
    Recipe rest = recipe(problem, values, threads, storage_bytes(problem, values, threads));
    rest.kernel = "kernel/reduce.ladder_rest.cuh";
    rest.launch.grid = GridRule::one_block;
    return {tree, rest};
  }

 private:
  // What the steps have in common. A block of so many threads, with so many bytes of shared memory.
  [[nodiscard]] static Recipe recipe(const Problem& problem, const LadderValues& values, std::int64_t threads,
                                     std::int64_t shared_bytes) {
    const std::int64_t items = items_of_tile(problem, values.step);
    const auto tile = static_cast<std::uint64_t>(values.threads_per_block * items);
    Recipe recipe;
    recipe.roles["block/tree"] = tree_of(values.step);
    if (values.step == Step::redux) {
      recipe.roles["warp/reduce"] = "redux";
      recipe.roles["operator/redux"] = entry_of(problem.op).name;
    }
    recipe.parameters = tiles::type_block(problem);
    recipe.parameters += tiles::constant("int", "threads_per_block", threads);
    recipe.parameters += tiles::constant("int", "items_per_thread", items);
    recipe.launch.threads_per_block = static_cast<int>(threads);
    recipe.launch.items_per_tile = tile;
    ScratchRule partials{.name = "partials",
                         .type = "Accumulator",
                         .item_bytes = static_cast<std::uint64_t>(tiles::accumulator_layout(problem).size)};
    if (strides(values.step)) {
      partials.items_per_multiprocessor = static_cast<std::uint64_t>(blocks_per_multiprocessor(values));
    } else {
      partials.call_items_per_item = tile;
    }
    recipe.scratch = {partials,
                      {.name = "partial_count", .type = "u64", .item_bytes = sizeof(std::uint64_t), .items = 1}};
    tiles::place_storage(recipe, shared_bytes);
    return recipe;
  }
};

}  // namespace

const Schedule& reduce_ladder() {
  return *new const ReduceLadder;
}

}  // namespace upsweep
