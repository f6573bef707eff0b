// Results of several environments, and what a choice says about the winners that it looked at.
#include <gmock/gmock.h>

#include "choose_support.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Environment now{"580.159.03", "nvrtc 13.0", "1"};

Winner of_environment(double time, const Environment& environment, const char* measured_at,
                      const std::string& origin = "user") {
  Winner winner = winner_of(scan_of(Type::i32, pow2(20)), time, h200(), origin);
  winner.trial.environment = environment;
  winner.trial.measured_at = measured_at;
  return winner;
}

Choice choose_now(const std::vector<Winner>& winners, const std::optional<Environment>& environment = now) {
  return choose(scan_of(Type::i32, pow2(20)), h200(), h200_limits(), winners, {.environment = environment});
}

std::vector<std::string> verdicts(const Choice& choice) {
  std::vector<std::string> verdicts;
  for (const Considered& each : choice.considered) verdicts.push_back(each.verdict);
  return verdicts;
}

TEST(ChooseEnvironment, TheCurrentOneThenTheNewest) {
  const Winner current = of_environment(1, now, "2026-01-01T00:00:00Z");
  const Winner newer = of_environment(2, {"590", "nvrtc 13.1", "1"}, "2026-03-01T00:00:00Z");
  const Winner newest = of_environment(3, {"600", "nvrtc 13.2", "1"}, "2026-03-01T00:00:00.5Z");
  std::vector<Winner> winners{newer, current, newest};
  EXPECT_EQ(time_of(choose_now(winners)), 1);
  EXPECT_EQ(time_of(choose_now(winners, std::nullopt)), 3) << "nobody says which is current: the newest";
  EXPECT_EQ(time_of(choose_now({newer, newest})), 3);
  EXPECT_EQ(time_of(choose_now({newest, newer})), 3);
  EXPECT_EQ(choose_now(winners).reason, "tuned on this device for 2^20 items");
  EXPECT_EQ(choose_now({newer}).reason,
            "tuned on this device for 2^20 items; measured with another driver and compiler");
}

TEST(ChooseEnvironment, EveryPartOfItCounts) {
  const std::pair<Environment, const char*> others[] = {
      {{"x", now.compiler, now.generator}, "measured with another driver"},
      {{now.driver, "x", now.generator}, "measured with another compiler"},
      {{now.driver, now.compiler, "x"}, "measured with another generator"},
      {{"x", "x", "x"}, "measured with another driver and compiler and generator"}};
  const Winner current = of_environment(1, now, "2026-01-01T00:00:00Z");
  for (const auto& [environment, says] : others) {
    const Winner other = of_environment(2, environment, "2026-03-01T00:00:00Z");
    EXPECT_EQ(time_of(choose_now({other, current})), 1) << says;
    EXPECT_EQ(choose_now({other}).rung, Rung::exact);
    EXPECT_THAT(choose_now({other}).reason, HasSubstr(says));
  }
}

TEST(ChooseEnvironment, TheUsersOwnGoesBeforeAShippedOneOfTheCurrent) {
  const Winner shipped = of_environment(1, now, "2026-03-01T00:00:00Z", "shipped");
  const Winner own = of_environment(2, {"570", "nvrtc 12.9", "1"}, "2026-01-01T00:00:00Z");
  EXPECT_EQ(time_of(choose_now({own, shipped})), 2);
}

TEST(Considered, SaysWhyEachWasTakenOrNot) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  Winner outside = with(winner_of(asked, 1), "evil", std::string("x"));
  outside.trial.measured_at = "2026-12-01T00:00:00Z";
  Winner old = winner_of(asked, 3);
  old.trial.measured_at = "2025-01-01T00:00:00Z";
  const std::vector<Winner> winners = {winner_of(scan_of(Type::f32, pow2(20)), 9),
                                       winner_of(scan_of(Type::u32, pow2(20)), 8),
                                       winner_of(asked, 7, device_of("H100", 9, 0, 114)),
                                       winner_of(scan_of(Type::i32, pow2(21)), 6),
                                       winner_of(asked, 5, h200(), "shipped"),
                                       old,
                                       winner_of(asked, 2),
                                       outside,
                                       winner_of(scan_of(Type::i8, pow2(20)), 10)};
  const Choice choice = choose_now(winners);
  EXPECT_EQ(time_of(choice), 2);
  EXPECT_THAT(verdicts(choice), ElementsAre(HasSubstr("not valid here: "), "taken", "an older result",
                                            "shipped; your own results come first", "a lower rung, nearest_size",
                                            "a lower rung, nearest_device", "a lower rung, type_class",
                                            "values of another kind (integer, floating-point or complex)"));
  EXPECT_EQ(choice.considered[1].config, choice.config);
  EXPECT_EQ(choice.considered[1].median_us, choice.trial->median_us());
  EXPECT_EQ(choice.considered[5].device, "H100");
  EXPECT_EQ(choice.considered[5].rung, Rung::nearest_device);
  EXPECT_EQ(choice.considered[4].problem.size, pow2(21));
  EXPECT_EQ(choice.considered[3].origin, "shipped");
  EXPECT_TRUE(choose_now({}).considered.empty());
}

TEST(Considered, SaysWhatIsTooFar) {
  const Problem large = scan_of(Type::i32, pow2(28));
  const Choice choice = choose(
      large, h200(), h200_limits(),
      std::vector<Winner>{winner_of(scan_of(Type::i32, pow2(10)), 1), winner_of(scan_of(Type::u32, pow2(20)), 2)}, {});
  EXPECT_EQ(choice.rung, Rung::built_in);
  EXPECT_THAT(verdicts(choice), ElementsAre("size too different for the schedule single_block",
                                            "size too different for a result of another problem"));
}

TEST(Considered, AtMostEightAndTheTakenOneAmongThem) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  std::vector<Winner> winners(20, with(winner_of(asked, 1), "evil", std::string("x")));
  winners.push_back(winner_of(scan_of(Type::i32, pow2(21)), 2));
  const Choice choice = choose_now(winners);
  EXPECT_EQ(time_of(choice), 2);
  ASSERT_EQ(choice.considered.size(), 8u);
  EXPECT_EQ(choice.considered.back().verdict, "taken");
  EXPECT_EQ(choose_now(std::vector<Winner>(20, winner_of(asked, 1))).considered.size(), 8u);
}

TEST(Considered, MarksOtherEnvironments) {
  const Choice choice = choose_now(
      {of_environment(1, now, "2026-01-01T00:00:00Z"), of_environment(2, {"590", "", ""}, "2026-03-01T00:00:00Z")});
  ASSERT_EQ(choice.considered.size(), 2u);
  EXPECT_TRUE(choice.considered[0].same_environment);
  EXPECT_FALSE(choice.considered[1].same_environment);
  EXPECT_EQ(choice.considered[1].verdict, "measured with another driver or compiler");
}

// A machine that nobody tuned on, and then somebody did.
TEST(Choose, AnotherDeviceTunesItselfAway) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const DeviceIdentity other = device_of("NVIDIA H300", 9, 0, 144);
  const Winner of_h200 = with_schedule(winner_of(asked, 1), "lookback");
  const Choice before = choose_for(asked, {of_h200}, false, other);
  EXPECT_EQ(before.rung, Rung::nearest_device);
  EXPECT_EQ(
      before.reason,
      "tuned on NVIDIA H200 (compute capability 9.0, 132 multiprocessors, the nearest device known) for 2^20 items");
  EXPECT_EQ(before.config, of_h200.trial.config);
  const Choice after = choose_for(asked, {of_h200, winner_of(asked, 9, other)}, false, other);
  EXPECT_EQ(after.rung, Rung::exact) << "its own, be it slower than the other device's";
  EXPECT_EQ(time_of(after), 9);
}

}  // namespace
}  // namespace upsweep::tuning_db
