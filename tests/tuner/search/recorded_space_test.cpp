#include "tests/tuner/search/recorded_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <upsweep/error.hpp>

#include "tests/tuner/search/synthetic_space.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Trial;

const std::vector<Trial>& sample_trials() {
  static const std::vector<Trial> trials =
      made_up_trials(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32, 1 << 22), 3, 200);
  return trials;
}

TEST(RecordedSpace, HasWhatWasRecorded) {
  const RecordedSpace space(sample_trials());
  double best = 1e9;
  for (const Trial& trial : sample_trials()) {
    ASSERT_TRUE(space.contains(trial.config));
    const bool measured = trial.verdict == tuning_db::Verdict::measured;
    EXPECT_EQ(space.time(trial.config), measured ? std::optional(trial.samples_us.at(0)) : std::nullopt);
    if (measured) best = std::min(best, trial.samples_us[0]);
  }
  EXPECT_EQ(space.optimum_us(), best) << "all schedules suit here";
  EXPECT_EQ(space.size(), sample_trials().size());
  EXPECT_LT(space.size(), space.points());
  EXPECT_EQ(space.seed_configs().front(), space.default_config());
}

TEST(RecordedSpace, SamplesAndStepsToWhatWasRecorded) {
  const RecordedSpace space(sample_trials());
  std::mt19937_64 random(8);
  std::size_t steps = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t index = space.sample(random).value();
    ASSERT_TRUE(space.contains(index));
    const Coordinates own = space.coordinates(index);
    EXPECT_EQ(space.coordinates(space.sample(random, own.schedule).value()).schedule, own.schedule);
    for (const std::uint64_t neighbour : space.neighbours(index)) {
      ASSERT_TRUE(space.contains(neighbour));
      const Coordinates other = space.coordinates(neighbour);
      ASSERT_EQ(other.schedule, own.schedule);
      int different = 0;
      for (std::size_t k = 0; k < own.values.size(); ++k) different += own.values[k] != other.values[k] ? 1 : 0;
      EXPECT_EQ(different, 1);
      ++steps;
    }
  }
  EXPECT_GT(steps, 100u);
}

TEST(RecordedSpace, StepsOverValuesThatWereNotRecorded) {
  std::vector<Trial> trials = sample_trials();
  Trial trial = trials.front();
  trial.config = RecordedSpace(trials).default_config();
  const auto add = [&](std::int64_t items, std::int64_t threads) {
    trial.config.values["items_per_thread"] = items;
    trial.config.values["threads_per_block"] = threads;
    std::erase_if(trials, [&](const Trial& other) { return other.config == trial.config; });
    trials.push_back(trial);
    return trial.config;
  };
  trial.config.values["block_reduce"] = "raking";
  trial.config.values["load"] = "direct";
  std::erase_if(trials, [&](const Trial& other) {
    return other.config.schedule == trial.config.schedule &&
           other.config.values.at("load") == trial.config.values["load"];
  });
  const Config low = add(3, 64), middle = add(3, 256), high = add(3, 512);
  (void)add(5, 128);  // a value that is recorded, with others
  const RecordedSpace space(trials);
  std::vector<Config> found;
  for (const std::uint64_t index : space.neighbours(space.index_of(middle).value()))
    found.push_back(space.point(index));
  EXPECT_THAT(found, testing::UnorderedElementsAre(low, high));
}

TEST(RecordedSpace, NeedsTheDefaultConfig) {
  std::vector<Trial> trials = sample_trials();
  const Config standard = RecordedSpace(trials).default_config();
  std::erase_if(trials, [&](const Trial& trial) { return trial.config == standard; });
  EXPECT_THROW(RecordedSpace{trials}, InputError);
}

}  // namespace
}  // namespace upsweep::tuner
