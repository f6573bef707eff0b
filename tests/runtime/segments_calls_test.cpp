// Calls with segments on the host device: typed calls, offsets that are checked, and what is refused.
#include <cstdint>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "tests/runtime/segment_schedules.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/segments.hpp"
#include "tests/support/variable.hpp"

namespace upsweep {
namespace {

using test::of_segments_tests;
using test::segments_of_type;

TEST(Segments, OffsetsAreCheckedOnDemand) {
  const test::Variable check("UPSWEEP_CHECK", "1");
  Context context(of_segments_tests);
  const std::vector<std::int32_t> in(10, 1);
  std::vector<std::int32_t> out(10);
  const auto told = [&](const std::vector<std::int32_t>& offsets) {
    return test::message_of<UsageError>(
        [&] { context.reduce(in.data(), out.data(), segments(offsets.data(), offsets.size() - 1, in.size())); });
  };
  EXPECT_EQ(told({0, 3, 7, 5, 6}), "segment 2 begins at item 7 and ends at 5: offsets must ascend");
  EXPECT_EQ(told({0, 3, 11, 5}),
            "segment 1 ends at item 11, but there are 10 items: no offset may be negative or behind them");
  EXPECT_EQ(told({-1, 3}),
            "segment 0 begins at item 4294967295, but there are 10 items: no offset may be negative or behind them");
  const std::vector<std::uint64_t> right{0, 4, 4, 10};
  context.reduce(in.data(), out.data(), segments(right.data(), 3, in.size()));
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 3), testing::ElementsAre(4, 0, 6));
}

TEST(Segments, TypedCallsScanAndReduceEachSegment) {
  Context context(of_segments_tests);
  const std::vector<int> in{1, 2, 3, 4, 5, 6};
  const std::vector<std::int64_t> offsets{1, 3, 3, 5};
  const Segments shape = segments(offsets.data(), 3, in.size());
  std::vector<int> out(6, -1);
  context.inclusive_scan(in.data(), out.data(), shape);
  EXPECT_THAT(out, testing::ElementsAre(-1, 2, 5, 4, 9, -1));
  context.exclusive_scan(in.data(), out.data(), shape);
  EXPECT_THAT(out, testing::ElementsAre(-1, 0, 2, 0, 4, -1));
  context.exclusive_scan(in.data(), out.data(), shape, plus, 100);
  EXPECT_THAT(out, testing::ElementsAre(-1, 100, 102, 100, 104, -1));
  const int initial = 50;
  context.exclusive_scan(in.data(), out.data(), shape, plus, in_memory(&initial));
  EXPECT_THAT(out, testing::ElementsAre(-1, 50, 52, 50, 54, -1));
  context.reduce(in.data(), out.data(), shape);
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 3), testing::ElementsAre(5, 0, 9));
  context.reduce(in.data(), out.data(), shape, maximum, 3);
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 3), testing::ElementsAre(3, 3, 5));
  context.reduce(in.data(), out.data(), shape, plus, in_memory(&initial));
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 3), testing::ElementsAre(55, 50, 59));
  const std::vector<int> before = out;
  context.reduce(in.data(), out.data(), segments(static_cast<const int*>(nullptr), 0, in.size()));
  context.inclusive_scan(in.data(), out.data(), segments(static_cast<const int*>(nullptr), 0, in.size()));
  EXPECT_EQ(out, before) << "of no segments";
}

TEST(Segments, OfNoItemsHaveTheInitialValue) {
  Context context(of_segments_tests);
  const std::vector<std::uint32_t> offsets(5, 0);
  std::vector<float> out(4, -1);
  const float* const none = nullptr;
  context.reduce(none, out.data(), segments(offsets.data(), 4, 0), plus, 7.0f);
  EXPECT_THAT(out, testing::Each(7.0f));
}

TEST(Segments, BadCallsAreRefused) {
  Context context(of_segments_tests);
  const std::vector<int> in(10);
  std::vector<int> out(10), offsets{0, 4, 10};
  const auto told = [&](const Segments& shape) {
    return test::message_of<UsageError>([&] { context.inclusive_scan(in.data(), out.data(), shape); });
  };
  EXPECT_THAT(told(segments(offsets.data(), std::numeric_limits<std::uint64_t>::max(), 10)),
              testing::HasSubstr("2^64-1 segments have 2^64 offsets"));
  EXPECT_THAT(told(segments(static_cast<const int*>(nullptr), 2, 10)), testing::HasSubstr("'offsets' is null"));
  EXPECT_THAT(test::message_of<UsageError>([&] {
                const auto* const odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(offsets.data()) + 2);
                Context(of_segments_tests).inclusive_scan(in.data(), out.data(), segments(odd, 1, 10));
              }),
              testing::HasSubstr("'offsets'"));
  EXPECT_THAT(test::message_of<UsageError>([&] {
                Context(of_segments_tests).inclusive_scan(in.data(), offsets.data(), segments(offsets.data(), 2, 3));
              }),
              testing::HasSubstr("overlap"));
}

TEST(Segments, PlansAndArgumentsMustBothBeOfSegments) {
  Context context(of_segments_tests);
  const std::vector<int> in(10);
  std::vector<int> out(10);
  const std::vector<std::uint32_t> offsets{0, 10};
  const std::vector<std::uint64_t> wide{0, 10};
  const Plan plan = context.plan(segments_of_type(Algorithm::reduce, plus, Type::i32));
  const Plan flat = context.plan(make_problem(Algorithm::reduce, plus, Type::i32, Type::i32));
  const auto told = [&](const Plan& by, Arguments arguments) {
    return test::message_of<UsageError>([&] { by.run(arguments.array("in", in.data()).array("out", out.data())); });
  };
  EXPECT_THAT(told(plan, Arguments(10)), testing::HasSubstr("needs segments: pass Arguments(segments("));
  EXPECT_THAT(told(plan, Arguments(rows(2, 5))), testing::HasSubstr("needs segments: pass Arguments(segments("));
  EXPECT_THAT(test::message_of<UsageError>([&] { plan.run(in.data(), out.data(), 10); }),
              testing::HasSubstr("needs segments: pass Arguments(segments("));
  EXPECT_THAT(told(plan, Arguments(segments(wide.data(), 1, 10))),
              testing::HasSubstr("the offsets are u64, but the plan is of reduce plus i32 by u32, segments of 64"));
  EXPECT_THAT(told(flat, Arguments(segments(offsets.data(), 1, 10))), testing::HasSubstr("takes no segments"));
}

TEST(Segments, ProblemsAreRefusedThatNobodySolves) {
  const auto told = [](const Problem& problem) { return test::message_of<UsageError>([&] { validate(problem); }); };
  Problem problem = segments_of_type(Algorithm::reduce, plus, Type::f32);
  problem.key = Type::i16;
  EXPECT_THAT(told(problem), testing::HasSubstr("offsets of segments cannot be i16: use u32 or u64"));
  problem.key.reset();
  EXPECT_THAT(told(problem), testing::HasSubstr("segments need the type of their offsets"));
  problem = segments_of_type(Algorithm::reduce, plus, Type::f32);
  problem.accuracy = Accuracy::kahan;
  EXPECT_THAT(told(problem), testing::HasSubstr("sums of segments have no accuracy kahan"));
  problem = segments_of_type(Algorithm::reduce, plus, Type::f32);
  problem.density = Density::few;
  EXPECT_THAT(told(problem), testing::HasSubstr("leave out the density"));
  EXPECT_THAT(told(in_segments(make_problem(Algorithm::unique, equal_to, Type::i32, Type::u64), 1, 1)),
              testing::HasSubstr("unique does not take segments: use inclusive_scan or exclusive_scan or reduce"));
}

}  // namespace
}  // namespace upsweep
