// Figures that need a GPU, on a device that does what the test says.
#include "figures/measured.hpp"

#include <gmock/gmock.h>

#include "generator/space.hpp"
#include "tests/tuner/fake_device.hpp"

namespace upsweep::figures {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Caches of 4 KiB, so that slots are few; memory for 2^16 items and not for 2^17.
struct FakeGpu : tuner::FakeEngine {
  FakeGpu() {
    device->own_limits = limits_of_architecture("sm_90");
    device->own_limits.l2_bytes = 4096;
    device->own_limits.memory_bytes = 1 << 20;
  }
};

std::vector<std::string> labels(const bench::Cell& cell) {
  std::vector<std::string> all;
  for (const bench::ConfigCell& each : cell.configs) all.push_back(each.label);
  return all;
}

TEST(Measure, HasTheConfigsAndSaysWhatIsMissing) {
  FakeGpu gpu;
  gpu.device->clock = [](const std::string& text, int calls) {
    return (text.find("lookback_window 1\n") != std::string::npos ? 25.0 : 10.0) * calls;
  };
  std::vector<std::string> said;
  const Setting setting{.engine = *gpu.engine, .progress = [&](const std::string& what) { said.push_back(what); }};
  const Measured measured = measure(
      setting, at_powers_of_two(sum_of_i32(Algorithm::inclusive_scan), 15, 17),
      {named_config("one", "lookback, lookback_window=1"), named_config("none", "lookback, lookback_window=3")});
  ASSERT_EQ(measured.cells.size(), 2u);
  EXPECT_EQ(measured.cells[1].problem.size, 1u << 16);
  EXPECT_THAT(labels(measured.cells[0]), ElementsAre("one", "none"));
  const bench::ConfigCell& one = measured.cells[0].configs[0];
  ASSERT_TRUE(one.row.has_value());
  EXPECT_EQ(one.row->median_us, 25);
  EXPECT_EQ(measured.cells[0].row(bench::Who::upsweep)->median_us, 10);
  EXPECT_EQ(one.config.integer("lookback_window"), 1);
  EXPECT_NO_THROW((void)one.config.integer("items_per_thread")) << "the config is complete";
  EXPECT_FALSE(measured.cells[0].configs[1].row.has_value());
  EXPECT_EQ(measured.cells[0].config_row("none"), nullptr);
  EXPECT_THAT(said, ElementsAre("getting ready", "2^15 items", "2^16 items"));
  EXPECT_THAT(measured.notes,
              ElementsAre(AllOf(StartsWith("2^17 items are left out: "), HasSubstr("do not fit")),
                          AllOf(StartsWith("none is left out at 2^15 items: "), HasSubstr("lookback_window")),
                          StartsWith("CUB is not in the figure")));
}

TEST(Measure, EndsWhenTheTimeIsOver) {
  FakeGpu gpu;
  const Measured measured =
      measure({.engine = *gpu.engine, .budget_us = 0}, at_powers_of_two(sum_of_i32(Algorithm::reduce), 10, 12), {});
  EXPECT_LT(measured.cells.size(), 3u);
  EXPECT_THAT(measured.notes, Contains(StartsWith("The time ran out before 2^1")));
}

TEST(Measure, FiguresTakeTheSchedulesTheyName) {
  FakeGpu gpu;
  const Drawing scans = throughput_figure().draw({.engine = *gpu.engine});
  ASSERT_EQ(scans.charts.size(), 1u);
  std::vector<std::string> lines;
  for (const report::Series& each : scans.charts[0].series) lines.push_back(each.label);
  EXPECT_THAT(lines, ElementsAre("memcpy", "best", "look-back", "chained", "reduce-then-scan", "scan-then-propagate"));
  EXPECT_EQ(scans.tables.at(0).rows.size(), 5u) << "2^12 to 2^16";

  const Drawing steps = ladder_figure().draw({.engine = *gpu.engine});
  EXPECT_EQ(steps.charts.at(0).series.size(), 11u) << "ten steps and the best";
  EXPECT_THAT(steps.notes, Contains("There is no table: 2^24 items were not measured."));
  EXPECT_THROW((void)window_figure().draw({.engine = *gpu.engine}), DeviceError) << "none of its sizes fits";
}

// Running 2^24 items on the fake device takes a minute.
TEST(Window, ConfigsAreValidAsTheyStand) {
  const Problem problem = at_powers_of_two(sum_of_i32(Algorithm::inclusive_scan), 24, 24).front();
  const Space space(problem, limits_of_architecture("sm_90"));
  const std::vector<bench::NamedConfig> configs = window_configs();
  EXPECT_EQ(configs.size(), 16u);
  for (const bench::NamedConfig& each : configs) {
    const Config config = space.resolve(each.config);
    EXPECT_EQ(config.integer("threads_per_block") * config.integer("items_per_thread"), 512);
    for (const auto& [parameter, value] : each.config.values)
      EXPECT_EQ(config.values.at(parameter), value) << each.label;
  }
}

}  // namespace
}  // namespace upsweep::figures
