#include "tuner/search/space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/error.hpp>

#include "tuner/search/restriction.hpp"

namespace upsweep::tuner {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Problem space_scan(std::uint64_t size = 1 << 24) {
  return make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, size);
}

GeneratedSpace generated(std::uint64_t size = 1 << 24) {
  return GeneratedSpace(space_scan(size), limits_of_architecture("sm_90"));
}

TEST(GeneratedSpace, NumbersPoints) {
  const GeneratedSpace space = generated();
  EXPECT_EQ(space.point(space.points() - 1).schedule, "sequential");
  std::mt19937_64 random(4);
  int valid = 0;
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t index = random() % space.points();
    const Config config = space.point(index);
    ASSERT_EQ(space.index_of(config), index);
    ASSERT_EQ(space.index_of(space.coordinates(index)), index);
    ASSERT_EQ(space.contains(index), space.space().contains(config)) << to_json(config);
    ASSERT_EQ(space.suits(index), space.space().suits(config)) << to_json(config);
    valid += space.contains(index) ? 1 : 0;
  }
  EXPECT_GT(valid, 20);
  EXPECT_LT(valid, 480);
  EXPECT_THROW((void)space.point(space.points()), UsageError);
}

TEST(GeneratedSpace, NeighboursDifferInOneParameter) {
  const GeneratedSpace space = generated();
  const Config config = space.default_config();
  const std::vector<std::uint64_t> neighbours = space.neighbours(*space.index_of(config));
  EXPECT_GT(neighbours.size(), 10u);
  for (const std::uint64_t index : neighbours) {
    const Config neighbour = space.point(index);
    ASSERT_EQ(neighbour.schedule, config.schedule);
    int different = 0;
    for (const auto& [name, value] : config.values) different += neighbour.values.at(name) != value;
    EXPECT_EQ(different, 1) << to_json(neighbour);
    EXPECT_TRUE(space.space().contains(neighbour));
  }
}

TEST(GeneratedSpace, SamplesWhatIsValidAndSuits) {
  const GeneratedSpace space = generated();
  std::mt19937_64 random(6);
  std::set<std::string> schedules;
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t index = space.sample(random).value();
    EXPECT_TRUE(space.contains(index));
    EXPECT_TRUE(space.suits(index));
    schedules.insert(space.point(index).schedule);
  }
  EXPECT_EQ(schedules, (std::set<std::string>{"chained", "lookahead", "lookback"}));
  for (std::size_t schedule = 0; schedule < space.schedules().size(); ++schedule) {
    const std::uint64_t index = space.sample(random, schedule).value();
    EXPECT_EQ(space.point(index).schedule, space.schedules()[schedule].name);
    EXPECT_TRUE(space.contains(index));
  }
}

// Values that others have replaced are in the space: a search seldom looks at them, unless they are asked for.
TEST(GeneratedSpace, SamplesReplacedValuesSeldom) {
  const GeneratedSpace space = generated();
  const auto is_serial = [](const Config& config) {
    const auto value = config.values.find("warp_scan");
    return value != config.values.end() && value->second == ParameterValue("serial");
  };
  std::size_t lookback = 0;
  while (space.schedules()[lookback].name != "lookback") ++lookback;
  std::mt19937_64 random(8);
  int replaced = 0;
  constexpr int samples = 600;
  for (int i = 0; i < samples; ++i) replaced += space.has_baseline(space.sample(random, lookback).value()) ? 1 : 0;
  EXPECT_GT(replaced, 0);
  EXPECT_LT(replaced, samples / 10) << "4 of 7 values, with a 32nd of the chance: 1 in 25";
  Config config = space.space().complete({"lookback", {}});
  EXPECT_FALSE(space.has_baseline(*space.index_of(config)));
  for (const std::uint64_t index : space.neighbours(*space.index_of(config))) EXPECT_FALSE(space.has_baseline(index));
  config.values["warp_scan"] = "serial";
  EXPECT_TRUE(space.contains(config) && space.has_baseline(*space.index_of(config)));

  const RestrictedSpace serial(space, restriction_from_text({"schedule=lookback", "warp_scan=serial"}));
  const std::uint64_t index = serial.sample(random).value();
  EXPECT_TRUE(is_serial(serial.point(index)));
  EXPECT_FALSE(serial.has_baseline(index)) << "it was asked for";
}

TEST(GeneratedSpace, HasNoIndexForWhatIsNoneOfItsPoints) {
  const GeneratedSpace space = generated();
  Config config = space.default_config();
  EXPECT_TRUE(space.contains(config));
  config.values["stages"] = std::int64_t{77};
  EXPECT_EQ(space.index_of(config), std::nullopt);
  EXPECT_FALSE(space.contains(config));
  config.values.erase("stages");
  EXPECT_EQ(space.index_of(config), std::nullopt);
  config.values["stagger"] = std::int64_t{7};
  EXPECT_EQ(space.index_of(config), std::nullopt);
  EXPECT_EQ(space.index_of(Config{"none", {}}), std::nullopt);
  EXPECT_FALSE(space.suits(Config{"none", {}}));
}

TEST(Restriction, IsReadFromText) {
  EXPECT_EQ(restriction_from_text({"worker_warps=8", "order=ticket", "worker_warps=8,12", "schedule=lookahead"}),
            (Restriction{
                .values = {{"worker_warps", {std::int64_t{8}, std::int64_t{12}}}, {"order", {std::string("ticket")}}},
                .schedules = {"lookahead"}}));
}

TEST(Restriction, NamesTheAlgorithmThatDoesNotHaveASchedule) {
  const GeneratedSpace space(make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1 << 20),
                             limits_of_architecture("sm_90"));
  EXPECT_THAT([&] { RestrictedSpace(space, {.schedules = {"lookback"}}, "reduce"); },
              ThrowsMessage<UsageError>(
                  HasSubstr("reduce has no schedule 'lookback': use one of single_block, last_block, last_started")));
}

TEST(Restriction, RefusesWhatTheSpaceDoesNotHave) {
  const GeneratedSpace space = generated();
  const auto error_of = [&](const char* text) {
    return [&space, text] { RestrictedSpace(space, restriction_from_text({text})); };
  };
  EXPECT_THAT(error_of("worker_warp=8"),
              ThrowsMessage<UsageError>(testing::AllOf(HasSubstr("unknown parameter 'worker_warp'"),
                                                       HasSubstr("did you mean 'worker_warps'?"),
                                                       HasSubstr("threads_per_block"), HasSubstr("worker_warps"))));
  EXPECT_THAT(error_of("order=stridden"), ThrowsMessage<UsageError>(HasSubstr("did you mean 'strided'?")));
  EXPECT_THAT(error_of("reduce_ahead=2,7"),
              ThrowsMessage<UsageError>("reduce_ahead=7 is not valid: use some of 0, 1, 2, 3, 4, 5, 6, 8"));
  EXPECT_THAT(error_of("order=random"),
              ThrowsMessage<UsageError>("order=random is not valid: use some of ticket, strided"));
  EXPECT_THAT(error_of("reduce_ahead=2,"), ThrowsMessage<UsageError>(HasSubstr("reduce_ahead= is not valid")));
  EXPECT_THAT(error_of("schedule=lookahead,sideways"),
              ThrowsMessage<UsageError>(
                  "unknown schedule 'sideways': use one of single_block, cluster, lookback, "
                  "chained, all_aggregates, lookahead, reduce_then_scan, scan_then_propagate, hillis_steele, "
                  "sequential"));
  for (const char* text : {"", "worker_warps", "=8", "worker_warps="}) {
    EXPECT_THAT(error_of(text), ThrowsMessage<UsageError>(HasSubstr("does not have the form PARAMETER=VALUE,VALUE")));
  }
}

TEST(RestrictedSpace, HasTheAllowedValuesOnly) {
  const GeneratedSpace whole = generated();
  const RestrictedSpace space(
      whole, restriction_from_text({"worker_warps=8,12,16", "vectors_per_thread=3,5", "stages=4,6,8",
                                    "reduce_ahead=2,3", "descriptor=packed", "prefetch=bulk", "dependent_launch=yes"}));
  EXPECT_EQ(space.points(), 3u * 2 * 3 * 2 * 5 * 4 * 2 * 3 * 4);
  std::uint64_t valid = 0;
  for (std::uint64_t index = 0; index < space.points(); ++index) {
    ASSERT_EQ(space.contains(index), whole.contains(space.point(index)));
    valid += space.contains(index) ? 1 : 0;
  }
  EXPECT_GT(valid, 1000u);
  EXPECT_LT(valid, space.points());
  EXPECT_FALSE(space.contains(whole.space().complete({"lookahead", {{"stages", std::int64_t{5}}}})));
  EXPECT_FALSE(space.contains(whole.space().complete({"lookback", {}})));
}

TEST(RestrictedSpace, MovesSeedConfigsToTheAllowedValuesNextToTheirs) {
  const GeneratedSpace whole = generated();
  const RestrictedSpace space(whole, {.values = {{"worker_warps", {std::int64_t{14}}}, {"stages", {std::int64_t{6}}}}});
  const std::vector<Config> seed_configs = space.seed_configs();
  ASSERT_FALSE(seed_configs.empty());
  for (const Config& config : seed_configs) {
    EXPECT_TRUE(space.contains(config));
    EXPECT_EQ(config.integer("worker_warps"), 14);
  }
  EXPECT_EQ(space.default_config(), whole.default_config());
}

TEST(RestrictedSpace, NamedSchedulesStandWhateverTheyAre) {
  const GeneratedSpace whole = generated();
  const RestrictedSpace space(
      whole, {.values = {{"worker_warps", {std::int64_t{8}}}}, .schedules = {"single_block", "lookahead"}});
  ASSERT_EQ(space.schedules().size(), 2u);
  EXPECT_EQ(space.schedules()[0].name, "single_block");
  EXPECT_TRUE(space.schedules()[0].suits) << "it was asked for";
  const RestrictedSpace reference(whole, {.values = {}, .schedules = {"sequential"}});
  ASSERT_EQ(reference.schedules().size(), 1u);
  EXPECT_TRUE(reference.schedules()[0].suits);
  const RestrictedSpace others(whole, {.values = {{"dependent_launch", {std::string("no")}}}, .schedules = {}});
  for (const ScheduleParameters& schedule : others.schedules()) EXPECT_NE(schedule.name, "sequential");
}

TEST(RestrictedSpace, RefusesWhatLeavesNothing) {
  const GeneratedSpace whole = generated();
  const auto make = [&](Restriction restriction) {
    return [&whole, restriction] { const RestrictedSpace space(whole, restriction); };
  };
  EXPECT_THAT(make({.values = {{"worker_warps", {std::int64_t{28}}},
                               {"vectors_per_thread", {std::int64_t{11}}},
                               {"stages", {std::int64_t{18}}}}}),
              ThrowsMessage<UsageError>(HasSubstr("is valid: allow more values")));
  EXPECT_THAT(make({.values = {{"worker_warps", {std::int64_t{8}}}, {"lookback_window", {std::int64_t{8}}}}}),
              ThrowsMessage<UsageError>(HasSubstr("no schedule has all the parameters")));
  EXPECT_THAT(make({.values = {{"worker_warps", {}}}}), ThrowsMessage<UsageError>(HasSubstr("has no value")));
  EXPECT_THAT(make({.values = {{"worker_warps", {std::int64_t{9}}}}}),
              ThrowsMessage<UsageError>(HasSubstr("worker_warps=9 is not valid")));
  EXPECT_THAT(make({.schedules = {"none"}}), ThrowsMessage<UsageError>(HasSubstr("unknown schedule 'none'")));
}

}  // namespace
}  // namespace upsweep::tuner
