// Segments with gaps between them, given by pairs of begin and end, on the host device: schedules, checks, typed calls
// and what is refused.
#include <cstdint>
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

using test::affine_segments;
using test::affine_sums;
using test::layouts_of_segments;
using test::lengths_around;
using test::lookahead_of_bytes;
using test::lookahead_of_segments;
using test::lookback_of_segments;
using test::merge_path;
using test::of_segments_tests;
using test::ScheduleOfSegments;
using test::segment_groups;
using test::segment_pieces;
using test::segments_of_type;

class SegmentedByPairs : public testing::TestWithParam<ScheduleOfSegments> {};

// One kernel with segments of all these lengths, of which every other one is a gap.
TEST_P(SegmentedByPairs, GiveWhatAPlainLoopOverEachSegmentGives) {
  const auto engine = test::host_engine(test::two_multiprocessors());
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  std::uint64_t seed = 0;
  for (const auto& lengths : lengths_around(plan.source().launch.items_per_tile)) {
    ++seed;
    const std::vector<std::uint64_t> offsets = test::offsets_of(lengths, seed % 4 == 3 ? 5 : 0);
    if (offsets.size() < 2) continue;
    const std::uint64_t n = offsets.back() + (seed % 3 == 0 ? 2 : 0);
    const test::PortCase call = test::make_pairs_case(plan.problem(), offsets, n, seed);
    ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layouts_of_segments[seed % 3]), std::nullopt)
        << to_string(plan.problem()) << " " << to_json(plan.config()) << ", seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SegmentedByPairs,
    testing::Values(
        ScheduleOfSegments{"sequential", affine_segments, {"sequential", {}}},
        ScheduleOfSegments{"lookback", affine_segments, lookback_of_segments},
        ScheduleOfSegments{"lookback_bytes",
                           segments_of_type(Algorithm::inclusive_scan, maximum, Type::i8),
                           {"lookback", {{"threads_per_block", 32}, {"items_per_thread", 31}}}},
        ScheduleOfSegments{"lookahead", affine_segments, lookahead_of_segments},
        ScheduleOfSegments{"lookahead_bytes", segments_of_type(Algorithm::inclusive_scan, maximum, Type::i8),
                           lookahead_of_bytes},
        ScheduleOfSegments{"reduce_then_scan", affine_segments, {"reduce_then_scan", {{"threads_per_block", 64}}}},
        ScheduleOfSegments{"reduce_sequential", affine_sums, {"sequential", {}}},
        ScheduleOfSegments{"segment_groups", affine_segments, segment_groups},
        ScheduleOfSegments{"reduce_segment_groups", affine_sums, segment_groups},
        ScheduleOfSegments{"shared_segment_groups", affine_sums, test::shared_segment_groups},
        ScheduleOfSegments{"segment_pieces", affine_sums, segment_pieces},
        ScheduleOfSegments{"merge_path", affine_sums, merge_path(64, 3)}),
    [](const auto& given) { return given.param.name; });

TEST(SegmentPairs, AreCheckedOnDemand) {
  const test::Variable check("UPSWEEP_CHECK", "1");
  Context context(of_segments_tests);
  const std::vector<std::int32_t> in(10, 1);
  std::vector<std::int32_t> out(10);
  const auto call = [&](const std::vector<std::int64_t>& begins, const std::vector<std::int64_t>& ends) {
    context.reduce(in.data(), out.data(), segments(begins.data(), ends.data(), begins.size(), in.size()));
  };
  const auto told = [&](const std::vector<std::int64_t>& begins, const std::vector<std::int64_t>& ends) {
    return test::message_of<UsageError>([&] { call(begins, ends); });
  };
  EXPECT_EQ(told({0, 3, 6}, {2, 5, 4}), "segment 2 begins at item 6 and ends at 4: offsets must ascend");
  EXPECT_EQ(told({0, 3, 4}, {2, 5, 9}),
            "segment 2 begins at item 4, but segment 1 ends at item 5: segments must ascend and not overlap, or be "
            "unordered_segments()");
  EXPECT_EQ(told({0, 3}, {2, 11}),
            "segment 1 ends at item 11, but there are 10 items: no offset may be negative or behind them");
  EXPECT_EQ(told({11}, {11}),
            "segment 0 begins at item 11, but there are 10 items: no offset may be negative or behind them");
  call({0, 3, 3, 6}, {2, 3, 6, 10});
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 4), testing::ElementsAre(2, 0, 3, 4));
}

TEST(SegmentPairs, OfNarrowSignedOffsetsAreCheckedOnDemand) {
  const test::Variable check("UPSWEEP_CHECK", "1");
  Context context(of_segments_tests);
  const std::vector<std::int32_t> in(10, 1), begins{0, -1}, ends{2, 5};
  std::vector<std::int32_t> out(10);
  EXPECT_THAT(test::message_of<UsageError>(
                  [&] { context.reduce(in.data(), out.data(), segments(begins.data(), ends.data(), 2, in.size())); }),
              testing::HasSubstr("segment 1 begins at item "));
}

// As calls that are captured need it.
TEST(SegmentPairs, KernelsArePreparedByArguments) {
  const auto engine = test::host_engine();
  const Problem problem = in_segments(segments_of_type(Algorithm::reduce, plus, Type::i32), 2, 6);
  const Plan plan = engine->plan(problem, nullptr);
  const auto holds = [&] {
    return engine->kernels().holds(
        generate(problem, plan.config(), Target::host, SourceOptions{.segment_ends = true}).key);
  };
  const std::vector<std::int32_t> in{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint32_t> begins{0, 4}, ends{2, 6};
  std::vector<std::int32_t> out(2);
  Arguments arguments(segments(begins.data(), ends.data(), 2, in.size()));
  arguments.array("in", in.data()).array("out", out.data());
  EXPECT_FALSE(holds());
  plan.prepare(arguments);
  EXPECT_TRUE(holds());
  plan.run(arguments);
  EXPECT_THAT(out, testing::ElementsAre(3, 11));
}

TEST(SegmentPairs, TypedCallsTakePairs) {
  Context context(of_segments_tests);
  const std::vector<int> in{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint32_t> begins{0, 3, 4}, ends{2, 3, 6};
  const Segments shape = segments(begins.data(), ends.data(), 3, in.size());
  std::vector<int> out(6, -1);
  context.inclusive_scan(in.data(), out.data(), shape);
  EXPECT_THAT(out, testing::ElementsAre(1, 3, -1, -1, 5, 11));
  context.exclusive_scan(in.data(), out.data(), shape, plus, 100);
  EXPECT_THAT(out, testing::ElementsAre(100, 101, -1, -1, 100, 105));
  const int initial = 50;
  context.reduce(in.data(), out.data(), shape, plus, in_memory(&initial));
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 3), testing::ElementsAre(53, 50, 61));
  // Offsets after pairs, of the same plan.
  const std::vector<std::uint32_t> offsets{0, 2, 6};
  context.reduce(in.data(), out.data(), segments(offsets.data(), 2, in.size()));
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 2), testing::ElementsAre(3, 18));
}

TEST(SegmentPairs, BadPairsAreRefused) {
  Context context(of_segments_tests);
  const std::vector<int> in(10);
  std::vector<int> out(10), begins{0, 4}, ends{4, 10};
  const auto told = [&](const Segments& shape, int* to) {
    return test::message_of<UsageError>([&] { Context(of_segments_tests).reduce(in.data(), to, shape); });
  };
  const int* const none = nullptr;
  EXPECT_THAT(told(segments(begins.data(), none, 2, 10), out.data()), testing::HasSubstr("'ends' is null"));
  EXPECT_THAT(told(segments(none, ends.data(), 2, 10), out.data()), testing::HasSubstr("'offsets' is null"));
  const auto* const odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(ends.data()) + 2);
  EXPECT_THAT(told(segments(begins.data(), odd, 1, 10), out.data()),
              testing::AllOf(testing::HasSubstr("'ends'"), testing::HasSubstr("is not aligned for u32")));
  EXPECT_THAT(told(segments(begins.data(), ends.data(), 2, 10), ends.data()),
              testing::HasSubstr("the ends of segments"));
  // The results may follow the begins.
  std::vector<int> both{0, 4, -1, -1};
  context.reduce(in.data(), both.data() + 2, segments(both.data(), ends.data(), 2, 10));
  EXPECT_THAT(both, testing::ElementsAre(0, 4, 0, 0));
}

}  // namespace
}  // namespace upsweep
