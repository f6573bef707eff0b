// Typed calls of scans and reduces along an axis, and what is refused.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

class AxisCallsOf : public testing::Test {
 protected:
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<std::int16_t> items{1, 2, 3, 4, 5, 6};
  std::vector<std::int32_t> out = std::vector<std::int32_t>(7, 99);
};

TEST_F(AxisCallsOf, ScansGoDownEachColumn) {
  context.inclusive_scan(items.data(), out.data(), axis(1, 3, 2));
  EXPECT_EQ(out, (std::vector<std::int32_t>{1, 2, 4, 6, 9, 12, 99}));
  context.exclusive_scan(items.data(), out.data(), axis(1, 2, 3), multiplies);
  EXPECT_EQ(out, (std::vector<std::int32_t>{1, 1, 1, 1, 2, 3, 99}));
  context.exclusive_scan(items.data(), out.data(), axis(1, 3, 2), plus, 10);
  EXPECT_EQ(out, (std::vector<std::int32_t>{10, 10, 11, 12, 14, 16, 99}));
  const std::int32_t initial = -1;
  context.exclusive_scan(items.data(), out.data(), axis(1, 2, 3), maximum, in_memory(&initial));
  EXPECT_EQ(out, (std::vector<std::int32_t>{-1, -1, -1, 1, 2, 3, 99}));
}

TEST_F(AxisCallsOf, ReducesWriteAResultForEachColumn) {
  context.reduce(items.data(), out.data(), axis(1, 3, 2));
  EXPECT_EQ(out, (std::vector<std::int32_t>{9, 12, 99, 99, 99, 99, 99}));
  context.reduce(items.data(), out.data(), axis(1, 2, 3), plus, 100);
  EXPECT_EQ(out, (std::vector<std::int32_t>{105, 107, 109, 99, 99, 99, 99}));
  const std::int32_t initial = 3;
  context.reduce(items.data(), out.data(), axis(3, 1, 2), maximum, in_memory(&initial));
  EXPECT_EQ(out, (std::vector<std::int32_t>{3, 3, 3, 4, 5, 6, 99}));
}

TEST_F(AxisCallsOf, AnEmptyAxisGivesTheInitialValueAndNoColumnsNothing) {
  const std::int16_t* const none = nullptr;
  context.reduce(none, out.data(), axis(1, 0, 2), plus, 5);
  EXPECT_EQ(out, (std::vector<std::int32_t>{5, 5, 99, 99, 99, 99, 99}));
  context.reduce(none, static_cast<std::int32_t*>(nullptr), axis(0, 3, 2));
  context.inclusive_scan(none, static_cast<std::int32_t*>(nullptr), axis(3, 2, 0));
  EXPECT_EQ(out, (std::vector<std::int32_t>{5, 5, 99, 99, 99, 99, 99}));
}

// The last axis is one of rows.
TEST_F(AxisCallsOf, AreCallsOfAPlanToo) {
  const Problem sum = make_problem(Algorithm::reduce, plus, Type::i16, Type::i32);
  EXPECT_EQ(along_axis(sum, axis(2, 3, 1)), in_rows(sum, 2, 3));
  const auto call = [&](const Axis& shape) {
    return Arguments(shape).array("in", items.data()).array("out", out.data());
  };
  context.plan(along_axis(sum, axis(2, 3, 1))).run(call(axis(3, 2, 1)));
  EXPECT_EQ(out, (std::vector<std::int32_t>{3, 7, 11, 99, 99, 99, 99}));
  const Plan plan = context.plan(along_axis(sum, axis(1, 2, 3)));
  plan.prepare(call(axis(1, 2, 3)));
  plan.run(call(axis(1, 2, 2)).scalar("initial", Scalar::of(std::int32_t{7})));
  EXPECT_EQ(out, (std::vector<std::int32_t>{11, 13, 11, 99, 99, 99, 99}));
  plan.run(call(axis(2, 3, 1)));
  EXPECT_EQ(out, (std::vector<std::int32_t>{6, 15, 11, 99, 99, 99, 99}));
}

TEST_F(AxisCallsOf, BadCallsSayWhatToDo) {
  const auto message = [](const auto& call) { return test::message_of<UsageError>(call); };
  const std::uint64_t many = std::uint64_t{1} << 40;
  EXPECT_EQ(message([&] { context.reduce(items.data(), out.data(), axis(2, many, many)); }),
            "an array of 2 x 1099511627776 x 1099511627776 has 2^64 items or more: divide them among several calls");
  EXPECT_EQ(message([&] { context.reduce(items.data(), out.data(), axis(many, 0, many)); }),
            "an axis with extents of 1099511627776 before it and 1099511627776 behind it has 2^64 columns or more: "
            "divide them among several calls");
  EXPECT_THAT(message([&] { context.reduce(static_cast<std::int16_t*>(nullptr), out.data(), axis(1, 3, 2)); }),
              testing::StartsWith("'in' is null: "));
  EXPECT_THAT(message([&] { context.reduce(out.data(), out.data(), axis(1, 3, 2)); }),
              testing::EndsWith("overlap: use separate memory"));
  const Problem sum = make_problem(Algorithm::reduce, plus, Type::i16, Type::i32, 6);
  const Plan along = context.plan(along_axis(sum, axis(1, 3, 2)));
  const auto given = [&](Arguments arguments) { return arguments.array("in", items.data()).array("out", out.data()); };
  const std::string needs =
      "the plan of reduce plus i16 in i32, axis of 3 by 2 needs an axis: pass Arguments(axis(outer, length, inner))";
  EXPECT_EQ(message([&] { along.run(items.data(), out.data(), 6); }), needs);
  EXPECT_EQ(message([&] { along.run(given(Arguments(6))); }), needs);
  EXPECT_EQ(message([&] { along.run(given(Arguments(rows(2, 3)))); }), needs);
  const std::vector<std::uint32_t> offsets{0, 6};
  EXPECT_EQ(message([&] { along.run(given(Arguments(segments(offsets.data(), 1, 6)))); }), needs);
  EXPECT_THAT(message([&] { context.plan(in_rows(sum, 2, 3)).run(given(Arguments(axis(1, 3, 2)))); }),
              testing::HasSubstr("needs rows"));
  EXPECT_THAT(message([&] { context.plan(sum).run(given(Arguments(axis(1, 3, 2)))); }),
              testing::HasSubstr("takes no axis: pass Arguments(n)"));
  EXPECT_EQ(out, std::vector<std::int32_t>(7, 99)) << "nothing was written";
}

}  // namespace
}  // namespace upsweep
