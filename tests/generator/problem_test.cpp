#include <upsweep/problem.hpp>

#include <cmath>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

std::string refusal(const Problem& problem) {
  return test::error_of<UsageError>([&] { validate(problem); });
}

TEST(Problem, RefusesWhatTheOperatorDoesNotTake) {
  EXPECT_EQ(refusal(make_problem(Algorithm::reduce, Operator::bit_and, Type::f32, Type::f32)),
            "operator bit_and does not take f32: use an integer type");
  EXPECT_EQ(refusal(make_problem(Algorithm::reduce, Operator::affine, Type::i64, Type::i64)),
            "operator affine does not take i64: use u32 or u64");
  EXPECT_EQ(refusal(make_problem(Algorithm::reduce, Operator::maximum, Type::c64, Type::c64)),
            "operator maximum does not take c64: use a type that is not complex");
  EXPECT_EQ(refusal(make_problem(Algorithm::reduce, Operator::bit_xor, Type::c128, Type::c128)),
            "operator bit_xor does not take c128: use an integer type");
  EXPECT_EQ(refusal(make_problem(Algorithm::inclusive_scan, Operator::plus, Type::f32, Type::i64)),
            "f32 values cannot be accumulated in i64: use f32 or f64 as accumulator");
  Problem narrowed = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::f32);
  narrowed.output = Type::i32;
  EXPECT_EQ(refusal(narrowed), "an accumulator of f32 cannot be written as i32: use a floating-point output type");
  EXPECT_EQ(refusal(make_problem(Algorithm::inclusive_scan, Operator::plus, Type::u8, Type::u64)), "");
}

TEST(Problem, LosesNoImaginaryPart) {
  for (const Type real : {Type::i64, Type::f16, Type::f64}) {
    EXPECT_EQ(refusal(make_problem(Algorithm::inclusive_scan, Operator::plus, real, Type::c64)), "");
    EXPECT_EQ(refusal(make_problem(Algorithm::inclusive_scan, Operator::plus, Type::c64, real)),
              "c64 values cannot be accumulated in " + std::string(name(real)) + ": use c64 or c128 as accumulator");
    Problem written = make_problem(Algorithm::reduce, Operator::multiplies, Type::c64, Type::c128);
    written.output = real;
    EXPECT_EQ(refusal(written), "an accumulator of c128 cannot be written as " + std::string(name(real)) +
                                    ": use c64 or c128 as output type");
  }
  Problem widened = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::f32);
  widened.output = Type::c128;
  EXPECT_EQ(refusal(widened), "");
}

TEST(Problem, SaysItselfInWords) {
  EXPECT_EQ(to_string(make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32)),
            "inclusive_scan plus i32");
  Problem mixed = make_problem(Algorithm::reduce, Operator::maximum, Type::f16, Type::f32);
  mixed.output = Type::f64;
  EXPECT_EQ(to_string(mixed), "reduce maximum f16 in f32 to f64");
}

TEST(Problem, SizeClassIsTheNearestPowerOfTwoInRatio) {
  EXPECT_EQ(size_side(1 << 20), SizeSide::at);
  EXPECT_EQ(size_side((1 << 20) + 1), SizeSide::above);
  EXPECT_EQ(size_side((1 << 20) - 1), SizeSide::below);
  EXPECT_EQ(size_side(1448), SizeSide::above);
  EXPECT_EQ(size_side(1449), SizeSide::below);
  EXPECT_EQ(size_side(0), SizeSide::below) << "of 2^0";
  EXPECT_EQ(size_side(1), SizeSide::at);
  EXPECT_EQ(size_side(std::uint64_t{1} << 63), SizeSide::at);
  EXPECT_EQ(size_side(~std::uint64_t{0}), SizeSide::below) << "of 2^64";
  EXPECT_EQ(size_class(0), 0);
  EXPECT_EQ(size_class(1), 0);
  EXPECT_EQ(size_class(1 << 20), 20);
  EXPECT_EQ(size_class((1 << 20) - 1), 20);
  EXPECT_EQ(size_class(1448), 10);  // 1448 / 1024 < sqrt(2) < 1449 / 1024
  EXPECT_EQ(size_class(1449), 11);
  EXPECT_EQ(size_class(~std::uint64_t{0}), 64);
  for (std::uint64_t n = 1; n < 100000; n = n * 9 / 8 + 1) {
    EXPECT_EQ(size_class(n), std::lround(std::log2(static_cast<double>(n)))) << n;
  }
}

}  // namespace
}  // namespace upsweep
