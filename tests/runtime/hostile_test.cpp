// Look-back and its kin under hostile schedules: blocks in random order with few or many of them resident, preemption
// anywhere, threads, warps and blocks held back, relaxed stores that others see late. Seeds are printed on failure and
// give the same run again.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>

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
  Config partial;
  int seeds;
  std::string name;
  int threads = 64;  // per block, where the schedule leaves a choice
};

void PrintTo(const Hostile& hostile, std::ostream* out) {
  *out << hostile.name;
}

Config small_config(const Space& space, const Hostile& hostile) {
  Config config = test::with_small_tiles(space, space.complete(hostile.partial));
  if (config.values.contains("threads_per_block")) {
    config.values["threads_per_block"] = hostile.threads;
    config.values["items_per_thread"] = 2;
  }
  for (const auto& [name, value] : hostile.partial.values) config.values[name] = value;
  return config;
}

// Now and then so many tiles that a look-back goes beyond a window; of schedules with a ring always so many that each
// stage is filled again and again.
std::uint64_t items_for(const Plan& plan, int multiprocessors, std::uint64_t seed) {
  const LaunchRule& launch = plan.source().launch;
  const std::uint64_t tile = launch.items_per_tile, rest = seed % (2 * tile) + 1;
  const std::uint64_t refills = test::refilling_items(launch, plan.config(), multiprocessors);
  if (refills > 0) return refills + rest;
  return (seed % 16 == 0 ? 40 + seed % 60 : seed % 12) * tile + rest;
}

class Schedules : public testing::TestWithParam<Hostile> {};

TEST_P(Schedules, SurviveHostility) {
  const Hostile& hostile = GetParam();
  const auto device = two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Space space(hostile.problem, device->limits());
  const Plan plan = engine->plan(hostile.problem, small_config(space, hostile), nullptr);
  for (int seed = 1; seed <= hostile.seeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    device->set_schedule(hostile_schedule(number));
    const std::uint64_t n = items_for(plan, device->limits().multiprocessors, number);
    const test::Layout layout{.in_place = false, .in_offset = seed % 5, .out_offset = seed / 5 % 5};
    const auto wrong = test::run_and_compare(*device, plan, n, Data::random, number, layout);
    ASSERT_EQ(wrong, std::nullopt) << "schedule seed " << seed;
  }
}

// The same where the host device sees every access to shared memory: what no barrier or fence orders is an error
// however it came out, so few seeds do.
TEST_P(Schedules, OrderAccessesToSharedMemory) {
  const Hostile& hostile = GetParam();
  const auto device = two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  const Space space(hostile.problem, device->limits());
  const Plan plan = engine->plan(hostile.problem, small_config(space, hostile), nullptr);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    device->set_schedule(hostile_schedule(seed));
    const std::uint64_t n = items_for(plan, device->limits().multiprocessors, 7 * seed);
    const test::Layout layout{.in_place = false, .in_offset = seed > 1 ? 3 : 0, .out_offset = seed % 2 == 1 ? 0 : 1};
    const auto wrong = test::run_and_compare(*device, plan, n, Data::random, seed, layout);
    ASSERT_EQ(wrong, std::nullopt) << "schedule seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Schedules,
    testing::Values(
        Hostile{affine(Algorithm::inclusive_scan, Type::u32),
                {"lookback", {{"lookback_window", 32}}},
                600,
                "packed_64",
                32},
        Hostile{
            affine(Algorithm::inclusive_scan, Type::u64), {"lookback", {{"lookback_window", 4}}}, 300, "packed_128"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u64),
                {"lookback", {{"lookback_window", 2}, {"descriptor", "split"}}},
                300,
                "split",
                32},
        Hostile{
            affine(Algorithm::exclusive_scan, Type::u32), {"lookback", {{"lookback_window", 128}}}, 200, "window_128"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"lookback", {{"lookback_window", 1}}}, 200, "window_1"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u64), {"chained", {{"descriptor", "split"}}}, 200, "chained"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"all_aggregates", {}}, 300, "all_aggregates"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u64),
                {"all_aggregates", {{"descriptor", "split"}}},
                300,
                "all_aggregates_split"},
        Hostile{complex_sum(Algorithm::inclusive_scan), {"all_aggregates", {}}, 200, "all_aggregates_wide"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"single_block", {}}, 200, "single_block", 96},
        Hostile{affine(Algorithm::exclusive_scan, Type::u64),
                {"single_block", {{"load", "block_transpose"}, {"store", "block_transpose"}, {"block_scan", "raking"}}},
                200,
                "single_block_transpose"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u32), {"cluster", {{"cluster_blocks", 4}}}, 200, "cluster"},
        // Items and results of one size lie in the same places of shared memory.
        Hostile{sum(Algorithm::inclusive_scan, Type::i8, Type::i64),
                {"cluster", {{"cluster_blocks", 2}, {"load", "block_transpose"}, {"store", "block_transpose"}}},
                200,
                "cluster_transpose"},
        Hostile{affine(Algorithm::reduce, Type::u64),
                {"last_block", {{"blocks_per_multiprocessor", 3}}},
                300,
                "last_block"},
        Hostile{affine(Algorithm::reduce, Type::u64),
                {"last_started", {{"blocks_per_multiprocessor", 6}}},
                300,
                "last_started"},
        Hostile{complex_sum(Algorithm::inclusive_scan), {"lookback", {{"lookback_window", 4}}}, 300, "packed_wide"},
        Hostile{complex_sum(Algorithm::exclusive_scan),
                {"lookback", {{"lookback_window", 2}, {"descriptor", "split"}}},
                300,
                "split_wide"},
        Hostile{complex_sum(Algorithm::inclusive_scan), {"chained", {{"descriptor", "packed"}}}, 200, "chained_wide"},
        Hostile{
            complex_sum(Algorithm::reduce), {"last_block", {{"blocks_per_multiprocessor", 3}}}, 300, "last_block_wide"},
        Hostile{complex_sum(Algorithm::reduce),
                {"last_started", {{"blocks_per_multiprocessor", 3}, {"block_reduce", "raking"}}},
                200,
                "last_started_wide"},
        Hostile{sum(Algorithm::reduce, Type::i32, Type::i32),
                {"last_block", {{"load", "direct"}, {"blocks_per_multiprocessor", 4}}},
                200,
                "last_block_per_thread"},
        Hostile{sum(Algorithm::reduce, Type::i32, Type::i32),
                {"last_started", {{"blocks_per_multiprocessor", 4}}},
                200,
                "last_started_per_thread"}),
    [](const auto& parameter) { return parameter.param.name; });

// Problems, rings and depths take turns among the ways.
std::vector<Hostile> rings() {
  const std::vector<Problem> problems{
      affine(Algorithm::inclusive_scan, Type::u32), affine(Algorithm::exclusive_scan, Type::u64),
      sum(Algorithm::inclusive_scan, Type::i8, Type::i8), complex_sum(Algorithm::inclusive_scan),
      sum(Algorithm::inclusive_scan, Type::i8, Type::i64)};
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
    found.push_back({problems[turn % problems.size()], std::move(way.config), 60, std::move(way.name)});
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Rings, Schedules, testing::ValuesIn(rings()),
                         [](const auto& parameter) { return parameter.param.name; });

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
  const Hostile& hostile = GetParam();
  const auto device = two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Space space(hostile.problem, device->limits());
  const Plan plan = engine->plan(hostile.problem, small_config(space, hostile), nullptr);
  ASSERT_TRUE(plan.source().launch.dependent);
  for (int seed = 1; seed <= hostile.seeds; ++seed) {
    runtime::HostSchedule schedule = hostile_schedule(static_cast<std::uint64_t>(seed));
    schedule.overlap = true;
    device->set_schedule(schedule);
    expect_chain(plan, *device, static_cast<std::uint64_t>(seed));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Overlapping,
    testing::Values(
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"lookback", {{"lookback_window", 4}}}, 60, "lookback"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u64),
                {"lookback", {{"lookback_window", 32}, {"descriptor", "split"}}},
                40,
                "lookback_split"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u64), {"chained", {}}, 40, "chained"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"all_aggregates", {}}, 40, "all_aggregates"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"single_block", {}}, 40, "single_block"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"cluster", {{"cluster_blocks", 2}}}, 40, "cluster"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32),
                {"lookahead", {{"stages", 3}, {"reduce_ahead", 1}}},
                40,
                "lookahead"},
        Hostile{
            affine(Algorithm::reduce, Type::u64), {"last_block", {{"blocks_per_multiprocessor", 2}}}, 40, "last_block"},
        Hostile{affine(Algorithm::reduce, Type::u64),
                {"last_started", {{"blocks_per_multiprocessor", 2}}},
                60,
                "last_started"},
        Hostile{affine(Algorithm::reduce, Type::u64), {"single_block", {}}, 40, "reduce_single_block"},
        Hostile{affine(Algorithm::inclusive_scan, Type::u32), {"sequential", {}}, 40, "sequential"},
        Hostile{affine(Algorithm::reduce, Type::u64), {"sequential", {}}, 40, "reduce_sequential"}),
    [](const auto& parameter) { return parameter.param.name; });

// Exclusive scans in a row whose kernels overlap: each starts from an initial value that the one before it wrote.
class OverlappingInitial : public testing::TestWithParam<Hostile> {};

TEST_P(OverlappingInitial, IsReadAfterTheWait) {
  const Hostile& hostile = GetParam();
  const Problem& problem = hostile.problem;
  const auto device = two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Space space(problem, device->limits());
  const Plan plan = engine->plan(problem, small_config(space, hostile), nullptr);
  const std::uint64_t n = 3 * plan.source().launch.items_per_tile + 5, item = size_of(problem.input);
  constexpr int calls = 5;
  for (int seed = 1; seed <= hostile.seeds; ++seed) {
    runtime::HostSchedule schedule = hostile_schedule(static_cast<std::uint64_t>(seed));
    schedule.overlap = true;
    device->set_schedule(schedule);
    const std::vector<std::byte> data = test::make_data(problem, n, Data::random, static_cast<std::uint64_t>(seed));
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

INSTANTIATE_TEST_SUITE_P(
    All, OverlappingInitial,
    testing::Values(
        Hostile{affine(Algorithm::exclusive_scan, Type::u32), {"lookback", {}}, 30, "lookback"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u32), {"all_aggregates", {}}, 30, "all_aggregates"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u32), {"single_block", {}}, 30, "single_block"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u32), {"sequential", {}}, 30, "sequential"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u32), {"cluster", {{"cluster_blocks", 2}}}, 30, "cluster"},
        Hostile{affine(Algorithm::exclusive_scan, Type::u32),
                {"lookahead", {{"stages", 3}, {"reduce_ahead", 1}}},
                30,
                "lookahead"}),
    [](const auto& parameter) { return parameter.param.name; });

// Around the numbers of tiles from which on another warp, or the same one again, has totals to wait for.
TEST(AllAggregates, FoldsAnyNumberOfTilesInOrder) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = affine(Algorithm::inclusive_scan, Type::u64);
  Config config = Space(problem, device->limits()).complete({"all_aggregates", {}});
  config.values["threads_per_block"] = 96;
  config.values["items_per_thread"] = 1;
  const Plan plan = engine->plan(problem, config, nullptr);
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
    Config config = Space(problem, device->limits()).complete({schedule, {}});
    config.values["threads_per_block"] = 32;
    config.values["items_per_thread"] = 1;
    config.values["blocks_per_multiprocessor"] = 16;
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
