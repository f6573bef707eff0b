// What is collected from trials, winners and bench documents, against figures worked out by hand.
#include "report/facts.hpp"

#include <gmock/gmock.h>
#include <upsweep/source.hpp>

#include "bench/compare.hpp"
#include "generator/device_limits.hpp"
#include "generator/space.hpp"
#include "tests/support/space_points.hpp"

namespace upsweep::report {
namespace {

using bench::Who;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tuning_db::Stage;
using tuning_db::Trial;
using tuning_db::Verdict;
using tuning_db::Winner;

DeviceIdentity h200() {
  return {"NVIDIA H200", 9, 0, 132, 6144, 3201000, true};
}

Problem sum(std::uint64_t size, Type type = Type::i32) {
  return make_problem(Algorithm::inclusive_scan, Operator::plus, type, type, size);
}

Config default_config(const Problem& problem) {
  return Space(problem, limits_of_architecture("sm_90")).default_config();
}

// Another config than the default.
Config other_config(const Problem& problem, int which = 0) {
  const Space space(problem, limits_of_architecture("sm_90"));
  return test::neighbours(space, space.default_config()).at(static_cast<std::size_t>(which));
}

Trial trial(const Problem& problem, Config config, std::vector<double> samples) {
  Trial made;
  made.measured_at = "2026-11-21T06:58:00Z";
  made.device = h200();
  made.environment = {"580.159.03", "nvrtc 13.0", generator_version()};
  made.problem = problem;
  made.config = std::move(config);
  made.samples_us = std::move(samples);
  made.session = "one";
  return made;
}

Trial failed(const Problem& problem, Verdict verdict, const std::string& failure) {
  Trial made = trial(problem, other_config(problem, 1), {});
  made.verdict = verdict;
  made.failure = failure;
  return made;
}

Winner winner(const Trial& trial) {
  return {trial, size_class(trial.problem.size), "user"};
}

bench::Cell cell(const Problem& problem, double own_us, double peer_us) {
  bench::Cell made;
  made.problem = problem;
  made.rows = {bench::make_row(Who::upsweep, "upsweep", 8 * problem.size, {own_us}),
               bench::make_row(Who::peer, "CUB 3.6.0", 8 * problem.size, {peer_us})};
  return made;
}

// default 10 us, better 8 us, a failure, best 5 us.
Sources one_search(std::uint64_t size = 1 << 20) {
  const Problem problem = sum(size);
  Sources sources;
  sources.trials = {trial(problem, default_config(problem), {12, 10, 9}), trial(problem, other_config(problem), {8}),
                    failed(problem, Verdict::wrong, "wrong at 7\nand more"),
                    trial(problem, other_config(problem, 2), {4, 5, 6})};
  sources.winners = {winner(sources.trials.back())};
  return sources;
}

TEST(Facts, WinnerAndDefaultAreMediansOfOneSession) {
  const Facts facts = collect(one_search());
  ASSERT_EQ(facts.problems.size(), 1u);
  const ProblemFacts& problem = facts.problems[0];
  EXPECT_EQ(problem.device, h200());
  EXPECT_EQ(problem.trials, 4);
  EXPECT_EQ(problem.failures, 1);
  ASSERT_EQ(problem.sizes.size(), 1u);
  const SizeFacts& size = problem.sizes[0];
  EXPECT_EQ(size.size, 1u << 20);
  EXPECT_EQ(size.winner_us(), 5);
  EXPECT_EQ(size.default_us(), 10);
  EXPECT_EQ(size.over_default(), 2);
  EXPECT_EQ(size.over_peer(), std::nullopt);
  EXPECT_DOUBLE_EQ(size.gigabytes_per_second(5), 8.0 * (1 << 20) / 5 / 1e3);
  EXPECT_EQ(problem.over_default(), 2);
  EXPECT_EQ(facts.trials, 4);
  EXPECT_EQ(facts.failures, (std::map<Verdict, int>{{Verdict::wrong, 1}}));
  ASSERT_EQ(facts.winners.size(), 1u);
  EXPECT_EQ(facts.winners[0].default_trial->median_us(), 10);
}

TEST(Facts, DefaultOfAnotherSessionOrEnvironmentIsNotCompared) {
  Sources sources = one_search();
  sources.trials[0].session = "another";
  EXPECT_EQ(collect(sources).problems[0].sizes[0].default_us(), std::nullopt);
  EXPECT_EQ(collect(sources).problems[0].over_default(), std::nullopt);
  sources = one_search();
  sources.trials[0].environment.driver = "590";
  EXPECT_EQ(collect(sources).problems[0].sizes[0].default_us(), std::nullopt);
}

TEST(Facts, DefaultOfAnotherGeneratorIsTheFirstOfItsSession) {
  Sources sources = one_search();
  for (Trial& each : sources.trials) each.environment.generator = "another";
  sources.trials[0].config = other_config(sum(1 << 20), 3);
  sources.winners = {winner(sources.trials.back())};
  EXPECT_EQ(collect(sources).problems[0].sizes[0].default_us(), 10);
}

// The host device's default is that of its own limits, as `tune` measures it, wherever it stands among the trials.
TEST(Facts, DefaultIsThatOfTheDevicesLimits) {
  Sources sources = one_search(1 << 10);
  const Space space(sum(1 << 10), host_limits());
  ASSERT_NE(space.default_config(), Space(sum(1 << 10), DeviceLimits{}).default_config());
  sources.trials[0].config = test::neighbours(space, space.default_config()).at(4);
  sources.trials[1].config = space.default_config();
  for (Trial& each : sources.trials) each.device = {.name = "host", .multiprocessors = 4};
  sources.winners = {winner(sources.trials.back())};
  EXPECT_EQ(collect(sources).problems[0].sizes[0].default_us(), 8);
  EXPECT_EQ(collect(sources).problems[0].over_default(), 8.0 / 5);
}

TEST(Facts, DefaultOfAnUnknownArchitectureIsTheFirstOfItsSession) {
  Sources sources = one_search();
  for (Trial& each : sources.trials) each.device.compute_major = 99;
  sources.winners = {winner(sources.trials.back())};
  EXPECT_EQ(collect(sources).problems[0].sizes[0].default_us(), 10);
}

TEST(Facts, FastestIsTheSizeOfTheGreatestThroughput) {
  Sources sources = one_search();
  sources.winners.push_back(winner(trial(sum(1 << 12), other_config(sum(1 << 12)), {1})));
  const Facts facts = collect(sources);
  ASSERT_NE(facts.problems[0].fastest(), nullptr);
  EXPECT_EQ(facts.problems[0].fastest()->size, 1u << 20);
  EXPECT_DOUBLE_EQ(facts.problems[0].fastest()->throughput(), 8.0 * (1 << 20) / 5 / 1e3);
  sources.winners.clear();
  EXPECT_EQ(collect(sources).problems[0].fastest(), nullptr);
}

TEST(Facts, DefaultIsTakenFromItsBestStage) {
  Sources sources = one_search();
  Trial again = sources.trials[0];
  again.samples_us = {11};
  again.stage = Stage::final;
  Trial probe = sources.trials[0];
  probe.samples_us = {7};
  sources.trials.push_back(again);
  sources.trials.push_back(probe);
  EXPECT_EQ(collect(sources).problems[0].sizes[0].default_us(), 11);
}

TEST(Facts, BytesAreReadAndWritten) {
  EXPECT_EQ(bytes_moved(sum(1000)), 8000);
  EXPECT_EQ(bytes_moved(make_problem(Algorithm::exclusive_scan, Operator::plus, Type::i32, Type::i64, 1000)), 12000);
  EXPECT_EQ(bytes_moved(make_problem(Algorithm::reduce, Operator::plus, Type::f64, Type::f64, 1000)), 8008);
}

TEST(Facts, SearchIsItsSteps) {
  const Facts facts = collect(one_search());
  ASSERT_EQ(facts.problems[0].searches.size(), 1u);
  const Progress& search = facts.problems[0].searches[0];
  EXPECT_EQ(search.trials, 4);
  ASSERT_EQ(search.steps.size(), 3u);
  EXPECT_EQ(search.steps[1].trial, 2);
  EXPECT_EQ(search.steps[1].us, 8);
  EXPECT_EQ(search.steps[2].trial, 4);
  EXPECT_EQ(search.failed, 1);
  ASSERT_EQ(search.failures.size(), 1u);
  EXPECT_EQ(search.failures[0].trial, 3);
  EXPECT_EQ(search.failures[0].what, "wrong at 7") << "one line";
}

TEST(Facts, SlowerTrialsAreNoSteps) {
  Sources sources = one_search();
  for (int i = 0; i < 1000; ++i) sources.trials.push_back(trial(sum(1 << 20), other_config(sum(1 << 20)), {6.0 + i}));
  const Progress search = collect(sources).problems[0].searches[0];
  EXPECT_EQ(search.trials, 1004);
  EXPECT_EQ(search.steps.size(), 3u);
}

TEST(Facts, ManyFailuresAreCutAndCounted) {
  Sources sources = one_search();
  const std::string long_text(10000, 'x');
  for (int i = 0; i < 500; ++i) sources.trials.push_back(failed(sum(1 << 20), Verdict::hung, long_text));
  const Facts facts = collect(sources);
  const Progress& search = facts.problems[0].searches[0];
  EXPECT_EQ(search.failed, 501);
  EXPECT_EQ(search.failures.size(), 200u);
  EXPECT_LT(search.failures.back().what.size(), 200u);
  EXPECT_EQ(facts.failures.at(Verdict::hung), 500);
}

TEST(Facts, SmallStepsAreToldTogether) {
  const Problem problem = sum(1 << 20);
  Sources sources;
  for (const double us : {10.0, 9.99, 9.98, 8.0, 7.99}) {
    sources.trials.push_back(trial(problem, default_config(problem), {us}));
  }
  std::vector<int> steps;
  const Facts facts = collect(sources);
  for (const Step& each : facts.problems[0].searches[0].steps) steps.push_back(each.trial);
  EXPECT_THAT(steps, ElementsAre(1, 4, 5)) << "the last is the best and stays";
}

TEST(Facts, SessionsAreSearchesOfTheirOwn) {
  Sources sources = one_search();
  Sources second = one_search(1 << 10);
  for (Trial& each : second.trials) sources.trials.push_back(each);
  for (Trial each : one_search().trials) {
    each.session = "two";
    sources.trials.push_back(each);
  }
  const std::vector<Progress> searches = collect(sources).problems[0].searches;
  ASSERT_EQ(searches.size(), 3u);
  EXPECT_EQ(searches[0].size, 1u << 10);
  EXPECT_EQ(searches[1].session, "one");
  EXPECT_EQ(searches[2].session, "two");
}

TEST(Facts, NewestWinnerStandsForTheSize) {
  Sources sources = one_search();
  Trial newer = trial(sum(1 << 20), other_config(sum(1 << 20)), {6});
  newer.environment.driver = "590";
  newer.measured_at = "2026-12-01T00:00:00Z";
  sources.trials.push_back(newer);
  sources.winners.push_back(winner(newer));
  const Facts facts = collect(sources);
  EXPECT_EQ(facts.problems[0].sizes[0].winner_us(), 6);
  EXPECT_EQ(facts.winners.size(), 2u) << "the table has both";
  EXPECT_EQ(facts.environments.size(), 2u);
  EXPECT_EQ(facts.first_at, "2026-11-21T06:58:00Z");
  EXPECT_EQ(facts.last_at, "2026-12-01T00:00:00Z");
}

TEST(Facts, ShippedWinnersAreToldWhereTheUserHasNone) {
  Sources sources = one_search();
  Winner same = winner(trial(sum(1 << 20), other_config(sum(1 << 20)), {1}));
  same.origin = "shipped";
  Winner more = winner(trial(sum(1 << 12), other_config(sum(1 << 12)), {3}));
  more.origin = "shipped";
  sources.shipped = {same, more};
  const Facts facts = collect(sources);
  ASSERT_EQ(facts.winners.size(), 2u);
  EXPECT_EQ(facts.winners[0].winner, more);
  EXPECT_EQ(facts.winners[1].winner.origin, "user");
  sources.trials.clear();
  sources.winners.clear();
  EXPECT_EQ(collect(sources).environments.size(), 1u) << "of the shipped winners";
  EXPECT_EQ(collect(sources).first_at, "2026-11-21T06:58:00Z");
}

TEST(Facts, BenchDocumentGoesToTheDeviceOfItsName) {
  Sources sources = one_search();
  sources.documents = {{"NVIDIA H200", "", "", {cell(sum(1 << 20), 4, 6), cell(sum(1 << 22), 5, 4)}},
                       {"NVIDIA H200", "", "", {cell(sum(1 << 22), 8, 10)}}};
  const Facts facts = collect(sources);
  ASSERT_EQ(facts.problems.size(), 1u);
  ASSERT_EQ(facts.problems[0].sizes.size(), 2u);
  EXPECT_EQ(facts.problems[0].sizes[0].over_peer(), 1.5) << "of the document's own upsweep, not of the winner";
  EXPECT_EQ(facts.problems[0].sizes[1].over_peer(), 1.25) << "the later document";
  EXPECT_DOUBLE_EQ(*facts.problems[0].over_peer(), std::sqrt(1.5 * 1.25));
  EXPECT_EQ(facts.peer, "CUB 3.6.0");
  sources.documents[0].device = "NVIDIA B200";
  EXPECT_EQ(collect(sources).problems.size(), 2u);
  EXPECT_EQ(collect(sources).devices.size(), 2u);
}

TEST(Facts, OfNothingAreEmpty) {
  const Facts facts = collect({});
  EXPECT_THAT(facts.problems, IsEmpty());
  EXPECT_THAT(facts.devices, IsEmpty());
  EXPECT_EQ(facts.trials, 0);
}

TEST(Facts, TrialsThatAllFailedHaveNoImportance) {
  Sources sources;
  sources.trials = {failed(sum(8), Verdict::crashed, "x"), failed(sum(8), Verdict::crashed, "x")};
  const Facts facts = collect(sources);
  ASSERT_EQ(facts.problems.size(), 1u);
  EXPECT_THAT(facts.problems[0].sizes, IsEmpty());
  EXPECT_THAT(facts.problems[0].importance, IsEmpty());
}

}  // namespace
}  // namespace upsweep::report
