#include "tuner/search/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "runtime/host/host_device.hpp"
#include "tests/tuner/search/synthetic_space.hpp"
#include "tuner/search/search.hpp"

namespace upsweep::tuner {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;
using tuning_db::Trial;
using tuning_db::Verdict;

Problem reduce() {
  return make_problem(Algorithm::reduce, plus, Type::f32, Type::f32, 1 << 22);
}

const Recording& sample_recording() {
  static const Recording recording = synthetic_recording(reduce(), 3, 200);
  return recording;
}

// One trial for each seed config, the default among them.
std::vector<Trial> seed_config_trials() {
  const GeneratedSpace space(reduce(), limits_of_architecture("sm_90"));
  std::vector<Trial> trials;
  for (const Config& config : space.seed_configs()) {
    Trial& trial = trials.emplace_back();
    trial.measured_at = "2026-11-21T00:00:00Z";
    trial.device = {.name = "some", .compute_major = 9, .compute_minor = 0, .multiprocessors = 132};
    trial.problem = reduce();
    trial.config = config;
    trial.samples_us = {10.0 + static_cast<double>(trials.size())};
  }
  return trials;
}

TEST(Recording, ReadsWhatItWrites) {
  const Recording& recording = sample_recording();
  ASSERT_GT(recording.measured.size(), 100u);
  ASSERT_FALSE(recording.failed.empty());
  EXPECT_EQ(read_recording(write_recording(recording)), recording);
}

TEST(Recording, OfTheHostDevice) {
  const runtime::HostDevice host;
  const Problem problem = make_problem(Algorithm::reduce, plus, Type::i32, Type::i32, 64);
  std::vector<Trial> trials;
  const std::vector<Config> seed_configs = GeneratedSpace(problem, host.limits()).seed_configs();
  for (const Config& config : std::set<Config>(seed_configs.begin(), seed_configs.end())) {
    trials.push_back({.measured_at = "2026-11-21T00:00:00Z",
                      .device = host.identity(),
                      .problem = problem,
                      .config = config,
                      .samples_us = {10.0}});
  }
  const Recording recording = record(trials);
  EXPECT_EQ(recording.measured.size(), trials.size());
  EXPECT_EQ(read_recording(write_recording(recording)), recording);
}

TEST(Recording, OfSeveralTrialsTheBestMeasuredAndLastCounts) {
  std::vector<Trial> trials = seed_config_trials();
  Trial raced = trials[0], probed = trials[0], failed = trials[0];
  raced.stage = tuning_db::Stage::race;
  raced.samples_us = {7, 8, 9};
  probed.samples_us = {1};
  failed.verdict = Verdict::crashed;
  failed.samples_us.clear();
  failed.failure = "it crashed";
  Trial last = raced;
  last.samples_us = {8.5, 8.5, 8.5};
  Trial launched = last;  // which takes longer than what a search is told
  launched.stage = tuning_db::Stage::final;
  launched.samples_us = {11, 11, 11};
  trials.insert(trials.end(), {raced, probed, last, launched, failed});
  EXPECT_EQ(RecordedSpace(record(trials)).time(raced.config), 8.5);
}

TEST(Recording, EstimatesTheNoise) {
  std::vector<Trial> trials = seed_config_trials();
  for (Trial& trial : trials) trial.samples_us = {97, 98, 99, 100, 101, 102, 103};
  EXPECT_NEAR(record(trials).noise, 1.4826 * 0.02, 1e-9);
}

TEST(Recording, RefusesTrialsThatDoNotBelongTogether) {
  const auto recorded = [](std::vector<Trial> trials) {
    return [trials = std::move(trials)] { (void)record(trials); };
  };
  EXPECT_THAT(recorded({}), ThrowsMessage<UsageError>(HasSubstr("no trials")));
  std::vector<Trial> trials = seed_config_trials();
  trials.back().problem.size = 7;
  EXPECT_THAT(recorded(trials), ThrowsMessage<UsageError>(HasSubstr("of one problem")));
  trials = seed_config_trials();
  trials.back().config.values["threads_per_block"] = std::int64_t{33};
  EXPECT_THAT(recorded(trials), ThrowsMessage<UsageError>(HasSubstr("no longer valid")));
  const Config last = trials[5].config;
  trials = seed_config_trials();
  std::erase_if(trials, [&](const Trial& trial) { return trial.config == last; });
  EXPECT_THAT(recorded(trials), ThrowsMessage<UsageError>(HasSubstr("the recording lacks the default config")));
}

TEST(Recording, SaysWhereItIsDamaged) {
  const std::string text = write_recording(sample_recording());
  const auto reading = [](const std::string& from) { return [from] { (void)read_recording(from); }; };
  EXPECT_THAT(reading(text.substr(0, text.size() / 2)), ThrowsMessage<InputError>(HasSubstr("truncated or damaged")));
  EXPECT_THAT(reading("[]"), ThrowsMessage<InputError>(HasSubstr("the document is not a JSON object")));
  const auto damaged = [&](auto damage) {
    json document = json::parse(text);
    damage(document);
    return reading(document.dump());
  };
  const std::pair<std::function<void(json&)>, const char*> cases[] = {
      {[](json& d) { d["format"] = "other"; }, "the file is not a recorded space"},
      {[](json& d) { d["version"] = 2; }, "the file has version 2, but this upsweep reads version 1"},
      {[](json& d) { d.erase("noise"); }, "has no member 'noise'"},
      {[](json& d) { d["noise"] = -1; }, "'noise' must be"},
      {[](json& d) { d["default"].erase("problem"); }, "lacks the member 'problem'"},
      {[](json& d) { d["schedules"] = 3; }, "'schedules' must be an array"},
      {[](json& d) { d["schedules"][0].erase("name"); }, "has no member 'name'"},
      {[](json& d) { d["schedules"][0]["parameters"][0]["values"] = json::array(); }, "has no value"},
      {[](json& d) { d["schedules"][0]["parameters"][0]["values"].push_back(1.5); }, "whole numbers or names"},
      {[](json& d) { d["schedules"][0]["parameters"][0]["values"].push_back("x"); }, "numbers and names are mixed"},
      {[](json& d) { d["measured"][4] = 5; }, "measured[4] must be [index, microseconds]"},
      {[](json& d) { d["measured"][4][1] = 0; }, "measured[4]: microseconds must be a number above 0"},
      {[](json& d) { d["measured"][4][0] = 1u << 31; }, "is beyond the space of"},
      {[](json& d) { d["measured"][4] = d["measured"][3]; }, "does not come after"},
      {[](json& d) { d["failed"][0][1] = "bored"; }, "failed[0]: "},
      {[](json& d) { d["failed"][0][1] = 1; }, "the verdict must be a text"},
      {[](json& d) {
         d["failed"].push_back(json::array({d["measured"].back()[0], "wrong"}));
       },
       "both in 'measured' and in 'failed'"},
  };
  for (const auto& [damage, message] : cases) {
    EXPECT_THAT(damaged(damage), ThrowsMessage<InputError>(HasSubstr(message)));
  }
}

TEST(RecordedSpace, HasWhatWasRecorded) {
  const Recording& recording = sample_recording();
  const RecordedSpace space(recording);
  double best = 1e9;
  for (const auto& [index, us] : recording.measured) {
    EXPECT_TRUE(space.contains(index));
    EXPECT_EQ(space.time(space.point(index)), us);
    best = std::min(best, us);
  }
  EXPECT_EQ(space.optimum_us(), best) << "all schedules suit here";
  for (const auto& [index, verdict] : recording.failed) {
    EXPECT_TRUE(space.contains(index));
    EXPECT_EQ(space.time(space.point(index)), std::nullopt);
  }
  EXPECT_EQ(space.size(), recording.measured.size() + recording.failed.size());
  EXPECT_LT(space.size(), space.points());
  EXPECT_THROW((void)space.time({"lookback", {}}), UsageError);
  EXPECT_TRUE(space.contains(space.default_config()));
  EXPECT_EQ(space.seed_configs().front(), space.default_config());
}

TEST(RecordedSpace, SamplesAndStepsToWhatWasRecorded) {
  const RecordedSpace space(sample_recording());
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
  std::vector<Trial> trials = seed_config_trials();
  Trial trial = trials.front();
  const auto add = [&](std::int64_t threads) {
    trial.config.values["items_per_thread"] = std::int64_t{3};  // of no seed config
    trial.config.values["load"] = "direct";
    trial.config.values["threads_per_block"] = threads;
    trials.push_back(trial);
    return trial.config;
  };
  const Config low = add(64), middle = add(256), high = add(512);
  trial.config.values["items_per_thread"] = std::int64_t{5};
  trial.config.values["threads_per_block"] = std::int64_t{128};  // a value that is recorded, with others
  trials.push_back(trial);
  const RecordedSpace space(record(trials));
  std::vector<Config> found;
  for (const std::uint64_t index : space.neighbours(space.index_of(middle).value()))
    found.push_back(space.point(index));
  EXPECT_THAT(found, testing::UnorderedElementsAre(low, high));
}

TEST(RecordedSpace, RefusesAScheduleThatTheLibraryDoesNotHave) {
  Recording recording = sample_recording();
  recording.schedules.front().name = "lokback";
  EXPECT_THAT([&] { const RecordedSpace unknown(recording); },
              ThrowsMessage<InputError>(HasSubstr("recorded space: unknown schedule 'lokback'")));
}

TEST(RecordedSpace, NeedsTheDefaultConfig) {
  Recording recording = sample_recording();
  const RecordedSpace space(recording);
  const std::uint64_t index = space.index_of(space.default_config()).value();
  std::erase_if(recording.measured, [&](const Recording::Measured& row) { return row.index == index; });
  EXPECT_THAT([&] { const RecordedSpace without(recording); },
              ThrowsMessage<InputError>(HasSubstr("record the space again")));
}

}  // namespace
}  // namespace upsweep::tuner
