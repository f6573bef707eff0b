#include "bench/summary.hpp"

#include <gtest/gtest.h>

#include "bench/compare.hpp"

namespace upsweep::bench {
namespace {

using tuner::Caches;
using tuner::Timing;

constexpr Mode warm{Caches::warm, Timing::back_to_back};

Cell cell(Algorithm algorithm, std::uint64_t size, double own_us, double peer_us, Mode mode = {}) {
  Cell made;
  made.problem = make_problem(algorithm, Operator::plus, Type::i32, Type::i32, size);
  made.mode = mode;
  made.rows.push_back(make_row(Who::upsweep, "upsweep", 8 * size, {own_us}));
  if (peer_us > 0) made.rows.push_back(make_row(Who::peer, "CUB", 8 * size, {peer_us}));
  return made;
}

TEST(GeometricMean, IsTheRootOfTheProduct) {
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector{2.0, 8.0}), 4);
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector{0.5, 2.0, 1.0}), 1);
  EXPECT_NEAR(geometric_mean(std::vector<double>(4000, 1e300)) / 1e300, 1, 1e-9) << "the product itself would overflow";
  EXPECT_EQ(geometric_mean({}), 1);
}

TEST(Ratio, IsOfTheOtherOverUpsweep) {
  const Cell both = cell(Algorithm::reduce, 10, 2, 3);
  EXPECT_DOUBLE_EQ(ratio(both, Who::peer).value(), 1.5);
  EXPECT_DOUBLE_EQ(ratio(both, Who::upsweep).value(), 1);
  EXPECT_EQ(ratio(both, Who::memcpy), std::nullopt);
  EXPECT_EQ(ratio(cell(Algorithm::reduce, 10, 0, 3), Who::peer), std::nullopt) << "a clock that stood still";
}

TEST(Summary, DifferencesAreNoScans) {
  Cell difference = cell(Algorithm::adjacent_difference, 100, 10, 20);
  difference.problem.op = Operator::minus;
  const std::vector<Summary> summaries = summarize(std::vector{difference});
  EXPECT_FALSE(summaries.at(0).scans);
  EXPECT_DOUBLE_EQ(summaries[0].differences.value().geometric_mean, 2);
}

TEST(Summary, TellsScansFromReducesAndModesApart) {
  const std::vector cells{
      cell(Algorithm::inclusive_scan, 100, 10, 20), cell(Algorithm::exclusive_scan, 200, 10, 5),
      cell(Algorithm::inclusive_scan, 300, 10, 0),  cell(Algorithm::reduce, 100, 10, 11),
      cell(Algorithm::reduce, 100, 10, 9, warm),
  };
  const std::vector<Summary> summaries = summarize(cells);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].mode, Mode{});
  ASSERT_TRUE(summaries[0].scans);
  EXPECT_EQ(summaries[0].scans->cells, 2) << "the peer did not know the third";
  EXPECT_DOUBLE_EQ(summaries[0].scans->geometric_mean, 1);
  EXPECT_EQ(summaries[0].scans->below_one, 1);
  EXPECT_DOUBLE_EQ(summaries[0].scans->worst, 0.5);
  EXPECT_EQ(summaries[0].scans->worst_problem, cells[1].problem);
  EXPECT_DOUBLE_EQ(summaries[0].reduces->geometric_mean, 1.1);
  EXPECT_EQ(summaries[0].reduces->below_one, 0);
  EXPECT_EQ(summaries[1].mode, warm);
  EXPECT_FALSE(summaries[1].scans);
  EXPECT_DOUBLE_EQ(summaries[1].reduces->worst, 0.9);
}

TEST(Summary, HasResultsForSomeItemsApart) {
  const std::vector cells{cell(Algorithm::select_if, 100, 10, 5), cell(Algorithm::reduce_by_key, 100, 10, 80),
                          cell(Algorithm::reduce, 100, 10, 11)};
  const std::vector<Summary> summaries = summarize(cells);
  ASSERT_EQ(summaries.size(), 1u);
  ASSERT_TRUE(summaries[0].compact);
  EXPECT_EQ(summaries[0].compact->cells, 2);
  EXPECT_DOUBLE_EQ(summaries[0].compact->geometric_mean, 2);
  EXPECT_EQ(summaries[0].compact->worst_problem, cells[0].problem);
  EXPECT_EQ(summaries[0].reduces->cells, 1);
  EXPECT_FALSE(summaries[0].scans);
}

TEST(Summary, IsEmptyOfNothing) {
  EXPECT_TRUE(summarize({}).empty());
  const std::vector without_peer{cell(Algorithm::reduce, 100, 10, 0)};
  ASSERT_EQ(summarize(without_peer).size(), 1u);
  EXPECT_FALSE(summarize(without_peer)[0].reduces);
}

TEST(Row, HasMedianQuartilesAndThroughput) {
  const Row row = make_row(Who::memcpy, "memcpy", 8000, {4, 1, 3, 2, 10});
  EXPECT_DOUBLE_EQ(row.median_us, 3);
  EXPECT_DOUBLE_EQ(row.lowest_us, 1);
  EXPECT_DOUBLE_EQ(row.lower_quartile_us, 2);
  EXPECT_DOUBLE_EQ(row.upper_quartile_us, 4);
  EXPECT_DOUBLE_EQ(row.highest_us, 10);
  EXPECT_EQ(row.samples, 5);
  EXPECT_DOUBLE_EQ(row.gigabytes_per_second, 8000 / 3.0 / 1e3);
  const Row two = make_row(Who::memcpy, "memcpy", 0, {1, 2});
  EXPECT_DOUBLE_EQ(two.lower_quartile_us, 1.25);
  EXPECT_DOUBLE_EQ(two.upper_quartile_us, 1.75);
}

}  // namespace
}  // namespace upsweep::bench
