// Charts and tables from times that the test gives.
#include "figures/drawings.hpp"

#include <gmock/gmock.h>

#include <upsweep/source.hpp>

#include "bench/compare.hpp"
#include "generator/space.hpp"

namespace upsweep::figures {
namespace {

using bench::Who;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

bench::Row row(Who who, const std::string& label, std::uint64_t bytes, double us) {
  return bench::make_row(who, label, bytes, {us});
}

// A scan of 2^exponent items: memcpy takes 1 us, upsweep 2, each config 3, 4, ...
bench::Cell scan_cell(int exponent, const std::vector<std::string>& configs, bool has_peer = false) {
  bench::Cell cell;
  cell.problem =
      make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, std::uint64_t{1} << exponent);
  const std::uint64_t bytes = 8 * cell.problem.size;
  cell.rows = {row(Who::upsweep, "upsweep", bytes, 2), row(Who::memcpy, "memcpy", bytes, 1)};
  if (has_peer) cell.rows.push_back(row(Who::peer, "CUB 3.6.0", bytes, 2.5));
  double us = 3;
  for (const std::string& label : configs) {
    cell.configs.push_back({.label = label, .config = {}, .row = row(Who::upsweep, label, bytes, us++)});
  }
  return cell;
}

std::vector<std::string> labels(const report::Chart& chart) {
  std::vector<std::string> all;
  for (const report::Series& each : chart.series) all.push_back(each.label);
  return all;
}

TEST(Throughput, HasALineForEachThatWasTimed) {
  std::vector cells{scan_cell(20, {"look-back", "chained"}), scan_cell(21, {"look-back", "chained"}, true)};
  cells[1].configs[1].row.reset();
  const Drawing drawing = throughput_drawing(cells);
  ASSERT_EQ(drawing.charts.size(), 1u);
  EXPECT_THAT(labels(drawing.charts[0]), ElementsAre("memcpy", "best", "CUB 3.6.0", "look-back", "chained"));
  const std::vector<report::Mark>& best = drawing.charts[0].series[1].marks;
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[1].x, 2097152);
  EXPECT_DOUBLE_EQ(best[1].y, 2097152 / 2e-6 / 1e9);
  EXPECT_EQ(best[1].at, "2^21 items");
  ASSERT_EQ(drawing.tables.size(), 1u);
  EXPECT_THAT(drawing.tables[0].columns, ElementsAre("items", "memcpy", "best", "CUB 3.6.0", "look-back", "chained"));
  EXPECT_THAT(drawing.tables[0].rows, ElementsAre(ElementsAre("2^20", "1.05e+03", "524", "–", "350", "262"),
                                                  ElementsAre("2^21", "2.1e+03", "1.05e+03", "839", "699", "–")));
  EXPECT_TRUE(throughput_drawing({}).charts.empty());
}

// A line for memory, upsweep and the peer, in each chart those of its algorithm.
TEST(Rows, HaveALineOfTheTableForEachLength) {
  const auto cell = [](Algorithm algorithm, std::uint64_t length, bool has_peer) {
    bench::Cell made = scan_cell(26, {}, has_peer);
    made.problem = in_rows(made.problem, made.problem.size / length, length);
    made.problem.algorithm = algorithm;
    made.problem.input = Type::f32;
    return made;
  };
  const std::vector cells{cell(Algorithm::inclusive_scan, 4, true), cell(Algorithm::inclusive_scan, 1024, false),
                          cell(Algorithm::reduce, 1024, true)};
  const Drawing drawing = rows_drawing(cells);
  ASSERT_EQ(drawing.charts.size(), 2u);
  EXPECT_THAT(labels(drawing.charts[0]), ElementsAre("memcpy", "upsweep", "CUB 3.6.0"));
  EXPECT_THAT(labels(drawing.charts[1]), ElementsAre("memcpy", "upsweep", "CUB 3.6.0"));
  ASSERT_EQ(drawing.charts[0].series[1].marks.size(), 2u);
  EXPECT_EQ(drawing.charts[0].series[1].marks[1].x, 1024);
  EXPECT_EQ(drawing.charts[0].series[1].marks[1].at, "rows of 2^10");
  EXPECT_THAT(drawing.tables[0].rows, ElementsAre(ElementsAre("4", "1", "2", "2.5", "–", "–", "–"),
                                                  ElementsAre("2^10", "1", "2", "–", "1", "2", "2.5")));
  EXPECT_TRUE(rows_drawing({}).charts.empty());

  OtherTimes other{.label = "PyTorch 2.11.0", .device = "NVIDIA H200", .times = {}};
  other.times.push_back({Algorithm::inclusive_scan, std::uint64_t{1} << 26, 4, 92'650});
  for (const std::uint64_t items : {1 << 20, 1 << 26}) other.times.push_back({Algorithm::reduce, items, 4, 414});
  const Drawing beside = rows_drawing(cells, other);
  EXPECT_THAT(labels(beside.charts[0]), ElementsAre("memcpy", "upsweep", "CUB 3.6.0", "PyTorch 2.11.0"));
  EXPECT_THAT(labels(beside.charts[1]), ElementsAre("memcpy", "upsweep", "CUB 3.6.0")) << "no reduce of rows of 1024";
  EXPECT_THAT(beside.tables[0].rows, ElementsAre(ElementsAre("4", "1", "2", "2.5", "92650", "–", "–", "–", "–"),
                                                 ElementsAre("2^10", "1", "2", "–", "–", "1", "2", "2.5", "–")));
  EXPECT_THAT(notes_of_other_times(other, "NVIDIA H200"), ElementsAre(HasSubstr("PyTorch 2.11.0 were measured apart")));
  EXPECT_THAT(notes_of_other_times(other, "NVIDIA H100"),
              ElementsAre(HasSubstr("apart"), HasSubstr("are of another device: NVIDIA H200.")));
}

TEST(Ladder, SpeedupsAreOfTheStepBeforeAndOfTheFirst) {
  bench::Cell cell = scan_cell(24, {"interleaved_divergent", "sequential", "unrolled"});
  cell.configs[0].row->median_us = 240;
  cell.configs[1].row.reset();
  cell.configs[2].row->median_us = 60;
  cell.configs.push_back({.label = "multiple_items", .config = {}, .row = row(Who::upsweep, "", 1 << 26, 20)});
  const std::vector<LadderStep> steps = ladder_steps(cell);
  ASSERT_EQ(steps.size(), 3u) << "what was not timed is left out";
  EXPECT_EQ(steps[0].step_speedup, 1);
  EXPECT_EQ(steps[1].name, "unrolled");
  EXPECT_EQ(steps[1].step_speedup, 4);
  EXPECT_EQ(steps[1].cumulative_speedup, 4);
  EXPECT_EQ(steps[2].step_speedup, 3);
  EXPECT_EQ(steps[2].cumulative_speedup, 12);
}

TEST(Ladder, TableIsThatOfItsSize) {
  std::vector cells{scan_cell(17, {"sequential", "unrolled"}), scan_cell(24, {"sequential", "unrolled"})};
  cells[1].rows.push_back(row(Who::plain_read, "plain read", 1 << 26, 1.5));
  const Drawing drawing = ladder_drawing(cells, std::uint64_t{1} << 24);
  EXPECT_THAT(labels(drawing.charts.at(0)), ElementsAre("sequential", "unrolled", "best"));
  EXPECT_EQ(drawing.charts[0].series[1].marks.size(), 2u);
  EXPECT_EQ(drawing.charts[0].series[1].marks[0].y, 4) << "microseconds";
  ASSERT_EQ(drawing.tables.size(), 1u);
  EXPECT_THAT(drawing.tables[0].rows, ElementsAre(ElementsAre("sequential", "3", "4.474e+04", "", ""),
                                                  ElementsAre("unrolled", "4", "3.355e+04", "0.75", "0.75"),
                                                  ElementsAre("best", "2", "6.711e+04", "", "1.50"),
                                                  ElementsAre("plain read", "1.5", "4.474e+04", "", "2.00")));
  const Drawing without = ladder_drawing(std::span(cells).first(1), std::uint64_t{1} << 24);
  EXPECT_TRUE(without.tables.empty());
  EXPECT_THAT(without.notes, ElementsAre("There is no table: 2^24 items were not measured."));
}

TEST(Window, TimeIsPerTile) {
  bench::Cell cell = scan_cell(20, {"a", "b", "c"});
  const auto config = [](const std::string& descriptor, std::int64_t window) {
    return Config{"lookback",
                  {{"descriptor", descriptor},
                   {"lookback_window", window},
                   {"threads_per_block", std::int64_t{128}},
                   {"items_per_thread", std::int64_t{4}}}};
  };
  cell.configs[0].config = config("packed", 1);
  cell.configs[1].config = config("packed", 32);
  cell.configs[2].config = config("split", 1);
  const Drawing drawing = window_drawing(cell);
  EXPECT_THAT(labels(drawing.charts.at(0)), ElementsAre("packed", "split"));
  EXPECT_EQ(drawing.charts[0].series[0].marks.at(1).x, 32);
  EXPECT_DOUBLE_EQ(drawing.charts[0].series[0].marks.at(1).y, 4e3 / 2048) << "2^20 items are 2048 tiles of 512";
  EXPECT_THAT(drawing.tables.at(0).rows.at(2), ElementsAre("split", "1", "512", "5", "2.44"));
  EXPECT_TRUE(window_drawing(scan_cell(20, {})).charts.empty());
}

// 16 places: of Kogge-Stone 15 + 14 + 12 + 8 calls.
TEST(Networks, DepthAndSizeAreThoseOfTheFormulas) {
  const std::vector<CountedNetwork> networks{
      {&find_network("kogge_stone"), {{4, 49}}}, {&find_network("serial")}, {&find_network("raking")}};
  const Drawing drawing = networks_drawing(networks);
  ASSERT_EQ(drawing.charts.size(), 4u);
  EXPECT_THAT(labels(drawing.charts[0]), ElementsAre("kogge_stone", "serial")) << "of a warp";
  EXPECT_THAT(labels(drawing.charts[3]), ElementsAre("kogge_stone", "raking")) << "of a block";
  const std::vector<report::Mark>& sizes = drawing.charts[1].series[0].marks;
  ASSERT_EQ(sizes.size(), 5u) << "2 to 32 lanes";
  EXPECT_EQ(sizes[3].x, 16);
  EXPECT_EQ(sizes[3].y, 49);
  EXPECT_EQ(drawing.charts[0].series[1].marks[4].y, 31);
  EXPECT_EQ(drawing.charts[2].series[0].marks.back().y, 10) << "log2 1024";
  ASSERT_EQ(drawing.tables.at(0).rows.size(), 3u);
  EXPECT_THAT(std::vector(drawing.tables[0].rows[0].begin(), drawing.tables[0].rows[0].begin() + 8),
              ElementsAre("kogge_stone", "16", "4", "49", "5", "129", "8", "1793"));
  EXPECT_EQ(drawing.tables[0].rows[1][2], "–") << "not counted";
  EXPECT_EQ(drawing.tables[0].rows[1][6], "–") << "no block scan";
}

report::WinnerRow winner(const std::string& device, Type type, std::uint64_t size, double us, double default_us) {
  report::WinnerRow row;
  row.winner.trial.device.name = device;
  row.winner.trial.problem = make_problem(Algorithm::reduce, Operator::plus, type, type, size);
  row.winner.trial.samples_us = {us};
  if (default_us > 0) {
    row.default_trial = row.winner.trial;
    row.default_trial->samples_us = {default_us};
  }
  return row;
}

TEST(Portability, SpeedupsAscendForEachDevice) {
  const std::vector rows{winner("H200", Type::i32, 1 << 20, 10, 20), winner("H200", Type::i32, 1 << 22, 10, 12.5),
                         winner("B200", Type::f32, 1 << 20, 10, 11), winner("H200", Type::f32, 1 << 20, 10, 0)};
  const Drawing drawing = portability_drawing(rows);
  ASSERT_THAT(labels(drawing.charts.at(0)), ElementsAre("B200", "H200"));
  const std::vector<report::Mark>& marks = drawing.charts[0].series[1].marks;
  ASSERT_EQ(marks.size(), 2u) << "shipped winners come without the time of the default";
  EXPECT_EQ(marks[0].y, 1.25);
  EXPECT_EQ(marks[1].y, 2);
  EXPECT_THAT(marks[1].note, HasSubstr("reduce plus i32, 2^20 items: 2.00"));
  EXPECT_THAT(drawing.tables.at(0).rows,
              ElementsAre(ElementsAre("B200", "reduce plus f32", "1", "1.10", "1.10", "1.10", "2^20"),
                          ElementsAre("H200", "reduce plus i32", "2", "1.58", "1.25", "2.00", "2^20")));
  EXPECT_TRUE(portability_drawing(std::span(rows).last(1)).charts.empty());
}

}  // namespace
}  // namespace upsweep::figures
