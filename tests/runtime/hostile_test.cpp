// Look-back and its kin under hostile schedules: blocks in random order with few or many of them resident, preemption
// anywhere, threads, warps and blocks held back, relaxed stores that others see late. Seeds are printed on failure and
// give the same run again.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>

#include "generator/short_config.hpp"
#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::affine;
using test::complex_sum;
using test::Data;
using test::hostile_schedule;
using test::sum;
using test::two_multiprocessors;

struct Hostile {
  Problem problem;
  std::string partial;  // config
  std::uint64_t seeds;
  std::string name;
  int threads = 64;  // per block, where the schedule leaves a choice
};

void PrintTo(const Hostile& hostile, std::ostream* out) {
  *out << hostile.name;
}

constexpr Algorithm inclusive = Algorithm::inclusive_scan, exclusive = Algorithm::exclusive_scan;
constexpr Algorithm reduce = Algorithm::reduce;

// A plan with small tiles on a device with hostile schedules.
struct HostileRun {
  explicit HostileRun(const Hostile& hostile,
                      runtime::HostCompiler::Accesses accesses = runtime::HostCompiler::Accesses::unwatched)
      : engine(test::host_engine(device, accesses)),
        plan(engine->plan(hostile.problem, small_config(hostile), nullptr)) {}
  // `overlap`: of kernels of calls in a row, as far as they allow it.
  void set_schedule(std::uint64_t seed, bool overlap = false) const {
    runtime::HostSchedule schedule = hostile_schedule(seed);
    schedule.overlap = overlap;
    device->set_schedule(schedule);
  }
  [[nodiscard]] Config small_config(const Hostile& hostile) const {
    const Space space(hostile.problem, device->limits());
    const Config partial = *config_from_text(hostile.partial);
    Config config = test::with_small_tiles(space, space.complete(partial));
    if (config.values.contains("threads_per_block")) {
      config.values["threads_per_block"] = hostile.threads;
      if (config.values.contains("items_per_thread")) config.values["items_per_thread"] = 2;
    }
    for (const auto& [name, value] : partial.values) config.values[name] = value;
    return config;
  }

  // What is wrong in a call of a size that depends on `turn`. Now and then of so many tiles that a look-back goes
  // beyond a window; of schedules with a ring always of so many that each stage is filled again and again.
  [[nodiscard]] std::optional<std::string> wrong(std::uint64_t seed, std::uint64_t turn,
                                                 const test::Layout& layout) const {
    set_schedule(seed);
    const LaunchRule& launch = plan.source().launch;
    const std::uint64_t tile = launch.items_per_tile, rest = turn % (2 * tile) + 1;
    const std::uint64_t refills = test::refilling_items(launch, plan.config(), device->limits().multiprocessors);
    const std::uint64_t tiles = turn % 16 == 0 ? 40 + turn % 60 : turn % 12;
    const std::uint64_t n = (refills > 0 ? refills : tiles * tile) + rest;
    return test::run_and_compare(*device, plan, n, Data::random, seed, layout);
  }

  std::shared_ptr<runtime::HostDevice> device = two_multiprocessors();
  std::shared_ptr<runtime::Engine> engine;
  Plan plan;
};

class Schedules : public testing::TestWithParam<Hostile> {};

TEST_P(Schedules, SurviveHostility) {
  const HostileRun run(GetParam());
  for (std::uint64_t seed = 1; seed <= GetParam().seeds; ++seed) {
    const test::Layout layout{.in_offset = static_cast<int>(seed % 5), .out_offset = static_cast<int>(seed / 5 % 5)};
    ASSERT_EQ(run.wrong(seed, seed, layout), std::nullopt) << "schedule seed " << seed;
  }
}

// The same where the host device sees every access to shared memory: what no barrier or fence orders is an error
// however it came out, so few seeds do.
TEST_P(Schedules, OrderAccessesToSharedMemory) {
  const HostileRun run(GetParam(), runtime::HostCompiler::Accesses::watched);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const test::Layout layout{.in_offset = seed > 1 ? 3 : 0, .out_offset = seed % 2 == 1 ? 0 : 1};
    ASSERT_EQ(run.wrong(seed, 7 * seed, layout), std::nullopt) << "schedule seed " << seed;
  }
}

const Hostile every_schedule[] = {
    {affine(inclusive, Type::u32), "lookback, lookback_window=32", 600, "packed_64", 32},
    {affine(inclusive, Type::u64), "lookback, lookback_window=4", 300, "packed_128"},
    {affine(exclusive, Type::u64), "lookback, lookback_window=2, descriptor=split", 300, "split", 32},
    {affine(exclusive, Type::u32), "lookback, lookback_window=128", 200, "window_128"},
    {affine(inclusive, Type::u32), "lookback, lookback_window=1", 200, "window_1"},
    {affine(inclusive, Type::u64), "chained, descriptor=split", 200, "chained"},
    {affine(inclusive, Type::u32), "all_aggregates", 300, "all_aggregates"},
    {affine(exclusive, Type::u64), "all_aggregates, descriptor=split", 300, "all_aggregates_split"},
    {complex_sum(inclusive), "all_aggregates", 200, "all_aggregates_wide"},
    {affine(inclusive, Type::u32), "single_block", 200, "single_block", 96},
    {affine(exclusive, Type::u64), "single_block, load=block_transpose, store=block_transpose, block_scan=raking", 200,
     "single_block_transpose"},
    {affine(exclusive, Type::u32), "cluster, cluster_blocks=4", 200, "cluster"},
    // Items and results of one size lie in the same places of shared memory.
    {sum(inclusive, Type::i8, Type::i64), "cluster, cluster_blocks=2, load=block_transpose, store=block_transpose", 200,
     "cluster_transpose"},
    {affine(reduce, Type::u64), "last_block, blocks_per_multiprocessor=3", 300, "last_block"},
    {affine(reduce, Type::u64), "last_started, blocks_per_multiprocessor=6", 300, "last_started"},
    {complex_sum(inclusive), "lookback, lookback_window=4", 300, "packed_wide"},
    {complex_sum(exclusive), "lookback, lookback_window=2, descriptor=split", 300, "split_wide"},
    {complex_sum(inclusive), "chained, descriptor=packed", 200, "chained_wide"},
    {complex_sum(reduce), "last_block, blocks_per_multiprocessor=3", 300, "last_block_wide"},
    {complex_sum(reduce), "last_started, blocks_per_multiprocessor=3, block_reduce=raking", 200, "last_started_wide"},
    {sum(reduce, Type::i32, Type::i32), "last_block, load=direct, blocks_per_multiprocessor=4", 200,
     "last_block_per_thread"},
    {sum(reduce, Type::i32, Type::i32), "last_started, blocks_per_multiprocessor=4", 200, "last_started_per_thread"},
};

INSTANTIATE_TEST_SUITE_P(All, Schedules, testing::ValuesIn(every_schedule), test::by_name);

// Problems, rings and depths take turns among the ways.
std::vector<Hostile> rings() {
  const std::vector<Problem> problems{affine(inclusive, Type::u32), affine(exclusive, Type::u64),
                                      sum(inclusive, Type::i8, Type::i8), complex_sum(inclusive),
                                      sum(inclusive, Type::i8, Type::i64)};
  struct Ring {
    int stages, ahead, warps;
  };
  constexpr Ring shapes[] = {{3, 1, 2}, {2, 0, 1}, {4, 2, 1}, {3, 0, 2}, {5, 3, 2}, {4, 1, 1}, {4, 2, 2}};
  std::vector<Hostile> found;
  for (test::Strategy& way : test::ring_ways({})) {
    const std::size_t turn = found.size();
    const Ring& ring = shapes[turn % std::size(shapes)];
    way.config.values["stages"] = ring.stages;
    way.config.values["reduce_ahead"] = ring.ahead;
    way.config.values["worker_warps"] = ring.warps;
    way.config.values["states_per_lane"] = turn % 3 == 0 ? 1 : 2;
    found.push_back({problems[turn % problems.size()], to_json(way.config), 60, std::move(way.name)});
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Rings, Schedules, testing::ValuesIn(rings()), test::by_name);

// Calls in a row whose kernels overlap, as far as programmatic dependent launch allows: in -> a -> b -> a ..., so that
// a kernel's output is the next one's input, and the one after writes over it. All draw from the same words.
class Overlapping : public testing::TestWithParam<Hostile> {};

void expect_chain(const Plan& plan, runtime::HostDevice& device, std::uint64_t seed) {
  const Problem& problem = plan.problem();
  const std::size_t item = size_of(problem.input);
  const Scalar initial = identity(problem.op, problem.accumulator);
  constexpr int calls = 6;
  const auto items = [&](int call) {  // of calls of different sizes
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    return (1 + (seed + static_cast<std::uint64_t>(call) * 5) % 7) * tile -
           (seed + static_cast<std::uint64_t>(call)) % 9;
  };
  const std::uint64_t most = 8 * plan.source().launch.items_per_tile;
  std::vector<std::byte> data = test::make_data(problem, most, Data::random, seed);
  runtime::Buffer a(device, most * item), b(device, most * item);
  device.copy_to_device(a.data(), data.data(), data.size(), nullptr);
  device.copy_to_device(b.data(), data.data(), data.size(), nullptr);
  std::vector<std::byte> other = data;
  for (int call = 0; call < calls; ++call) plan.prepare(items(call), nullptr);
  for (int call = 0; call < calls; ++call) {
    const std::uint64_t n = items(call);
    runtime::Buffer &from = call % 2 == 0 ? a : b, &to = call % 2 == 0 ? b : a;
    plan.run(from.data(), to.data(), n, initial, nullptr);
    const std::vector<std::byte> result = test::expected(problem, {data.data(), n * item}, n, initial);
    std::copy(result.begin(), result.end(), other.begin());
    std::swap(data, other);
  }
  std::vector<std::byte> got(most * item);
  device.copy_to_host(got.data(), (calls % 2 == 0 ? a : b).data(), got.size(), nullptr);
  ASSERT_EQ(test::difference(problem.output, data, got), std::nullopt) << "schedule seed " << seed;
}

TEST_P(Overlapping, CallsSeeWhatTheOnesBeforeWrote) {
  const HostileRun run(GetParam());
  ASSERT_TRUE(run.plan.source().launch.dependent);
  for (std::uint64_t seed = 1; seed <= GetParam().seeds; ++seed) {
    run.set_schedule(seed, true);
    ASSERT_NO_FATAL_FAILURE(expect_chain(run.plan, *run.device, seed));
  }
}

const Hostile overlapping[] = {
    {affine(inclusive, Type::u32), "lookback, lookback_window=4", 60, "lookback"},
    {affine(inclusive, Type::u64), "lookback, lookback_window=32, descriptor=split", 40, "lookback_split"},
    {affine(inclusive, Type::u64), "chained", 40, "chained"},
    {affine(inclusive, Type::u32), "all_aggregates", 40, "all_aggregates"},
    {affine(inclusive, Type::u32), "single_block", 40, "single_block"},
    {affine(inclusive, Type::u32), "cluster, cluster_blocks=2", 40, "cluster"},
    {affine(inclusive, Type::u32), "lookahead, stages=3, reduce_ahead=1", 40, "lookahead"},
    {affine(reduce, Type::u64), "last_block, blocks_per_multiprocessor=2", 40, "last_block"},
    {affine(reduce, Type::u64), "last_started, blocks_per_multiprocessor=2", 60, "last_started"},
    {affine(reduce, Type::u64), "single_block", 40, "reduce_single_block"},
    {affine(inclusive, Type::u32), "sequential", 40, "sequential"},
    {affine(reduce, Type::u64), "sequential", 40, "reduce_sequential"},
    {affine(inclusive, Type::u32), "reduce_then_scan, blocks_per_multiprocessor=2", 20, "reduce_then_scan"},
    {affine(inclusive, Type::u64), "scan_then_propagate, block_scan=blelloch", 20, "scan_then_propagate"},
    {affine(inclusive, Type::u32), "hillis_steele, blocks_per_multiprocessor=2", 20, "hillis_steele"},
    {affine(reduce, Type::u64), "ladder", 20, "ladder"},
};

INSTANTIATE_TEST_SUITE_P(All, Overlapping, testing::ValuesIn(overlapping), test::by_name);

// Exclusive scans in a row whose kernels overlap: each starts from an initial value that the one before it wrote.
class OverlappingInitial : public testing::TestWithParam<Hostile> {};

TEST_P(OverlappingInitial, IsReadAfterTheWait) {
  const Problem& problem = GetParam().problem;
  const HostileRun run(GetParam());
  const auto& [device, engine, plan] = run;
  const std::uint64_t n = 3 * plan.source().launch.items_per_tile + 5, item = size_of(problem.input);
  constexpr int calls = 5;
  for (std::uint64_t seed = 1; seed <= GetParam().seeds; ++seed) {
    run.set_schedule(seed, true);
    const std::vector<std::byte> data = test::make_data(problem, n, Data::random, seed);
    Scalar initial = identity(problem.op, problem.accumulator);
    runtime::Buffer in(*device, n * item), out(*device, (calls + 1) * n * item);
    device->copy_to_device(in.data(), data.data(), data.size(), nullptr);
    device->copy_to_device(out.data(), initial.bytes.data(), item, nullptr);
    std::vector<std::byte> expected;
    for (int call = 0; call < calls; ++call) {
      auto* const at = static_cast<std::byte*>(out.data()) + static_cast<std::uint64_t>(call) * n * item;
      const std::byte* const before = call == 0 ? at : at + (n - 1) * item;
      plan.run(Arguments(n).array("in", in.data()).array("out", at + n * item).scalar_in_memory("initial", before),
               nullptr);
      expected = test::expected(problem, data, n, initial);
      std::copy_n(expected.end() - static_cast<std::ptrdiff_t>(item), item, initial.bytes.begin());
    }
    std::vector<std::byte> got(n * item);
    device->copy_to_host(got.data(), static_cast<std::byte*>(out.data()) + calls * n * item, got.size(), nullptr);
    ASSERT_EQ(test::difference(problem.output, expected, got), std::nullopt) << "schedule seed " << seed;
  }
}

const Hostile overlapping_initial[] = {
    {affine(exclusive, Type::u32), "lookback", 30, "lookback"},
    {affine(exclusive, Type::u32), "all_aggregates", 30, "all_aggregates"},
    {affine(exclusive, Type::u32), "single_block", 30, "single_block"},
    {affine(exclusive, Type::u32), "sequential", 30, "sequential"},
    {affine(exclusive, Type::u32), "reduce_then_scan", 10, "reduce_then_scan"},
    {affine(exclusive, Type::u32), "hillis_steele, blocks_per_multiprocessor=2", 10, "hillis_steele"},
    {affine(exclusive, Type::u32), "cluster, cluster_blocks=2", 30, "cluster"},
    {affine(exclusive, Type::u32), "lookahead, stages=3, reduce_ahead=1", 30, "lookahead"},
};

INSTANTIATE_TEST_SUITE_P(All, OverlappingInitial, testing::ValuesIn(overlapping_initial), test::by_name);

// Calls in a row whose kernels overlap: the count of each is the next one's number of items. All items but the first
// are kept, so that each count is one less than the one before.
class OverlappingItems : public testing::TestWithParam<Hostile> {};

TEST_P(OverlappingItems, AreReadAfterTheWait) {
  const bool is_reduce = GetParam().problem.algorithm == Algorithm::reduce;
  const HostileRun run(GetParam());
  // The kernels are launched for more items than there are.
  const std::uint64_t tile = run.plan.source().launch.items_per_tile, most = 20 * tile;
  constexpr std::size_t calls = 5;
  std::vector<std::uint64_t> in(most, 1), out(most);
  in[0] = 0;
  for (std::uint64_t seed = 1; seed <= GetParam().seeds; ++seed) {
    const std::uint64_t n = seed % 3 == 0 ? 9 * tile + 5 : seed % 3 * tile + 7;
    run.set_schedule(seed, seed % 4 != 0);
    std::vector<std::uint64_t> counts(calls + 1, seed % 2 == 0 ? 3 : most);  // before they are written
    counts[0] = n;
    for (std::size_t call = 0; call < calls; ++call) {
      Arguments arguments(items_in_memory(&counts[call], most));
      arguments.array("in", in.data()).array(is_reduce ? "out" : "count", &counts[call + 1]);
      if (!is_reduce) arguments.array("out", out.data()).scalar("threshold", Scalar::of(std::uint64_t{0}));
      run.plan.run(arguments, nullptr);
    }
    run.device->synchronize(nullptr);
    for (std::size_t call = 0; call < calls; ++call) {
      ASSERT_EQ(counts[call + 1], n - call - 1) << "call " << call << ", schedule seed " << seed;
    }
  }
}

const Problem kept_u64 = problem_of(Algorithm::select_if, Operator::greater, Type::u64, {}, {});

const Hostile overlapping_items[] = {
    {kept_u64, "lookback", 30, "lookback"},
    {kept_u64, "chained", 30, "chained"},
    {kept_u64, "all_aggregates", 30, "all_aggregates"},
    {kept_u64, "single_block", 30, "single_block"},
    {kept_u64, "cluster, cluster_blocks=2", 30, "cluster"},
    {kept_u64, "lookahead, stages=3, reduce_ahead=1", 30, "lookahead"},
    {kept_u64, "sequential", 30, "sequential"},
    {sum(reduce, Type::u64, Type::u64), "last_block, blocks_per_multiprocessor=2", 30, "last_block"},
    {sum(reduce, Type::u64, Type::u64), "last_started, blocks_per_multiprocessor=2", 30, "last_started"},
    {sum(reduce, Type::u64, Type::u64), "single_block", 30, "reduce_single_block"},
    {sum(reduce, Type::u64, Type::u64), "ladder, step=sequential", 10, "ladder_sequential"},
    {sum(reduce, Type::u64, Type::u64), "ladder, step=multiple_items", 10, "ladder_multiple_items"},
};

INSTANTIATE_TEST_SUITE_P(All, OverlappingItems, testing::ValuesIn(overlapping_items), test::by_name);

// Around the numbers of tiles from which on another warp, or the same one again, has totals to wait for.
TEST(AllAggregates, FoldsAnyNumberOfTilesInOrder) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = affine(Algorithm::inclusive_scan, Type::u64);
  const Plan plan =
      engine->plan(problem, {"all_aggregates", {{"threads_per_block", 96}, {"items_per_thread", 1}}}, nullptr);
  std::uint64_t seed = 1;
  for (const std::uint64_t tiles : {1, 2, 32, 33, 34, 64, 65, 97, 98, 130, 200}) {
    device->set_schedule(hostile_schedule(++seed));
    ASSERT_EQ(test::run_and_compare(*device, plan, 96 * tiles - 7, Data::random, seed), std::nullopt) << tiles;
  }
}

// Threads of the block that folds the others' totals have several each.
TEST(Reduce, FoldsMoreTotalsThanThreadsInOrder) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = affine(Algorithm::reduce, Type::u64);
  for (const char* schedule : {"last_block", "last_started"}) {
    const Config config{schedule,
                        {{"threads_per_block", 32}, {"items_per_thread", 1}, {"blocks_per_multiprocessor", 16}}};
    const Plan plan = engine->plan(problem, config, nullptr);
    std::uint64_t seed = 1;
    for (const std::uint64_t blocks : {33, 50, 64}) {
      const std::uint64_t n = blocks * 32 - 5;
      ASSERT_EQ(plan.source().launch.blocks(n, device->limits().multiprocessors), blocks);
      device->set_schedule(hostile_schedule(++seed));
      ASSERT_EQ(test::run_and_compare(*device, plan, n, Data::random, seed), std::nullopt) << schedule << " " << blocks;
    }
  }
}

}  // namespace
}  // namespace upsweep
