#include "report/importance.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <limits>
#include <random>

namespace upsweep::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Config config(std::int64_t items, const std::string& load, const std::string& schedule = "lookback") {
  return {.schedule = schedule, .values = {{"items", items}, {"load", load}}};
}

// The time hangs on `items` alone; `load` and noise of a percent say nothing.
std::vector<RelativeTime> times_by_items(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<RelativeTime> times;
  for (int i = 0; i < 200; ++i) {
    const std::int64_t items = 1 << (random() % 4);
    const double noise = 1 + 0.0001 * static_cast<double>(random() % 100);
    times.push_back(
        {config(items, random() % 2 == 0 ? "direct" : "vectorized"), noise * 8 / static_cast<double>(items)});
  }
  return times;
}

TEST(Importance, FindsWhatTheTimeHangsOn) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    const std::vector<ParameterImportance> found = importance(times_by_items(seed));
    ASSERT_EQ(found.size(), 2u) << "the schedule took one value only";
    EXPECT_EQ(found[0].parameter, "items");
    EXPECT_GT(found[0].share, 0.95);
    EXPECT_NEAR(found[0].share + found[1].share, 1, 1e-12);
  }
}

TEST(Importance, ValuesHaveBestAndMedian) {
  const std::vector<RelativeTime> times{{config(4, "direct"), 1.0},
                                        {config(4, "direct"), 1.4},
                                        {config(4, "vectorized"), 1.1},
                                        {config(16, "direct"), 3},
                                        {config(16, "direct"), 2}};
  const std::vector<ParameterImportance> found = importance(times);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].parameter, "items");
  EXPECT_THAT(found[0].values, ElementsAre(ValueTimes{"4", 3, 1, 1.1}, ValueTimes{"16", 2, 2, 2.5}));
}

// An import may hold any whole number, and a name where another config has a number.
TEST(Importance, TakesEachNumberAndNamesAmongThem) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = -(least + 1);
  std::vector<RelativeTime> times;
  for (const std::int64_t items :
       {least, least + 1, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3},
        std::int64_t{1} << 62, most - 1, most, std::int64_t{5}}) {
    times.push_back({config(items, "direct"), 1 + static_cast<double>(times.size())});
    times.push_back({config(items, "direct"), 1 + static_cast<double>(times.size())});
  }
  const auto values_of_items = [&times] {
    for (const ParameterImportance& each : importance(times)) {
      if (each.parameter == "items") return each.values;
    }
    return std::vector<ValueTimes>{};
  };
  const std::vector<ValueTimes> octaves = values_of_items();
  ASSERT_EQ(octaves.size(), 6u);
  EXPECT_EQ(octaves.front().value, "-9223372036854775808\u20131");
  EXPECT_EQ(octaves.front().configs, 10);
  EXPECT_EQ(octaves.back().value, "9223372036854775806\u20139223372036854775807");
  times.push_back({{.schedule = "lookback", .values = {{"items", "many"}, {"load", "direct"}}}, 50});
  const std::vector<ValueTimes> values = values_of_items();
  ASSERT_EQ(values.size(), 12u);
  EXPECT_EQ(values.front().value, "-9223372036854775808");
  EXPECT_EQ(values.back(), (ValueTimes{"many", 1, 50, 50}));
}

TEST(Importance, ScheduleIsAParameter) {
  std::vector<RelativeTime> times;
  for (int i = 0; i < 10; ++i) {
    times.push_back({config(i % 3, "direct", "lookback"), 2 + 0.01 * i});
    times.push_back({config(i % 3, "direct", "lookahead"), 1 + 0.01 * i});
  }
  const std::vector<ParameterImportance> found = importance(times);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].parameter, "schedule");
  EXPECT_EQ(found[0].values[0].value, "lookahead") << "names in the order of their best";
}

TEST(Importance, ManyNumbersAreShownByOctave) {
  std::vector<RelativeTime> times;
  for (int items = 1; items <= 32; ++items) {
    for (int i = 0; i < 3; ++i) times.push_back({config(items, "direct"), 33.0 - items + 0.01 * i});
  }
  std::vector<std::string> labels;
  int configs = 0;
  const std::vector<ParameterImportance> found = importance(times);
  for (const ValueTimes& each : found.at(0).values) {
    labels.push_back(each.value);
    configs += each.configs;
  }
  EXPECT_THAT(labels, ElementsAre("1", "2", "3–4", "5–8", "9–16", "17–32"));
  EXPECT_EQ(configs, 96);
}

TEST(Importance, OfTooLittleIsNothing) {
  EXPECT_THAT(importance({}), IsEmpty());
  const std::vector<RelativeTime> one{{config(1, "direct"), 1}};
  EXPECT_THAT(importance(one), IsEmpty());
  const std::vector<RelativeTime> alike{{config(1, "direct"), 1}, {config(2, "direct"), 1}, {config(1, "direct"), 1}};
  EXPECT_THAT(importance(alike), IsEmpty()) << "no spread to explain";
}

}  // namespace
}  // namespace upsweep::report
