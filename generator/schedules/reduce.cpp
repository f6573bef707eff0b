// single_block, last_block and last_started: reductions in one launch.
#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/described_schedule.hpp"
#include "generator/device_limits.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/schedules/schedules.hpp"
#include "generator/tile_access.hpp"
#include "generator/tile_recipe.hpp"

namespace upsweep {
namespace {

using reduce_tiles::BlockReduce;

// A schedule of reductions whose blocks have shared memory of so many bytes.
template <typename Values>
class Reduction : public DescribedSchedule<Values> {
 public:
  using DescribedSchedule<Values>::DescribedSchedule;

  [[nodiscard]] bool supports(const Problem& problem) const final {
    return entry_of(problem).emission == Emission::at_end;
  }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const final { return reduce_tiles::constraints(); }

 protected:
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const Values& values,
                                               const DeviceLimits& limits) const final {
    return reduce_tiles::violations(problem, values, limits, storage(problem, values).size);
  }
  // SharedStorage of the kernel's template.
  [[nodiscard]] virtual tiles::Layout storage(const Problem& problem, const Values& values) const = 0;
};

class ReduceSingleBlock final : public Reduction<reduce_tiles::Values> {
 public:
  ReduceSingleBlock()
      : Reduction("single_block",
                  "One block reduces all items. The kernel needs no workspace. This schedule is meant for small n.",
                  "Harris, \"Optimizing Parallel Reduction in CUDA\", NVIDIA, 2007") {}

  [[nodiscard]] bool suits(const Problem& problem) const override {
    return problem.size <= tiles::most_items_of_few_blocks;
  }

 protected:
  [[nodiscard]] reduce_tiles::Values default_values(const Problem& problem, const DeviceLimits& limits) const override {
    reduce_tiles::Values values = reduce_tiles::default_values(problem, limits);
    if (!reduce_tiles::can_accumulate_per_thread(problem)) return values;
    const bool tiny = bytes_of(problem.size, problem.input) < std::uint64_t{64} << 10;
    values.items_per_thread = reduce_tiles::items_of_bytes(problem, tiny ? 64 : 128);
    values.block_reduce = BlockReduce::raking;
    return values;
  }
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const reduce_tiles::Values& values) const override {
    Recipe recipe = reduce_tiles::recipe(problem, values, storage(problem, values).size);
    recipe.kernel = "kernel/reduce.single_block.cuh";
    recipe.launch.grid = GridRule::one_block;
    return {recipe};
  }
  [[nodiscard]] tiles::Layout storage(const Problem& problem, const reduce_tiles::Values& values) const override {
    return tiles::struct_of({reduce_tiles::accumulate_storage(problem, values)});
  }
};

// ---- as many blocks as fit

struct BlocksValues : reduce_tiles::Values {
  std::int64_t blocks_per_multiprocessor = 4;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    LaunchValues::visit(values, problem, visitor);
  }
};

struct LastStartedValues : reduce_tiles::Values {
  std::int64_t blocks_per_multiprocessor = 4;
  tiles::Descriptor descriptor = tiles::Descriptor::packed;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    visitor(values.descriptor, tiles::descriptor);
    LaunchValues::visit(values, problem, visitor);
  }
};

// How many blocks per multiprocessor, of how many threads, load how many bytes per thread at a time.
struct Shape {
  std::int64_t threads;
  std::int64_t bytes;
  std::int64_t blocks;
  BlockReduce block_reduce;
  std::int64_t minimum_blocks = 1;
};

// What was best over all types and operators on an H200 (docs/notes/performance-notes.md): many small blocks where
// starting is all there is, few large ones with many bytes in flight elsewhere. In parts of 8 to 64 multiprocessors,
// several blocks with as many bytes in flight take 0.58 to 1.04 of the time of one large block (f32 and i8, 64 KiB per
// multiprocessor and more). There, some multiprocessors get more of the memory's bandwidth than others: from 4 MiB per
// multiprocessor on, more blocks than fit at once even that out (0.90 of the time of 2^26 items of f32 in a part of
// 16).
Shape default_shape(const Problem& problem, const DeviceLimits& limits) {
  const std::uint64_t bytes = bytes_of(problem.size, problem.input), kilobytes = bytes >> 10;
  // A sum in bins takes 20 registers and more besides the items.
  if (is_binned(problem) && kilobytes >= 4 << 10) return {1024, 64, 1, BlockReduce::warp_reduces};
  if (!is_binned(problem) && feeds_fast(limits, bytes, 64 << 10)) {
    if (feeds_unevenly(limits, bytes)) return {256, 128, 32, BlockReduce::warp_reduces, 4};
    if (limits.multiprocessors > 8 && value_size(problem) <= 4 && feeds_fast(limits, bytes, 4 << 20)) {
      return {448, 192, 8, BlockReduce::warp_reduces, 2};
    }
    return {256, 128, 4, BlockReduce::warp_reduces};
  }
  // 2^16 items of f32 in parts of 8, 16 and 64 multiprocessors of an H100: 2.48, 2.30 and 2.41 us, and 2.67, 2.67
  // and 2.58 us with 256 threads.
  if (kilobytes <= 256 && !is_binned(problem)) return {64, 64, 12, BlockReduce::raking};
  if (kilobytes < 1 << 10) return {256, 32, 4, BlockReduce::warp_reduces};
  if (kilobytes < 2 << 10) return {256, 64, 4, BlockReduce::warp_reduces};
  if (kilobytes < 4 << 10) return {1024, 64, 2, BlockReduce::warp_reduces};
  if (kilobytes < 16 << 10 || kilobytes >= 192 << 10) return {1024, 128, 1, BlockReduce::warp_reduces};
  return {1024, 64, 1, BlockReduce::raking};
}

constexpr Shape seed_shapes[] = {{256, 32, 4, BlockReduce::warp_reduces},  {256, 32, 6, BlockReduce::raking},
                                 {256, 64, 4, BlockReduce::warp_reduces},  {256, 64, 8, BlockReduce::warp_reduces},
                                 {448, 64, 2, BlockReduce::warp_reduces},  {512, 64, 2, BlockReduce::warp_reduces},
                                 {1024, 64, 1, BlockReduce::raking},       {1024, 64, 2, BlockReduce::warp_reduces},
                                 {1024, 64, 3, BlockReduce::warp_reduces}, {1024, 128, 1, BlockReduce::warp_reduces}};

template <typename Values>
class ReduceBlocks : public Reduction<Values> {
 public:
  using Reduction<Values>::Reduction;

  [[nodiscard]] std::string reason_for_defaults(const DeviceLimits& limits) const final {
    const double each = bandwidth_each(limits);
    if (each <= 0) return {};
    return fmt::format("the blocks are for {} multiprocessors with {:.0f} GB/s of memory bandwidth each",
                       limits.multiprocessors, each);
  }

 protected:
  [[nodiscard]] Values default_values(const Problem& problem, const DeviceLimits& limits) const final {
    Values values{reduce_tiles::default_values(problem, limits)};
    if (reduce_tiles::can_accumulate_per_thread(problem)) take(values, problem, default_shape(problem, limits));
    return values;
  }
  [[nodiscard]] std::vector<Values> seed_values(const Problem& problem, const DeviceLimits& limits) const final {
    if (!reduce_tiles::can_accumulate_per_thread(problem)) return {};
    std::vector<Values> found;
    for (const Shape& shape : seed_shapes) {
      take(found.emplace_back(default_values(problem, limits)), problem, shape);
    }
    return found;
  }
  [[nodiscard]] Recipe persistent_recipe(const Problem& problem, const Values& values) const {
    Recipe recipe = reduce_tiles::recipe(problem, values, this->storage(problem, values).size);
    recipe.launch.grid = GridRule::persistent;
    recipe.launch.blocks_per_multiprocessor = static_cast<int>(values.blocks_per_multiprocessor);
    return recipe;
  }

 private:
  static void take(Values& values, const Problem& problem, const Shape& shape) {
    values.threads_per_block = shape.threads;
    values.items_per_thread = reduce_tiles::items_of_bytes(problem, shape.bytes);
    values.minimum_blocks = shape.minimum_blocks;
    values.blocks_per_multiprocessor = shape.blocks;
    values.block_reduce = shape.block_reduce;
  }
};

class ReduceLastBlock final : public ReduceBlocks<BlocksValues> {
 public:
  ReduceLastBlock()
      : ReduceBlocks(
            "last_block",
            "Each block reduces its share of the items and writes a partial result. The last block to finish reduces "
            "the partial results in the order of the blocks.",
            "NVIDIA, \"CUDA C++ Programming Guide\", section \"Memory Fence Functions\" (sample "
            "threadFenceReduction)") {}

 protected:
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const BlocksValues& values) const override {
    Recipe recipe = persistent_recipe(problem, values);
    recipe.kernel = "kernel/reduce.last_block.cuh";
    const bool narrow = value_size(problem) <= 4;
    const std::uint32_t words = tiles::value_words(tiles::accumulator_layout(problem));
    recipe.roles["grid/partial"] = narrow ? "word_32" : "words_64";
    recipe.workspace = {.layout = "partials_" + std::to_string(narrow ? 32 : 64 * words),
                        .slot_bytes = narrow ? 4u : 8u * words};
    return {recipe};
  }
  [[nodiscard]] tiles::Layout storage(const Problem& problem, const BlocksValues& values) const override {
    return tiles::struct_of({reduce_tiles::accumulate_storage(problem, values),
                             reduce_tiles::reduce_storage(problem, values), tiles::Layout{}});
  }
};

class ReduceLastStarted final : public ReduceBlocks<LastStartedValues> {
 public:
  ReduceLastStarted()
      : ReduceBlocks(
            "last_started",
            "Each block reduces its share of the items and publishes a partial result in a descriptor. The last block "
            "to start waits for all partial results and reduces them in the order of the blocks.",
            "upsweep. Descriptors and tickets: Merrill and Garland, NVR-2016-002, 2016, section 4") {}

 protected:
  [[nodiscard]] std::vector<Recipe> steps(const Problem& problem, const LastStartedValues& values) const override {
    Recipe recipe = persistent_recipe(problem, values);
    recipe.kernel = "kernel/reduce.last_started.cuh";
    tiles::place_descriptors(recipe, tiles::accumulator_layout(problem), values.descriptor, "one_ticket", false);
    return {recipe};
  }
  [[nodiscard]] tiles::Layout storage(const Problem& problem, const LastStartedValues& values) const override {
    return tiles::struct_of({reduce_tiles::accumulate_storage(problem, values),
                             reduce_tiles::reduce_storage(problem, values), tiles::array_of_words(4, 2)});
  }
};

}  // namespace

const Schedule& reduce_single_block() {
  return *new const ReduceSingleBlock;
}

const Schedule& reduce_last_started() {
  return *new const ReduceLastStarted;
}

const Schedule& reduce_last_block() {
  return *new const ReduceLastBlock;
}

}  // namespace upsweep
