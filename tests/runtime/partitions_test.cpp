// three_way_partition and stable_partition on the host device: every schedule, types, alignments, hostile schedules and
// calls with limits, against a plain loop.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/limits.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

constexpr auto three_way = Algorithm::three_way_partition;
constexpr auto stable = Algorithm::stable_partition;

// In one of so many items, the predicate holds: all of them, half, few and none.
constexpr double items_each_of_tests[] = {2, 1, 3, 50, 1e18};

struct PartitionKernel {
  Algorithm algorithm;
  Operator predicate;
  Type type;
  Type count;
  std::string schedule;
  decltype(Config::values) values = {};
};

// Types take turns over schedules: what differs between kernels is the schedule, the width of items and of counts.
std::vector<PartitionKernel> partition_kernels() {
  return {{three_way, less, Type::i32, Type::u64, "lookback"},
          {three_way, greater, Type::u8, Type::u32, "chained", {{"store", "direct"}}},
          {three_way, less_equal, Type::f64, Type::u64, "all_aggregates"},
          {three_way, less, Type::f32, Type::u64, "lookahead"},
          {three_way, greater_equal, Type::u8, Type::u32, "lookahead"},
          {three_way, equal_to, Type::c128, Type::u64, "lookahead"},
          {three_way, less, Type::f16, Type::u64, "single_block"},
          {three_way, not_equal_to, Type::u16, Type::u32, "cluster"},
          {three_way, greater, Type::i64, Type::u64, "sequential"},
          {stable, less_equal, Type::u16, Type::u64, "lookback"},
          {stable, equal_to, Type::c64, Type::u32, "chained", {{"store", "direct"}}},
          {stable, greater, Type::i8, Type::u64, "all_aggregates"},
          {stable, less_equal, Type::f32, Type::u64, "lookahead"},
          {stable, less, Type::u8, Type::u64, "lookahead"},
          {stable, less, Type::f64, Type::u32, "single_block"},
          {stable, greater_equal, Type::i32, Type::u64, "cluster"},
          {stable, not_equal_to, Type::bf16, Type::u64, "sequential"}};
}

std::string name_of_kernel(const PartitionKernel& kernel) {
  return fmt::format("{}_{}_{}", name(kernel.algorithm), kernel.schedule, name(kernel.type));
}

void PrintTo(const PartitionKernel& kernel, std::ostream* out) {
  *out << name_of_kernel(kernel);
}

// With tiles so small that tens of them are quick.
Plan plan_of_kernel(runtime::Engine& engine, const PartitionKernel& kernel) {
  const Problem problem = make_problem(kernel.algorithm, kernel.predicate, kernel.type, kernel.count);
  const Space space(problem, engine.device().limits());
  Config config = test::with_small_tiles(space, space.complete({.schedule = kernel.schedule, .values = kernel.values}));
  if (kernel.schedule == "lookahead") {
    config.values["stages"] = 4;
    config.values["reduce_ahead"] = 1;
  }
  return engine.plan(problem, config, nullptr);
}

class Partitions : public testing::TestWithParam<PartitionKernel> {};

TEST_P(Partitions, AreThoseOfAPlainLoop) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Plan plan = plan_of_kernel(*engine, GetParam());
  const std::uint64_t tile = plan.source(plan.steps() - 1).launch.items_per_tile;
  std::uint64_t seed = 0;
  const auto check = [&](std::uint64_t n, const test::Layout& layout) {
    const double items_each = items_each_of_tests[++seed % std::size(items_each_of_tests)];
    const test::PortCase call = test::make_partition_case(plan.problem(), n, items_each, seed);
    ASSERT_EQ(test::run_and_compare(*device, plan, call, layout), std::nullopt)
        << n << " items, tiles of " << tile << ", one in " << items_each << ", seed " << seed;
  };
  for (const std::uint64_t n : test::awkward_sizes(tile)) {
    check(n, {});
    check(n, {.in_offset = 1, .out_offset = 3});
  }
  if (GetParam().schedule == "sequential") return;  // one thread
  const bool is_ring = GetParam().schedule == "lookahead";
  for (std::uint64_t hostile = 1; hostile <= 20; ++hostile) {
    device->set_schedule(test::hostile_schedule(hostile));
    check((is_ring ? 2 : 1) * (hostile % 12) * tile + hostile % (2 * tile),
          {.in_offset = static_cast<int>(hostile % 5), .out_offset = static_cast<int>(hostile % 3)});
  }
}

INSTANTIATE_TEST_SUITE_P(All, Partitions, testing::ValuesIn(partition_kernels()),
                         [](const auto& given) { return name_of_kernel(given.param); });

// The items that are counted first are more than one tile of the step that counts, and begin at any address.
TEST(StablePartition, CountsItemsOfSeveralTiles) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Plan plan = plan_of_kernel(*engine, {stable, less_equal, Type::u16, Type::u64, "lookback"});
  ASSERT_EQ(plan.steps(), 2u);
  const std::uint64_t tile = plan.source(0).launch.items_per_tile;
  for (const std::uint64_t n : {tile - 1, tile, tile + 1, 19 * tile + 5}) {
    for (const int offset : {0, 3}) {
      const test::PortCase call = test::make_partition_case(plan.problem(), n, 2, n);
      ASSERT_EQ(test::run_and_compare(*device, plan, call, {.in_offset = offset}), std::nullopt)
          << n << " items, offset " << offset;
    }
  }
}

// The step that counts, the pass, and the next call's steps may overlap: each waits for the one before it.
TEST(StablePartition, WaitsForTheCountWhereLaunchesOverlap) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Plan plan =
      plan_of_kernel(*engine, {stable, less_equal, Type::u16, Type::u64, "lookback", {{"dependent_launch", "yes"}}});
  const std::uint64_t n = 7 * plan.source(1).launch.items_per_tile + 5;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    runtime::HostSchedule schedule = test::hostile_schedule(seed);
    schedule.overlap = true;
    device->set_schedule(schedule);
    std::vector<test::PortCase> calls;  // with different totals
    for (const double items_each : {2.0, 50.0, 1.0}) {
      calls.push_back(test::make_partition_case(plan.problem(), n, items_each, seed));
    }
    std::array<std::vector<std::byte>, 3> results;
    std::array<std::uint64_t, 3> counts{};
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::vector<std::byte>& in = calls[i].inputs.at("in");
      results[i].resize(in.size());
      Arguments arguments = Arguments(n).array("in", in.data()).array("out", results[i].data());
      plan.run(arguments.array("count", &counts[i]).scalar("threshold", calls[i].scalars.at("threshold")));
    }
    device->synchronize(nullptr);
    for (std::size_t i = 0; i < results.size(); ++i) {
      ASSERT_TRUE(results[i] == calls[i].results.at("out")) << "call " << i << ", seed " << seed;
    }
  }
}

// Before the second launch, what is at an address changes, as if another call counted in the same scratch.
class ScratchChanger final : public runtime::HostDevice {
 public:
  std::uint64_t* total = nullptr;
  void launch(const runtime::Kernel& kernel, const runtime::Launch& launch, void** arguments, Stream stream) override {
    if (++launches_ == 2) *total = wrong_total;
    HostDevice::launch(kernel, launch, arguments, stream);
  }

 private:
  static constexpr std::uint64_t wrong_total = 1000;
  int launches_ = 0;
};

TEST(StablePartition, WritesNothingBeyondTheOutputWithAWrongTotal) {
  for (const char* schedule : {"lookback", "lookahead"}) {
    const auto device = std::make_shared<ScratchChanger>();
    const auto engine = test::host_engine(device);
    const Plan plan = plan_of_kernel(*engine, {stable, less, Type::u8, Type::u64, schedule});
    constexpr std::uint64_t n = 1003;
    alignas(WorkspaceRule::header_bytes) static std::array<std::byte, 1 << 16> memory;
    const std::uint64_t bytes = plan.workspace_bytes(n);
    ASSERT_LE(bytes, memory.size());
    const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), bytes);
    device->total = reinterpret_cast<std::uint64_t*>(&memory.at(bytes - WorkspaceRule::header_bytes));  // the scratch
    const std::vector<std::uint8_t> in(n, 7);
    std::vector<std::uint8_t> out(2 * n + 1000, 99);
    std::uint64_t count = 0;
    const Arguments arguments = Arguments(n).array("in", in.data()).array("out", out.data()).array("count", &count);
    const std::string error = test::error_of<DeviceError>(
        [&] { plan.run(Arguments(arguments).scalar("threshold", Scalar::of(std::uint8_t{5})), nullptr, workspace); });
    EXPECT_FALSE(error.empty()) << schedule;
    EXPECT_EQ(std::count(out.begin() + n, out.end(), 99), static_cast<std::ptrdiff_t>(n + 1000)) << schedule;
  }
}

TEST(Partitions, OfItemsWhoseNumberLiesInMemory) {
  const auto engine = test::host_engine(test::two_multiprocessors());
  for (const PartitionKernel& kernel : {PartitionKernel{three_way, less, Type::f32, Type::u64, "lookahead"},
                                        PartitionKernel{stable, less_equal, Type::u16, Type::u64, "lookback"}}) {
    const Plan plan = plan_of_kernel(*engine, kernel);
    const std::uint64_t tile = plan.source(plan.steps() - 1).launch.items_per_tile;
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, 3 * tile + 1}) {
      ASSERT_EQ(test::run_with_limits(engine->device(), plan, n, n + 1), std::nullopt) << name_of_kernel(kernel);
    }
  }
}

class PartitionCalls : public testing::Test {
 protected:
  using Count = std::uint64_t;
  template <typename Call>
  std::string message(const Call& call) {
    return test::message_of<UsageError>(call);
  }
  [[nodiscard]] std::vector<Count> counts() const { return {counts_[0], counts_[1], counts_[2]}; }

  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> in{5, -1, nan, -0.0f, 2, 0.0f, 8};
  std::vector<float> first = std::vector<float>(7, 99), second = first, rest = first;
  Count counts_[3] = {77, 77, 77};
  // Of n items, with the limits or thresholds that follow.
  template <typename... More>
  void part_in_three(const float* from, const Items& n, const More&... more) {
    context.three_way_partition(from, first.data(), second.data(), rest.data(), &counts_[0], &counts_[1], &counts_[2],
                                n, more...);
  }
};

// As comparisons of C++: zeros of both signs are equal, and no comparison with a NaN holds.
TEST_F(PartitionCalls, OfThreeWaysKeepTheOrder) {
  part_in_three(in.data(), 7, less_equal, 0, 4.5f);
  EXPECT_EQ(counts(), (std::vector<Count>{3, 1, 3}));
  EXPECT_EQ(first, (std::vector<float>{-1, -0.0f, 0.0f, 99, 99, 99, 99}));
  EXPECT_TRUE(std::signbit(first[1]) && !std::signbit(first[2]));
  EXPECT_EQ(second, (std::vector<float>{2, 99, 99, 99, 99, 99, 99}));
  EXPECT_TRUE(rest[0] == 5 && std::isnan(rest[1]) && rest[2] == 8 && rest[3] == 99);
}

TEST_F(PartitionCalls, OfThreeWaysTakeTheFirstThresholdFirst) {
  const float both = 2;
  part_in_three(in.data(), 7, equal_to, both, both);
  EXPECT_EQ(counts(), (std::vector<Count>{1, 0, 6}));
  const float thresholds[] = {8, -1};
  part_in_three(in.data(), 7, equal_to, in_memory(&thresholds[0]), in_memory(&thresholds[1]));
  EXPECT_EQ(counts(), (std::vector<Count>{1, 1, 5}));
  EXPECT_EQ(first[0], 8);
  EXPECT_EQ(second[0], -1);
}

TEST_F(PartitionCalls, OfNoItemsCountNone) {
  part_in_three(in.data(), 0, less, 1, 2);
  EXPECT_EQ(counts(), (std::vector<Count>{0, 0, 0}));
  EXPECT_EQ(first[0], 99);
  context.stable_partition(in.data(), first.data(), &counts_[0], 0, less, 1);
  EXPECT_EQ(first[0], 99);
}

TEST_F(PartitionCalls, StableOnesKeepTheOrderOfBothParts) {
  std::uint32_t narrow = 77;
  context.stable_partition(in.data(), first.data(), &narrow, 7, greater, 0);
  EXPECT_EQ(narrow, 3u);
  EXPECT_TRUE(first[0] == 5 && first[1] == 2 && first[2] == 8 && first[3] == -1 && std::isnan(first[4]));
  EXPECT_TRUE(std::signbit(first[5]) && !std::signbit(first[6]));
  const float four = 4;
  context.stable_partition(in.data(), first.data(), &counts_[0], 7, greater, in_memory(&four));
  EXPECT_EQ(counts_[0], 2u);
  EXPECT_TRUE(first[0] == 5 && first[1] == 8 && first[2] == -1);
}

TEST_F(PartitionCalls, InPlaceAreRefused) {
  const auto overlap = testing::AllOf(testing::HasSubstr("overlap: use separate memory"),
                                      testing::Not(testing::HasSubstr("same address")));
  EXPECT_THAT(message([&] { context.stable_partition(first.data(), first.data(), &counts_[0], 7, less, 1); }), overlap);
  EXPECT_THAT(message([&] { part_in_three(first.data(), 7, less, 1, 2); }), overlap);
  EXPECT_THAT(message([&] {
                context.three_way_partition(in.data(), first.data(), first.data(), rest.data(), &counts_[0],
                                            &counts_[1], &counts_[2], 7, less, 1, 2);
              }),
              overlap);
}

TEST_F(PartitionCalls, HaveRoomForAllItems) {
  EXPECT_EQ(message([&] { part_in_three(in.data(), Items(7).capacity(3), less, 1, 2); }),
            "three_way_partition writes a result for each item: leave out the capacity");
}

TEST_F(PartitionCalls, BadProblemsSayWhatToDo) {
  EXPECT_EQ(message([&] { validate(make_problem(three_way, plus, Type::i32, Type::u64)); }),
            "three_way_partition needs a predicate, but plus is an operator that combines items: use less, less_equal, "
            "greater, greater_equal, equal_to or not_equal_to");
  EXPECT_EQ(
      message([&] { validate(make_problem(stable, less, Type::i32, Type::i32)); }),
      "stable_partition counts items in the accumulator, which cannot be i32: use u64, or u32 for fewer than 2^32 "
      "items");
  const Plan plan = context.plan(make_problem(three_way, less, Type::f32, Type::u64, 7));
  EXPECT_EQ(message([&] {
              plan.run(Arguments(7)
                           .array("in", in.data())
                           .array("first", first.data())
                           .array("second", second.data())
                           .array("rest", rest.data())
                           .array("first_count", &counts_[0])
                           .array("second_count", &counts_[1])
                           .array("rest_count", &counts_[2])
                           .scalar("threshold", Scalar::of(1.0f)));
            }),
            "the scalar 'second_threshold' is missing: pass a value of type f32");
}

}  // namespace
}  // namespace upsweep
