// The ladder: each rung, what is nearer on it, and what is never taken.
#include "tuning-db/choose.hpp"

#include <gmock/gmock.h>
#include <upsweep/axis.hpp>

#include <upsweep/error.hpp>

#include "choose_support.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::HasSubstr;

TEST(Choose, Exact) {
  const Choice choice = choose_for(scan_of(Type::i32, pow2(20) + 12345), {winner_of(scan_of(Type::i32, pow2(21)), 1),
                                                                          winner_of(scan_of(Type::i32, pow2(20)), 2),
                                                                          winner_of(scan_of(Type::u32, pow2(20)), 3)});
  EXPECT_EQ(choice.rung, Rung::exact);
  EXPECT_EQ(time_of(choice), 2);
  EXPECT_EQ(choice.reason, "tuned on this device for 2^20 items");
}

// Of a size class, the winner of the side that the asked size is on; where that is not known, the nearest.
TEST(Choose, TheSideOfTheSizeClass) {
  const Winner below = winner_of(scan_of(Type::i32, pow2(20) - 9999), 1),
               at = winner_of(scan_of(Type::i32, pow2(20)), 2),
               above = winner_of(scan_of(Type::i32, pow2(20) + 9999), 3);
  const auto time = [](std::uint64_t size, const std::vector<Winner>& winners) {
    const Choice choice = choose_for(scan_of(Type::i32, size), winners);
    EXPECT_EQ(choice.rung, Rung::exact);
    return time_of(choice);
  };
  EXPECT_EQ(time(pow2(20) - 1, {above, at, below}), 1);
  EXPECT_EQ(time(pow2(20), {above, below, at}), 2);
  EXPECT_EQ(time(pow2(20) + 1, {below, at, above}), 3);
  EXPECT_EQ(time(pow2(20) + 1, {below, at}), 2);
  EXPECT_EQ(time(pow2(20) + 1, {below}), 1);
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(20) + 1), {above}).reason,
            "tuned on this device for the sizes above 2^20");
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(20) - 1), {below}).reason,
            "tuned on this device for the sizes below 2^20");
  const auto lookback = [](const Winner& winner) { return with_schedule(winner, "lookback"); };
  EXPECT_EQ(time_of(choose_for(scan_of(Type::i32, pow2(21)), {lookback(below), lookback(above), lookback(at)})), 2)
      << "for another class";
  const Winner shipped = winner_of(scan_of(Type::i32, pow2(20) + 9999), 4, h200(), "shipped");
  EXPECT_EQ(time(pow2(20) + 1, {at, shipped}), 4) << "a shipped result for the side comes before one for another side";
  EXPECT_EQ(time(pow2(20) + 1, {shipped, above}), 3);
  EXPECT_EQ(time(pow2(20), {at, shipped}), 2);
}

TEST(Choose, EveryPartOfTheProblemCounts) {
  const Problem asked = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i64, pow2(20));
  Problem output = asked;
  output.output = Type::f64;
  for (const Problem& other : {make_problem(Algorithm::exclusive_scan, plus, Type::i32, Type::i64, pow2(20)),
                               make_problem(Algorithm::inclusive_scan, maximum, Type::i32, Type::i64, pow2(20)),
                               make_problem(Algorithm::inclusive_scan, plus, Type::i16, Type::i64, pow2(20)),
                               make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, pow2(20)), output}) {
    EXPECT_GT(choose_for(asked, {winner_of(other, 1)}).rung, Rung::nearest_device) << to_string(other);
  }
}

TEST(Choose, NearestSize) {
  std::vector<Winner> winners;
  for (const int size : {18, 20, 24}) {
    winners.push_back(with_schedule(winner_of(scan_of(Type::i32, pow2(size)), size), "lookback"));
  }
  const Choice choice = choose_for(scan_of(Type::i32, pow2(21)), winners);
  EXPECT_EQ(choice.rung, Rung::nearest_size);
  EXPECT_EQ(choice.reason, "tuned on this device for 2^20 items (this call: 2^21)");
  EXPECT_EQ(time_of(choice), 20);
  EXPECT_EQ(time_of(choose_for(scan_of(Type::i32, pow2(23)), winners)), 24);
  EXPECT_EQ(time_of(choose_for(scan_of(Type::i32, pow2(19)), winners)), 20) << "of two equally near the larger";
}

TEST(Choose, FarSizesNeedTheDefaultsSchedule) {
  const Problem large = scan_of(Type::i32, pow2(28));
  const Winner small = winner_of(scan_of(Type::i32, pow2(10)), 10);
  ASSERT_EQ(small.trial.config.schedule, "single_block");
  ASSERT_TRUE(Space(large, h200_limits()).contains(small.trial.config)) << "valid there, and hopeless";
  EXPECT_EQ(choose_for(large, {small}).rung, Rung::built_in);
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(11)), {small}).rung, Rung::nearest_size);
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(14)), {small}).rung, Rung::built_in);
  EXPECT_THAT(choose_for(scan_of(Type::i32, pow2(14)), {small}).considered.front().verdict,
              HasSubstr("size too different for the schedule single_block"));
  const Winner ahead = with_schedule(winner_of(scan_of(Type::i32, pow2(20)), 20), "lookahead");
  ASSERT_EQ(Space(large, h200_limits()).default_config().schedule, "lookahead");
  EXPECT_EQ(choose_for(large, {ahead}).rung, Rung::nearest_size);
  EXPECT_EQ(choose_for(large, {small, ahead, with_schedule(winner_of(scan_of(Type::i32, pow2(22)), 22), "lookback")})
                .config.schedule,
            "lookahead");
}

TEST(Choose, TypeClass) {
  const Choice choice =
      choose_for(scan_of(Type::i32, pow2(20)),
                 {winner_of(scan_of(Type::i64, pow2(20)), 1), winner_of(scan_of(Type::i32, pow2(20), maximum), 2),
                  winner_of(scan_of(Type::u32, pow2(21)), 3), winner_of(scan_of(Type::f32, pow2(20)), 5),
                  winner_of(make_problem(Algorithm::reduce, plus, Type::i32, Type::i32, pow2(20)), 4)});
  EXPECT_EQ(choice.rung, Rung::type_class);
  EXPECT_EQ(time_of(choice), 3);
  EXPECT_EQ(choice.reason,
            "tuned for inclusive_scan plus u32 (types of the same widths and kinds, an operator of the same cost) on "
            "this device for "
            "2^21 items (this call: 2^20)");
}

TEST(Choose, TypeClassPrefersDeviceSizeOperator) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const auto pick = [&](const Winner& a, const Winner& b) {
    const double forwards = time_of(choose_for(asked, {a, b}));
    EXPECT_EQ(time_of(choose_for(asked, {b, a})), forwards) << "order must not matter";
    return forwards;
  };
  const DeviceIdentity a100 = device_of("A100", 8, 0);
  const Winner same_operator = winner_of(scan_of(Type::u32, pow2(20)), 1);
  const Winner other_operator = winner_of(scan_of(Type::i32, pow2(20), bit_or), 2);
  const Winner other_size = winner_of(scan_of(Type::u32, pow2(21)), 4);
  const Winner other_device = winner_of(scan_of(Type::u32, pow2(20)), 5, a100);
  EXPECT_EQ(pick(same_operator, other_operator), 1);
  EXPECT_EQ(pick(other_operator, other_size), 2);
  EXPECT_EQ(pick(other_size, other_device), 4);
}

// What won for another kind of values was slower than the default where it was measured.
TEST(Choose, TypeClassKeepsToTheKindOfValues) {
  const Type kinds[][2] = {{Type::i64, Type::f64}, {Type::u32, Type::f32}, {Type::u16, Type::f16},
                           {Type::c64, Type::f64}, {Type::c64, Type::u64}, {Type::i32, Type::i64}};
  for (const auto& [one, other] : kinds) {
    for (const auto& [asked, tuned] : {std::pair(one, other), std::pair(other, one)}) {
      const Choice choice = choose_for(scan_of(asked, pow2(20)), {winner_of(scan_of(tuned, pow2(20)), 1)});
      EXPECT_EQ(choice.rung, Rung::built_in) << name(asked) << " of " << name(tuned);
      if (size_of(one) != size_of(other)) continue;
      EXPECT_EQ(choice.reason,
                "built-in default: neither this problem nor a similar one was tuned (inclusive_scan plus " +
                    std::string(name(tuned)) + " was tuned, but its values are of another kind)");
    }
  }
  EXPECT_EQ(choose_for(scan_of(Type::bf16, pow2(20)), {winner_of(scan_of(Type::f16, pow2(20)), 1)}).rung,
            Rung::type_class);
  EXPECT_EQ(choose_for(make_problem(Algorithm::reduce, plus, Type::f32, Type::f64, pow2(20)),
                       {winner_of(make_problem(Algorithm::reduce, plus, Type::i32, Type::f64, pow2(20)), 1)})
                .rung,
            Rung::built_in)
      << "every type of the problem counts";
}

TEST(Choose, TypeClassKeepsToTheSize) {
  const Winner tuned = winner_of(scan_of(Type::u32, pow2(28)), 1);
  ASSERT_EQ(Space(scan_of(Type::i32, pow2(26)), h200_limits()).default_config().schedule, tuned.trial.config.schedule);
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(24)), {tuned}).rung, Rung::type_class);
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(23)), {tuned}).rung, Rung::built_in);
}

TEST(Choose, OperatorClasses) {
  const auto rung = [](Operator asked, Operator tuned) {
    return choose_for(scan_of(Type::u32, pow2(20), asked), {winner_of(scan_of(Type::u32, pow2(20), tuned), 1)}).rung;
  };
  EXPECT_EQ(rung(plus, bit_xor), Rung::type_class);
  EXPECT_EQ(rung(minimum, maximum), Rung::type_class);
  EXPECT_EQ(rung(affine, multiplies), Rung::type_class);
  EXPECT_EQ(rung(multiplies, bit_and), Rung::built_in);
  EXPECT_EQ(rung(multiplies, plus), Rung::built_in);
  EXPECT_EQ(rung(minimum, plus), Rung::built_in);
  EXPECT_EQ(rung(affine, plus), Rung::built_in);
  EXPECT_EQ(rung(last_nonzero, affine), Rung::built_in);
  EXPECT_EQ(rung(last_nonzero, maximum), Rung::built_in);
}

TEST(Choose, BuiltIn) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const Choice choice = choose_for(asked, {});
  EXPECT_EQ(choice.rung, Rung::built_in);
  EXPECT_EQ(choice.config, Space(asked, h200_limits()).default_config());
  EXPECT_EQ(choice.reason, "built-in default: neither this problem nor a similar one was tuned");
}

TEST(Choose, RungsInOrder) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  std::vector<Winner> winners = {winner_of(scan_of(Type::u32, pow2(20)), 1),
                                 winner_of(asked, 2, device_of("H100", 9, 0, 114)),
                                 winner_of(scan_of(Type::i32, pow2(21)), 3), winner_of(asked, 4)};
  for (const Rung rung : {Rung::exact, Rung::nearest_size, Rung::nearest_device, Rung::type_class, Rung::built_in}) {
    EXPECT_EQ(choose_for(asked, winners).rung, rung);
    if (!winners.empty()) winners.pop_back();
  }
}

TEST(Choose, UserBeforeShippedOnATie) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const Winner user = winner_of(asked, 1);
  const Winner shipped = winner_of(asked, 2, h200(), "shipped");
  EXPECT_EQ(time_of(choose_for(asked, {user, shipped})), 1);
  EXPECT_EQ(time_of(choose_for(asked, {shipped, user})), 1);
  const Choice nearer = choose_for(asked, {winner_of(scan_of(Type::i32, pow2(21)), 1), shipped});
  EXPECT_EQ(time_of(nearer), 2) << "only on a tie";
  EXPECT_EQ(nearer.reason, "shipped with upsweep: tuned on this device for 2^20 items");
}

TEST(Choose, SkipsWhatIsOutsideTheSpace) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const std::vector<Winner> bad = {with(winner_of(asked, 1), "threads_per_block", std::int64_t{33}),
                                   with(winner_of(asked, 1), "threads_per_block", std::string("256")),
                                   with(winner_of(asked, 1), "evil", std::string("); system(\"x\");")),
                                   [&] {
                                     Winner winner = winner_of(asked, 1);
                                     winner.trial.config.schedule = "none such";
                                     return winner;
                                   }(),
                                   [&] {
                                     Winner winner = winner_of(asked, 1);
                                     winner.trial.config.values.clear();
                                     return winner;
                                   }()};
  for (const Winner& winner : bad) {
    EXPECT_EQ(choose_for(asked, {winner}).rung, Rung::built_in);
    EXPECT_EQ(time_of(choose_for(asked, {winner, winner_of(scan_of(Type::i32, pow2(21)), 2)})), 2) << "the next one";
  }
  EXPECT_EQ(choose_for(asked, bad).reason,
            "built-in default: no result for this problem or a similar one fits the size and the device");
}

TEST(Choose, HeldAgainstTheDevicesOwnLimits) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  DeviceLimits small = h200_limits();
  small.threads_per_block = 512;
  const Winner winner = with(with_schedule(winner_of(asked, 1), "lookback"), "threads_per_block", std::int64_t{1024});
  ASSERT_EQ(choose_for(asked, {winner}).rung, Rung::exact);
  EXPECT_EQ(choose(asked, h200(), small, std::vector<Winner>{winner}).rung, Rung::built_in);
}

TEST(Choose, ReproducibleOnDemand) {
  const Problem asked = scan_of(Type::f32, pow2(20));
  const Winner lookback = with_schedule(winner_of(asked, 1), "lookback");
  const Winner chained = with_schedule(winner_of(scan_of(Type::f32, pow2(21)), 2), "chained");
  ASSERT_FALSE(is_reproducible(asked, lookback.trial.config));
  ASSERT_TRUE(is_reproducible(asked, chained.trial.config));
  EXPECT_EQ(time_of(choose_for(asked, {lookback, chained})), 1);
  EXPECT_EQ(time_of(choose_for(asked, {lookback, chained}, true)), 2);
  EXPECT_EQ(time_of(choose_for(scan_of(Type::i32, pow2(20)), {winner_of(scan_of(Type::i32, pow2(20)), 3)}, true)), 3)
      << "integers are reproducible in every order";
}

TEST(Choose, ReproducibleDefault) {
  for (const int size : {16, 28}) {
    const Problem asked = scan_of(Type::f32, pow2(size));
    ASSERT_FALSE(is_reproducible(asked, Space(asked, h200_limits()).default_config()));
    const Choice choice = choose_for(asked, {with_schedule(winner_of(asked, 1), "lookback")}, true);
    EXPECT_EQ(choice.rung, Rung::built_in);
    EXPECT_TRUE(is_reproducible(asked, choice.config));
    EXPECT_NE(choice.config.schedule, "single_block") << "one multiprocessor for 2^" << size;
  }
}

// One block alone would take a segment that has most of the items.
TEST(Choose, ReproducibleScanOfSegments) {
  const Problem scan = make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32);
  EXPECT_EQ(choose_for(in_segments(scan, 1 << 10, 1 << 16), {}, true).config.schedule, "all_aggregates");
  EXPECT_EQ(choose_for(in_segments(scan, 1 << 6, 1 << 12), {}, true).config.schedule, "segment_groups");
}

// Along an axis, blocks that scan panels alone are reproducible, whether this suits the extents or not.
TEST(Choose, ReproducibleAlongAnyAxis) {
  for (const Axis& extents : {axis(1, 1 << 20, 64), axis(8, 2000, 100), axis(1, 65536, 16)}) {
    const Problem asked = along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), extents);
    EXPECT_EQ(choose_for(asked, {}, true).config.schedule, "axis_blocks") << to_string(asked);
  }
}

// One block, and schedules whose work rises with the square of the tiles, are for few items; a winner of the asked size
// class was measured there.
TEST(Choose, NoWinnerWhoseScheduleIsForOtherSizes) {
  const Winner all_aggregates = with_schedule(winner_of(scan_of(Type::i32, pow2(20)), 1), "all_aggregates");
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(19)), {all_aggregates}).rung, Rung::nearest_size);
  const Choice choice = choose_for(scan_of(Type::i32, pow2(21)), {all_aggregates});
  EXPECT_EQ(choice.rung, Rung::built_in);
  ASSERT_FALSE(choice.considered.empty());
  EXPECT_EQ(choice.considered.front().verdict, "the schedule all_aggregates is not meant for this number of items");

  const Winner few = with_schedule(winner_of(scan_of(Type::i32, pow2(16)), 1), "lookahead");
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(16) - 5000), {few}).rung, Rung::exact);
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(15)), {few}).rung, Rung::built_in);
  const Winner many = with_schedule(winner_of(scan_of(Type::i32, pow2(20)), 1), "single_block");
  EXPECT_EQ(choose_for(scan_of(Type::i32, pow2(20) + 1), {many}).rung, Rung::exact);
}

TEST(Choose, NothingReproducibleFits) {
  DeviceLimits tiny = h200_limits();
  tiny.threads_per_block = 32;
  EXPECT_THAT(message_of<UsageError>(
                  [&] { (void)choose(scan_of(Type::f32, pow2(16)), h200(), tiny, {}, {.reproducible = true}); }),
              HasSubstr("no schedule computes inclusive_scan plus f32 reproducibly"));
}

TEST(Choose, InvalidProblem) {
  EXPECT_THAT(message_of<UsageError>([] { (void)choose(scan_of(Type::f32, 5, affine), h200(), h200_limits(), {}); }),
              HasSubstr("affine"));
}

TEST(Choose, NamesOfRungs) {
  EXPECT_EQ(name(Rung::forced), "forced");
  EXPECT_EQ(name(Rung::exact), "exact");
  EXPECT_EQ(name(Rung::nearest_size), "nearest_size");
  EXPECT_EQ(name(Rung::nearest_device), "nearest_device");
  EXPECT_EQ(name(Rung::type_class), "type_class");
  EXPECT_EQ(name(Rung::built_in), "built_in");
}

}  // namespace
}  // namespace upsweep::tuning_db
