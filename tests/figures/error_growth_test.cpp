// Exact sums against results that are known, and errors that are.
#include "figures/error_growth.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/host_context.hpp"

namespace upsweep::figures {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ExactSum, LosesNothing) {
  EXPECT_EQ(exact_sum({}), 0);
  EXPECT_EQ(exact_sum(std::vector{0.5f, 0.25f}), 0.75);
  EXPECT_EQ(exact_sum(std::vector{1.0f, 1e30f, 1.0f, -1e30f}), 2);
  EXPECT_EQ(exact_sum(std::vector{std::numeric_limits<float>::max(), 0x1p-149f, -std::numeric_limits<float>::max()}),
            0x1p-149);
  // Neither f32 nor f64 holds all of it on the way.
  EXPECT_EQ(exact_sum(std::vector{0x1p60f, 1.0f, 0x1p-60f, -0x1p60f, -1.0f}), 0x1p-60);
  EXPECT_EQ(exact_sum(std::vector{0x1p60f, -1.0f, -0x1p-60f, -0x1p60f, 1.0f}), -0x1p-60);
}

// 1 + 1/2 + 1/4 + ...: 2 - 2^-(n - 1); and n copies of 2^-24 behind a 1, which no f32 sum from the left notices.
TEST(ExactSum, IsThatOfClosedForms) {
  std::vector<float> halves;
  for (int i = 0; i < 50; ++i) halves.push_back(std::ldexp(1.0f, -i));
  EXPECT_EQ(exact_sum(halves), 2 - std::ldexp(1.0, -49));
  std::vector<float> small(1000, 0x1p-24f);
  small.insert(small.begin(), 1.0f);
  EXPECT_EQ(exact_sum(small), 1 + 1000 * 0x1p-24);
  EXPECT_EQ(std::accumulate(small.begin(), small.end(), 0.0f), 1.0f);
}

TEST(RandomItems, AreWhatTheirNamesSay) {
  for (const Items kind : all_items()) {
    const std::vector<float> items = random_items(kind, 1024, 1);
    ASSERT_EQ(items.size(), 1024u);
    EXPECT_EQ(items, random_items(kind, 1024, 1));
    EXPECT_NE(items, random_items(kind, 1024, 2));
    double magnitudes = 0;
    int negative = 0;
    for (const float item : items) {
      magnitudes += std::abs(item);
      negative += item < 0 ? 1 : 0;
    }
    const double condition = magnitudes / std::abs(exact_sum(items));
    if (kind == Items::positive) {
      EXPECT_EQ(negative, 0);
    }
    if (kind == Items::mixed) {
      EXPECT_NEAR(negative, 512, 100);
    }
    if (kind == Items::cancelling) {
      EXPECT_EQ(negative, 511);
      EXPECT_NEAR(condition, 1e6, 10);
    }
  }
}

// The host device computes them; the naive sum is the one that this loop computes.
TEST(MeasureErrors, AreThoseOfTheDevicesSums) {
  const auto engine = test::host_engine();
  const ErrorCell cell = measure_errors(*engine, Items::cancelling, 512, 1);
  EXPECT_EQ(cell.size, 512u);
  EXPECT_EQ(cell.draws, 1);
  EXPECT_NEAR(cell.condition, 1e6, 10);
  const std::vector<float> items = random_items(Items::cancelling, 512, 1);
  const double exact = exact_sum(items);
  float naive = 0;
  for (const float item : items) naive += item;
  ASSERT_EQ(cell.errors.size(), summations().size());
  EXPECT_DOUBLE_EQ(cell.errors[0], std::abs(naive - exact) / (0x1p-24 * exact));
  EXPECT_GT(cell.errors[0], 100);
  // kahan loses what its error term holds where a larger item comes; these do not.
  for (const std::size_t i : {3, 4}) {
    EXPECT_NE(summations()[i].label, "kahan");
    EXPECT_LT(cell.errors[i], 100) << summations()[i].label;
  }
}

TEST(MeasureErrors, AreTheRootMeanSquareOfTheDraws) {
  const auto engine = test::host_engine();
  double squares = 0;
  for (const std::uint32_t seed : {1, 2}) {
    const std::vector<float> items = random_items(Items::positive, 512, seed);
    const double exact = exact_sum(items);
    float naive = 0;
    for (const float item : items) naive += item;
    squares += std::pow((naive - exact) / (0x1p-24 * exact), 2);
  }
  EXPECT_NEAR(measure_errors(*engine, Items::positive, 512, 2).errors[0], std::sqrt(squares / 2), 1e-9);
}

TEST(ErrorDrawing, HasAChartAndATableForEachKindOfItems) {
  std::vector<std::vector<ErrorCell>> cells(
      3, {{1024, 8, 1.5, {10, 5, 1, 0.5, 0.25, 0}}, {4096, 2, 2000, {100, 50, 10, 5, 2.5, 1}}});
  const Drawing drawing = error_drawing(cells);
  ASSERT_EQ(drawing.charts.size(), 3u);
  EXPECT_EQ(drawing.charts[1].title, "Items from -1 to 1");
  ASSERT_EQ(drawing.charts[0].series.size(), 6u);
  EXPECT_EQ(drawing.charts[0].series[5].label, "binned");
  EXPECT_EQ(drawing.charts[0].series[5].marks[0].y, 0.01) << "0 is not on a logarithmic axis";
  EXPECT_EQ(drawing.charts[0].series[0].marks[1].y, 100);
  EXPECT_THAT(drawing.tables.at(2).rows,
              ElementsAre(ElementsAre("2^10", "8", "1.5", "10", "5", "1", "0.5", "0.25", "0"),
                          ElementsAre("2^12", "2", "2e+03", "100", "50", "10", "5", "2.5", "1")));
  EXPECT_THAT(drawing.notes.at(0), HasSubstr("Errors below 0.01 are drawn at 0.01"));
}

}  // namespace
}  // namespace upsweep::figures
