#include "tuner/search/importance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include <upsweep/error.hpp>

namespace upsweep::tuner {
namespace {

// Every combination of four parameters, timed by a function of them.
using Time = std::function<double(double warps, double stages, const std::string& fill)>;

std::vector<Timed> grid(const Time& time, const std::string& schedule = "made_up") {
  std::vector<Timed> trials;
  for (const std::int64_t warps : {1, 2, 4, 8, 16, 32}) {
    for (const std::int64_t stages : {1, 2, 3, 4, 5, 6}) {
      for (const char* fill : {"bulk", "async", "plain"}) {
        for (const std::int64_t idle : {1, 2, 3}) {
          trials.push_back({{schedule, {{"warps", warps}, {"stages", stages}, {"fill", fill}, {"idle", idle}}},
                            time(static_cast<double>(warps), static_cast<double>(stages), fill)});
        }
      }
    }
  }
  return trials;
}

std::map<std::string, double> shares(const ScheduleImportance& found) {
  std::map<std::string, double> shares;
  for (const ParameterImportance& parameter : found.parameters) shares[parameter.parameter] = parameter.share;
  return shares;
}

TEST(Importance, SharesAreThoseOfTheVariance) {
  // Variances of log(time): of log2(warps) over 0..5, 35/12 times 0.3^2 = 0.2625; of stages over 1..6 the same times
  // 0.15^2 = 0.0656; of the strategy 2/9 times 0.2^2 = 0.0089.
  const auto found = importance(grid([](double warps, double stages, const std::string& fill) {
    return std::exp(0.3 * std::log2(warps) + 0.15 * stages + (fill == "async" ? 0.2 : 0.0));
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].configs, 324u);
  EXPECT_GT(found[0].explained, 0.9);
  const auto share = shares(found[0]);
  EXPECT_NEAR(share.at("warps"), 0.779, 0.06);
  EXPECT_NEAR(share.at("stages"), 0.195, 0.06);
  EXPECT_NEAR(share.at("fill"), 0.026, 0.02);
  EXPECT_LT(share.at("idle"), 0.01);
  EXPECT_EQ(found[0].parameters.front().parameter, "warps");
  double all = 0;
  for (const auto& [name, part] : share) all += part;
  EXPECT_NEAR(all, 1, 1e-12);
}

TEST(Importance, ParametersThatMatterOnlyTogetherBothMatter) {
  const auto found = importance(grid([](double warps, double stages, const std::string&) {
    return (warps > 4) == (stages > 3) ? 10.0 : 20.0;  // neither has a mean effect of its own
  }));
  const auto share = shares(found.at(0));
  EXPECT_GT(share.at("warps"), 0.35);
  EXPECT_GT(share.at("stages"), 0.35);
  EXPECT_LT(share.at("fill") + share.at("idle"), 0.2);
}

TEST(Importance, TellsTheTimesOfEachValue) {
  const auto found = importance(grid([](double warps, double stages, const std::string& fill) {
    return (10 + std::fabs(std::log2(warps) - 3) * 4) * (fill == "bulk" ? 1.0 : 1.5) + stages * 0.01;
  }));
  for (const ParameterImportance& parameter : found.at(0).parameters) {
    if (parameter.parameter != "warps") continue;
    std::vector<std::string> values;
    double least = std::numeric_limits<double>::infinity();
    ParameterValue best;
    for (const ValueTimes& value : parameter.values) {
      values.push_back(to_string(value.value));
      EXPECT_EQ(value.configs, 54u);
      EXPECT_GE(value.quartile_us, value.best_us);
      const double own = 10 + std::fabs(std::log2(static_cast<double>(std::get<std::int64_t>(value.value))) - 3) * 4;
      EXPECT_NEAR(value.best_us, own + 0.01, 1e-9);
      EXPECT_NEAR(value.quartile_us, own + 0.03, 0.02) << "the fastest quarter has the better fill";
      EXPECT_NEAR(value.expected_us / (own * std::pow(1.5, 2.0 / 3)), 1, 0.15);
      if (value.expected_us < least) least = value.expected_us, best = value.value;
    }
    EXPECT_EQ(values, (std::vector<std::string>{"1", "2", "4", "8", "16", "32"}));
    EXPECT_EQ(best, ParameterValue(std::int64_t{8}));
    return;
  }
  FAIL() << "warps is missing";
}

TEST(Importance, SaysThatNoiseIsNotExplained) {
  std::mt19937_64 random(3);
  const auto found = importance(
      grid([&](double, double, const std::string&) { return 10 + static_cast<double>(random() % 1000) / 1000; }));
  EXPECT_LT(found.at(0).explained, 0.1);
}

TEST(Importance, WithoutDifferencesNothingMatters) {
  const auto found = importance(grid([](double, double, const std::string&) { return 5.0; }));
  EXPECT_EQ(found.at(0).explained, 0);
  for (const ParameterImportance& parameter : found.at(0).parameters) EXPECT_EQ(parameter.share, 0);
}

TEST(Importance, SchedulesAreTakenApartTheFastestFirst) {
  std::vector<Timed> trials = grid([](double warps, double, const std::string&) { return 10 + warps; }, "slow");
  const auto fast = grid([](double, double stages, const std::string&) { return 5 + stages; }, "fast");
  trials.insert(trials.end(), fast.begin(), fast.end());
  trials.push_back({{"rare", {{"warps", std::int64_t{1}}}}, 100});
  const auto found = importance(trials);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].schedule, "fast");
  EXPECT_EQ(found[0].best_us, 6);
  EXPECT_GT(shares(found[0]).at("stages"), 0.95);
  EXPECT_EQ(found[1].schedule, "slow");
  EXPECT_GT(shares(found[1]).at("warps"), 0.95);
  EXPECT_EQ(found[2].schedule, "rare");
  EXPECT_EQ(found[2].configs, 1u);
  EXPECT_EQ(shares(found[2]).at("warps"), 0) << "too few to tell";
}

TEST(Importance, IsTheSameForTheSameTrials) {
  const auto trials = grid([](double warps, double stages, const std::string&) { return warps + stages; });
  EXPECT_EQ(importance(trials), importance(trials));
}

TEST(Importance, RefusesTimesThatAreNone) {
  for (const double us : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const std::vector<Timed> trials{{{"any", {}}, us}};
    EXPECT_THROW((void)importance(trials), UsageError) << us;
  }
  EXPECT_TRUE(importance({}).empty());
}

}  // namespace
}  // namespace upsweep::tuner
