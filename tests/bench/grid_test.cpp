#include "bench/grid.hpp"

#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "tests/tuner/fake_device.hpp"

namespace upsweep::bench {
namespace {

using ::testing::ElementsAre;

Axes axes() {
  return {.algorithms = {Algorithm::inclusive_scan, Algorithm::reduce},
          .operators = {Operator::plus},
          .types = {Type::i32, Type::f64},
          .accumulator = {},
          .output = {},
          .sizes = {1, 1000}};
}

TEST(Grid, IsEveryCombinationWithSizesInside) {
  const Grid grid = make_grid(axes());
  ASSERT_EQ(grid.problems.size(), 8u);
  EXPECT_TRUE(grid.left_out.empty());
  EXPECT_EQ(grid.problems[0], make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1));
  EXPECT_EQ(grid.problems[1], make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1000));
  EXPECT_EQ(grid.problems[7], make_problem(Algorithm::reduce, Operator::plus, Type::f64, Type::f64, 1000));
}

TEST(Grid, SaysWhatMakesNoProblem) {
  Axes all = axes();
  all.operators = {Operator::bit_and};
  const Grid grid = make_grid(all);
  EXPECT_EQ(grid.problems.size(), 4u);
  EXPECT_THAT(grid.left_out,
              ElementsAre("inclusive_scan bit_and f64: operator bit_and does not take f64: use an integer type",
                          "reduce bit_and f64: operator bit_and does not take f64: use an integer type"));
}

TEST(Grid, RefusesWhatMakesNoProblemAtAll) {
  Axes none = axes();
  none.operators = {Operator::affine};
  EXPECT_EQ(tuner::message_of<UsageError>([&] { (void)make_grid(none); }),
            "inclusive_scan affine i32: operator affine does not take i32: use u32 or u64");
}

TEST(Grid, HasACellForEachDensity) {
  Axes dense = axes();
  dense.algorithms = {Algorithm::reduce, Algorithm::reduce_by_key};
  dense.types = {Type::i32};
  dense.densities = {Density::few, Density::all};
  const Grid grid = make_grid(dense);
  std::vector<std::string> problems;
  for (const Problem& problem : grid.problems) problems.push_back(to_string(problem));
  const std::string few = "reduce_by_key plus i32 by u32 at density 0.01",
                    all = "reduce_by_key plus i32 by u32 at density 1";
  EXPECT_THAT(problems, ElementsAre(few, few, all, all)) << "then by size";
  EXPECT_THAT(
      grid.left_out,
      ElementsAre("reduce plus i32 at density 0.01: reduce has as many results for all data: leave out the density",
                  "reduce plus i32 at density 1: reduce has as many results for all data: leave out the density"));
}

TEST(Grid, HasACellForEachAccuracy) {
  Axes sums = axes();
  sums.algorithms = {Algorithm::reduce};
  sums.types = {Type::i32, Type::f32};
  sums.sizes = {1000};
  sums.accuracies = {Accuracy::plain, Accuracy::kahan};
  const Grid grid = make_grid(sums);
  std::vector<std::string> problems;
  for (const Problem& problem : grid.problems) problems.push_back(to_string(problem));
  EXPECT_THAT(problems, ElementsAre("reduce plus i32", "reduce plus f32", "reduce plus f32 (kahan)"));
  EXPECT_EQ(grid.left_out.size(), 1u);
}

TEST(Grid, OfNoOperatorsHasSumsAndSelectionsByLess) {
  Axes open = axes();
  open.algorithms = {Algorithm::reduce, Algorithm::select_if, Algorithm::reduce_by_key};
  open.operators = {};
  open.types = {Type::i32};
  open.sizes = {1000};
  const Grid grid = make_grid(open);
  EXPECT_TRUE(grid.left_out.empty());
  std::vector<std::string> problems;
  for (const Problem& problem : grid.problems) problems.push_back(to_string(problem));
  EXPECT_THAT(problems,
              ElementsAre("reduce plus i32", "select_if less i32 in u64 to i32", "reduce_by_key plus i32 by u32"));
}

TEST(Grid, TakesOtherAccumulatorsAndOutputs) {
  Axes wide = axes();
  wide.types = {Type::i8};
  wide.accumulator = Type::i32;
  wide.output = Type::i64;
  const Problem problem = make_grid(wide).problems.front();
  EXPECT_EQ(problem.accumulator, Type::i32);
  EXPECT_EQ(problem.output, Type::i64);
}

TEST(Grid, DefaultSizesReach2To30AndHaveOddOnes) {
  const std::vector<std::uint64_t> sizes = default_grid_sizes(Target::cuda);
  EXPECT_EQ(sizes.size(), 14u);
  EXPECT_EQ(sizes.front(), 1u << 10);
  EXPECT_EQ(sizes.back(), 1u << 30);
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
  for (const std::uint64_t odd : {1'000'001u, 3'145'723u, 123'456'789u}) EXPECT_THAT(sizes, ::testing::Contains(odd));
  EXPECT_THAT(default_grid_sizes(Target::host), ElementsAre(1 << 10, 1 << 14));
}

}  // namespace
}  // namespace upsweep::bench
