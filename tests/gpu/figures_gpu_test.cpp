// The measured figures on a GPU: every config that they name runs there.
#include <algorithm>

#include <gmock/gmock.h>

#include "figures/figure.hpp"
#include "tests/gpu/gpu.hpp"

namespace upsweep {
namespace {

figures::Drawing drawn(const figures::Figure& figure, double budget_us) {
  figures::Drawing drawing = figure.draw({.engine = *test::gpu_engine(), .budget_us = budget_us});
  std::erase_if(drawing.notes, [](const std::string& note) { return note.starts_with("CUB is not in the figure"); });
  return drawing;
}

TEST(GpuFigures, LadderHasAllStepsAndATable) {
  const figures::Drawing drawing = drawn(figures::ladder_figure(), 10e6);
  ASSERT_EQ(drawing.charts.size(), 1u);
  EXPECT_EQ(drawing.charts[0].series.size(), 10u) << "nine steps and the best";
  for (const report::Series& each : drawing.charts[0].series) EXPECT_EQ(each.marks.size(), 9u) << each.label;
  ASSERT_EQ(drawing.tables.size(), 1u);
  EXPECT_GE(drawing.tables[0].rows.size(), 11u) << "and a plain read";
  EXPECT_THAT(drawing.notes, ::testing::IsEmpty());
}

TEST(GpuFigures, WindowHasAllSizesOfBothDescriptors) {
  const figures::Drawing drawing = drawn(figures::window_figure(), 2e6);
  ASSERT_EQ(drawing.charts.size(), 1u);
  ASSERT_EQ(drawing.charts[0].series.size(), 2u);
  for (const report::Series& each : drawing.charts[0].series) EXPECT_EQ(each.marks.size(), 8u) << each.label;
  EXPECT_THAT(drawing.notes, ::testing::IsEmpty());
}

TEST(GpuFigures, ErrorsOfDoubleDoubleAreSmall) {
  const figures::Drawing drawing = drawn(figures::error_figure(), 60e6);
  ASSERT_EQ(drawing.charts.size(), 3u);
  for (const report::Chart& chart : drawing.charts) {
    for (const report::Series& each : chart.series) {
      EXPECT_EQ(each.marks.size(), 7u) << chart.title << ", " << each.label;
      if (each.label != "double-double") continue;
      for (const report::Mark& mark : each.marks) EXPECT_LE(mark.y, 2) << chart.title << ", " << mark.note;
    }
  }
}

}  // namespace
}  // namespace upsweep
