// Segments in any order, which overlap in some reduces, on the host device: schedules, typed calls, plans, checks and
// what is refused.
#include <cstdint>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "tests/runtime/hostile.hpp"
#include "tests/runtime/segment_schedules.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/variable.hpp"

namespace upsweep {
namespace {

using test::layouts_of_segments;
using test::of_segments_tests;
using test::ScheduleOfSegments;
using test::SegmentPlace;
using test::segments_of_type;

Problem unordered(Problem problem) {
  problem.unordered_segments = true;
  return problem;
}

const Problem unordered_scan = unordered(test::affine_segments);
const Problem unordered_sums = unordered(test::affine_sums);

class UnorderedSegments : public testing::TestWithParam<ScheduleOfSegments> {};

// Segments of up to as many items as several stretches of a block, many of which overlap.
std::vector<SegmentPlace> windows(std::uint64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<SegmentPlace> found(random() % 300);
  for (SegmentPlace& each : found) {
    each.begin = random() % (n + 1);
    const std::uint64_t most = std::uint64_t{1} << random() % 12, length = random() % most;
    each.end = std::min(n, each.begin + length);
  }
  return found;
}

TEST_P(UnorderedSegments, GiveWhatAPlainLoopOverEachSegmentGives) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    device->set_schedule(test::hostile_schedule(seed));
    const std::vector<std::uint64_t> offsets = test::offsets_of(test::mixed_lengths(2000, seed), seed % 3);
    const std::uint64_t n = offsets.back() + seed % 2;
    const test::PortCase disjoint =
        test::make_unordered_case(plan.problem(), test::shuffled_segments(offsets, seed), n, seed);
    ASSERT_EQ(test::run_and_compare(*device, plan, disjoint, layouts_of_segments[seed % 3]), std::nullopt)
        << to_json(plan.config()) << ", seed " << seed;
    if (is_dense(plan.problem())) continue;
    const test::PortCase overlapping = test::make_unordered_case(plan.problem(), windows(n, seed), n, seed);
    ASSERT_EQ(test::run_and_compare(*device, plan, overlapping, layouts_of_segments[seed % 3]), std::nullopt)
        << to_json(plan.config()) << ", windows, seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, UnorderedSegments,
    testing::Values(ScheduleOfSegments{"scan_sequential", unordered_scan, {"sequential", {}}},
                    ScheduleOfSegments{"scan", unordered_scan, test::segment_groups},
                    ScheduleOfSegments{"scan_by_blocks",
                                       unordered(segments_of_type(Algorithm::inclusive_scan, maximum, Type::i8)),
                                       test::segment_blocks},
                    ScheduleOfSegments{"reduce_sequential", unordered_sums, {"sequential", {}}},
                    ScheduleOfSegments{"reduce", unordered_sums, test::segment_groups},
                    ScheduleOfSegments{"reduce_shared", unordered_sums, test::shared_segment_groups},
                    ScheduleOfSegments{"reduce_shared_by_blocks", unordered_sums, test::shared_segment_blocks},
                    ScheduleOfSegments{"reduce_by_blocks",
                                       unordered(segments_of_type(Algorithm::reduce, plus, Type::f32, Type::u64)),
                                       test::segment_blocks}),
    [](const auto& given) { return given.param.name; });

TEST(UnorderedSegmentCalls, AreTyped) {
  Context context(of_segments_tests);
  const std::vector<int> in{1, 2, 3, 4, 5, 6};
  const std::vector<std::int64_t> begins{4, 0, 2}, ends{6, 2, 2}, windows_begin{2, 1, 0}, windows_end{6, 5, 4};
  const Segments disjoint = unordered_segments(begins.data(), ends.data(), 3, in.size());
  std::vector<int> out(6, -1);
  context.inclusive_scan(in.data(), out.data(), disjoint);
  EXPECT_THAT(out, testing::ElementsAre(1, 3, -1, -1, 5, 11));
  context.exclusive_scan(in.data(), out.data(), disjoint, plus, 100);
  EXPECT_THAT(out, testing::ElementsAre(100, 101, -1, -1, 100, 105));
  out.resize(3);
  context.reduce(in.data(), out.data(), disjoint);
  EXPECT_THAT(out, testing::ElementsAre(11, 3, 0));
  context.reduce(in.data(), out.data(), unordered_segments(windows_begin.data(), windows_end.data(), 3, in.size()));
  EXPECT_THAT(out, testing::ElementsAre(18, 14, 10));
}

// A plan of either kind, and calls of both.
TEST(UnorderedSegmentCalls, NeedAPlanOfTheirs) {
  const auto engine = test::host_engine();
  const std::vector<int> in{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint32_t> begins{4, 0}, ends{6, 3};
  const Segments given = unordered_segments(begins.data(), ends.data(), 2, in.size());
  const Problem sums = make_problem(Algorithm::reduce, plus, Type::i32, Type::i32);
  std::vector<int> out(2);
  const auto run = [&](const Plan& plan, const Segments& segments) {
    plan.run(Arguments(segments).array("in", in.data()).array("out", out.data()));
    return out;
  };
  const Plan ordered = engine->plan(in_segments(sums, 2, 6), nullptr);
  EXPECT_EQ(test::message_of<UsageError>([&] { run(ordered, given); }),
            "the plan of reduce plus i32 by u32, segments of 3 takes no segments in any order: make the plan of "
            "in_segments(problem, segments) with these");
  const Plan plan = engine->plan(in_segments(sums, given), nullptr);
  EXPECT_EQ(to_string(plan.problem()), "reduce plus i32 by u32, segments of 3 in any order");
  EXPECT_THAT(run(plan, given), testing::ElementsAre(11, 6));
  const std::vector<std::uint32_t> offsets{0, 2, 6}, from{0, 4}, to{3, 6};
  EXPECT_THAT(run(plan, segments(offsets.data(), 2, 6)), testing::ElementsAre(3, 18));
  EXPECT_THAT(run(plan, segments(from.data(), to.data(), 2, 6)), testing::ElementsAre(6, 11));
}

// Schedules that search for segments are not theirs, whatever the size.
TEST(UnorderedSegmentCalls, HaveSchedulesThatTakeEachSegmentAlone) {
  const std::uint32_t* const offsets = nullptr;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    for (const std::uint64_t items : {std::uint64_t{100}, std::uint64_t{1} << 28}) {
      const Problem problem = in_segments(make_problem(algorithm, plus, Type::f32, Type::f32),
                                          unordered_segments(offsets, offsets, 10, items));
      const ConfigSpace space(problem, limits_of_architecture("sm_90"));
      std::vector<std::string> names;
      for (const ScheduleInfo& each : space.describe()) names.push_back(each.name);
      EXPECT_THAT(names, testing::UnorderedElementsAre("segment_groups", "sequential"));
      EXPECT_EQ(space.default_config().schedule, "segment_groups");
      EXPECT_THAT(space.violations(space.default_config()), testing::IsEmpty());
    }
  }
}

TEST(UnorderedSegmentCalls, AreCheckedOnDemand) {
  const test::Variable check("UPSWEEP_CHECK", "1");
  Context context(of_segments_tests);
  const std::vector<std::int32_t> in(10, 1);
  std::vector<std::int32_t> out(10);
  const auto call = [&](const std::vector<std::int64_t>& begins, const std::vector<std::int64_t>& ends) {
    context.reduce(in.data(), out.data(), unordered_segments(begins.data(), ends.data(), begins.size(), in.size()));
  };
  const auto told = [&](const std::vector<std::int64_t>& begins, const std::vector<std::int64_t>& ends) {
    return test::message_of<UsageError>([&] { call(begins, ends); });
  };
  call({6, 0, 3}, {10, 4, 3});
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 3), testing::ElementsAre(4, 4, 0));
  EXPECT_EQ(told({6, 3}, {10, 2}), "segment 1 begins at item 3 and ends at 2: offsets must ascend");
  EXPECT_EQ(told({6, 3}, {10, 11}),
            "segment 1 ends at item 11, but there are 10 items: no offset may be negative or behind them");
  EXPECT_EQ(
      told({6, -3}, {10, 2}),
      "segment 1 begins at item 18446744073709551613, but there are 10 items: no offset may be negative or behind "
      "them");
}

TEST(UnorderedSegmentCalls, OfScansMayNotOverlap) {
  const test::Variable check("UPSWEEP_CHECK", "1");
  Context context(of_segments_tests);
  const std::vector<std::int32_t> in(10, 1);
  std::vector<std::int32_t> out(10, 0);
  const auto call = [&](const std::vector<std::int64_t>& begins, const std::vector<std::int64_t>& ends) {
    context.inclusive_scan(in.data(), out.data(),
                           unordered_segments(begins.data(), ends.data(), begins.size(), in.size()));
  };
  const auto told = [&](const std::vector<std::int64_t>& begins, const std::vector<std::int64_t>& ends) {
    return test::message_of<UsageError>([&] { call(begins, ends); });
  };
  EXPECT_EQ(told({6, 0, 3}, {10, 4, 6}), "segments 1 and 2 both have item 3: segments of a scan must not overlap");
  EXPECT_EQ(told({5, 2}, {6, 9}), "segments 0 and 1 both have item 5: segments of a scan must not overlap");
  EXPECT_THAT(out, testing::Each(0));
  call({6, 0, 3, 2}, {10, 3, 6, 2});  // an empty one has no item
  EXPECT_THAT(out, testing::ElementsAre(1, 2, 3, 1, 2, 3, 1, 2, 3, 4));
  const std::vector<std::int64_t> begins{0, 2}, ends{3, 4};
  EXPECT_EQ(test::message_of<UsageError>([&] {
              context.inclusive_scan(in.data(), out.data(), segments(begins.data(), ends.data(), 2, in.size()));
            }),
            "segment 1 begins at item 2, but segment 0 ends at item 3: segments must ascend and not overlap, or be "
            "unordered_segments(), which may not overlap in a scan");
}

TEST(UnorderedSegmentCalls, NeedTheShape) {
  Problem problem = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  problem.unordered_segments = true;
  EXPECT_EQ(test::message_of<UsageError>([&] { validate(problem); }),
            "segments in any order need segments: set the shape of the problem to segments");
  EXPECT_FALSE(in_segments(problem, 3, 10).unordered_segments);
  EXPECT_FALSE(in_rows(problem, 3, 10).unordered_segments);
}

}  // namespace
}  // namespace upsweep
