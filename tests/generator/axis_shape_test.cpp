// An axis as the shape of a problem: its names, the numbers that stand for classes, and what is refused.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/axis.hpp>
#include <upsweep/error.hpp>
#include <upsweep/rows.hpp>

#include "generator/algorithm.hpp"
#include "generator/problem_family.hpp"
#include "generator/problem_names.hpp"
#include "generator/shape.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

std::string refusal_of_axis(const Problem& problem) {
  return test::error_of<UsageError>([&] { validate(problem); });
}

TEST(AxisShape, AnAxisIsNamedByTheClassesOfItsExtents) {
  const Problem plain = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  const Problem problem = along_axis(plain, axis(10, 1000, 60));
  EXPECT_EQ(problem.size, 600'000u);
  EXPECT_EQ(refusal_of_axis(problem), "");
  EXPECT_EQ(to_string(problem), "reduce plus f32, axis of 1000 by 60");
  EXPECT_EQ(names_of(problem).at("shape"), "axis of 1024 by 60");
  const Problem back = problem_of(names_of_key(key_of(problem)));
  EXPECT_EQ(back.shape, Shape::axis);
  EXPECT_EQ(back.row_length, 1024u);
  EXPECT_EQ(back.inner, 60u);
  EXPECT_TRUE(same_but_for_size(problem, back));
  EXPECT_EQ(along_axis(plain, axis(10, 1000, 1)), in_rows(plain, 10, 1000));
  for (const std::uint64_t extent : {std::uint64_t{0}, std::uint64_t{3}, ~std::uint64_t{0}}) {
    Problem extreme = along_axis(plain, axis(0, extent, 9)), read = plain;
    extreme.inner = extent;
    read_shape(read, shape_name(extreme));
    EXPECT_TRUE(same_shape(extreme, read)) << extent;
    EXPECT_EQ(with_length_of_class(extreme).inner, read.inner);
  }
  const Problem other = along_axis(plain, axis(10, 1000, 6000)), shorter = along_axis(plain, axis(10, 10, 60));
  EXPECT_EQ(nearness(problem, along_axis(plain, axis(1, 900, 76))), Nearness::same_problem);
  EXPECT_EQ(nearness(problem, along_axis(plain, axis(1, 900, 64))), Nearness::unrelated) << "rows of whole lines";
  EXPECT_EQ(nearness(problem, along_axis(plain, axis(1, 900, 67))), Nearness::unrelated) << "rows of odd length";
  EXPECT_EQ(nearness(problem, other), Nearness::unrelated);
  EXPECT_EQ(nearness(problem, shorter), Nearness::unrelated);
  EXPECT_EQ(nearness(problem, in_rows(plain, 10, 1000)), Nearness::unrelated);
  EXPECT_EQ(family_text(problem),
            "3/axis_2^10_2^6_aligned_16_indexed/4,4,4/reduce/addition/floating,floating,floating/");
}

// Of the bytes of a row, the largest power of two that divides them, up to 128.
TEST(AxisShape, TheNumberThatStandsForAClassOfColumnsKeepsTheirAlignment) {
  const auto of_class = [](Type type, std::uint64_t inner) {
    return of_classes(along_axis(make_problem(Algorithm::inclusive_scan, plus, type, type), axis(1, 1000, inner)))
        .inner;
  };
  for (const auto& [inner, stands] : {std::pair<std::uint64_t, std::uint64_t>{3, 3},
                                      {4, 4},
                                      {5, 7},
                                      {6, 6},
                                      {33, 31},
                                      {48, 48},
                                      {50, 62},
                                      {64, 64},
                                      {67, 63},
                                      {72, 56},
                                      {100, 124},
                                      {160, 128},
                                      {200, 248},
                                      {1000, 1016}}) {
    EXPECT_EQ(of_class(Type::f32, inner), stands) << inner;
  }
  EXPECT_EQ(of_class(Type::i8, 100), 124u);
  EXPECT_EQ(of_class(Type::f64, 50), 62u);
  EXPECT_EQ(of_class(Type::c128, 67), 63u);
  EXPECT_EQ(of_class(Type::c128, 72), 64u);
}

// A database may hold names of problems whose types this process does not know: each length is read for any type.
TEST(AxisShape, NamesOfAllAlignmentsReadBack) {
  for (const Type type : {Type::i8, Type::f16, Type::f32, Type::f64, Type::c128}) {
    for (std::uint64_t inner = 1; inner < 600; ++inner) {
      const Problem problem =
          along_axis(make_problem(Algorithm::inclusive_scan, plus, type, type), axis(1, 1000, inner));
      Problem read = problem, of_another_type;
      read_shape(read, shape_name(problem));
      ASSERT_EQ(read, with_length_of_class(problem)) << shape_name(problem);
      ASSERT_TRUE(same_shape(read, problem)) << shape_name(problem);
      ASSERT_EQ(shape_name(read), shape_name(problem));
      read_shape(of_another_type, shape_name(problem));
      ASSERT_EQ(of_another_type.inner, read.inner);
    }
  }
}

// A call of the tuner has any number of items: what is no whole part of the array is left out.
TEST(AxisShape, FewerItemsThanAnAxisAreAShorterOneOrFewerColumns) {
  const Problem problem = along_axis(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32), axis(5, 10, 7));
  const auto parts = [&](std::uint64_t n) {
    return std::vector{rows_of(problem, n), length_of_rows(problem, n), inner_of(problem, n), whole_items(problem, n)};
  };
  EXPECT_EQ(parts(350), (std::vector<std::uint64_t>{35, 10, 7, 350}));
  EXPECT_EQ(parts(349), (std::vector<std::uint64_t>{28, 10, 7, 280}));
  EXPECT_EQ(parts(69), (std::vector<std::uint64_t>{6, 10, 6, 60}));
  EXPECT_EQ(parts(5), (std::vector<std::uint64_t>{1, 5, 1, 5}));
  EXPECT_EQ(parts(1), (std::vector<std::uint64_t>{1, 1, 1, 1}));
  const Problem longer = along_axis(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32), axis(1, 1000, 7));
  EXPECT_EQ(length_of_rows(longer, 6999), 999u) << "a shorter axis of as many columns";
  EXPECT_EQ(inner_of(longer, 6999), 7u);
  EXPECT_EQ(output_items(problem, 349), 28u);
  EXPECT_EQ(input_bytes(problem, 349), 1120u);
  EXPECT_EQ(output_items(problem, 0), 0u);
  EXPECT_EQ(least_items(problem), 70u);
}

TEST(AxisShape, OtherAlgorithmsAndOptionsRefuseAnAxis) {
  const Axis shape = axis(2, 3, 4);
  EXPECT_EQ(refusal_of_axis(along_axis(make_problem(Algorithm::select_if, less, Type::i32, Type::u32), shape)),
            "select_if does not take an axis: use inclusive_scan or exclusive_scan or reduce, or leave out the axis");
  Problem kahan = along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), shape);
  kahan.accuracy = Accuracy::kahan;
  EXPECT_EQ(refusal_of_axis(kahan), "sums along an axis have no accuracy kahan: leave out the accuracy, or the axis");
  Problem rows = in_rows(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32), 2, 3);
  rows.inner = 4;
  EXPECT_EQ(refusal_of_axis(rows), "items that are 4 apart need an axis: set the shape of the problem to axis");
}

}  // namespace
}  // namespace upsweep
