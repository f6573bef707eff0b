// Choosing by the density of results: the same one first, then a result for no density, before those of other types;
// and by the length of rows.
#include <gmock/gmock.h>

#include <set>

#include "choose_support.hpp"
#include "generator/density.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::HasSubstr;

Problem selection(Density density, int exponent = 20, Type type = Type::i32, Operator op = Operator::less) {
  Problem problem = make_problem(Algorithm::select_if, op, type, Type::u64, pow2(exponent));
  problem.density = density;
  return problem;
}

Winner lookback(const Problem& problem, double time, const DeviceIdentity& device = h200()) {
  return with_schedule(winner_of(problem, time, device), "lookback");
}

TEST(ChooseDensity, ExactForTheSameDensityOnly) {
  for (const Density measured : {Density::unknown, Density::none, Density::few, Density::half, Density::all}) {
    for (const Density asked : {Density::unknown, Density::none, Density::few, Density::half, Density::all}) {
      const Choice choice = choose_for(selection(asked), {winner_of(selection(measured), 1)});
      EXPECT_EQ(choice.rung, measured == asked ? Rung::exact : Rung::type_class)
          << name(measured) << " for " << name(asked);
    }
  }
}

TEST(ChooseDensity, NoneComesBeforeOtherTypes) {
  const Winner hintless = winner_of(selection(Density::unknown), 1),
               other = winner_of(selection(Density::few, 20, Type::u32), 2);
  const Choice choice = choose_for(selection(Density::few), {other, hintless});
  EXPECT_EQ(time_of(choice), 1);
  EXPECT_EQ(choice.reason,
            "tuned for select_if less i32 in u64 to i32 (the same but for the density of results) on this device for "
            "2^20 items");
  EXPECT_EQ(choice.considered.at(1).verdict, "other types or another operator");
  const DeviceIdentity h100 = device_of("H100", 9, 0, 114);
  EXPECT_EQ(time_of(choose_for(selection(Density::few), {other, winner_of(selection(Density::unknown), 3, h100)})), 3)
      << "on another device too";
  EXPECT_EQ(time_of(choose_for(selection(Density::few), {other})), 2);
  EXPECT_THAT(choose_for(selection(Density::few), {other}).reason, HasSubstr("types of the same widths and kinds"));
}

TEST(ChooseDensity, NoneComesBeforeAnotherAndThenTheNearest) {
  const Winner hintless = winner_of(selection(Density::unknown), 1), some = winner_of(selection(Density::some), 2),
               most = winner_of(selection(Density::most), 3);
  const Choice choice = choose_for(selection(Density::few), {most, some, hintless});
  EXPECT_EQ(time_of(choice), 1);
  EXPECT_EQ(choice.considered.at(1).verdict, "a less similar density of results");
  EXPECT_EQ(time_of(choose_for(selection(Density::few), {most, some})), 2);
  EXPECT_EQ(time_of(choose_for(selection(Density::all), {some, most})), 3);
  EXPECT_EQ(time_of(choose_for(selection(Density::unknown), {most, some, winner_of(selection(Density::half), 4)})), 4)
      << "who asks for none gets a middle one";
}

// The own density at another size is nearer than another density.
TEST(ChooseDensity, RungsGoFirst) {
  const std::vector<Winner> winners{lookback(selection(Density::unknown, 24), 1),
                                    lookback(selection(Density::few, 23), 2)};
  EXPECT_EQ(choose_for(selection(Density::few, 24), winners).rung, Rung::nearest_size);
  EXPECT_EQ(time_of(choose_for(selection(Density::few, 24), winners)), 2);
  EXPECT_EQ(time_of(choose_for(selection(Density::unknown, 24), winners)), 1);
}

// A scan of rows takes the winner of the nearest length, whichever is newer.
TEST(ChooseDensity, TheNearestLengthOfRowsGoesFirst) {
  const auto scan = [](std::uint64_t length) {
    return in_rows(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), pow2(24) / length, length);
  };
  const std::vector<Winner> winners{winner_of(scan(4), 1), winner_of(scan(1 << 20), 2), winner_of(scan(64), 3)};
  EXPECT_EQ(time_of(choose_for(scan(1 << 18), winners)), 2);
  EXPECT_EQ(time_of(choose_for(scan(8), winners)), 1);
  const Choice choice = choose_for(scan(100), winners);
  EXPECT_EQ(time_of(choice), 3);
  EXPECT_THAT(choice.reason, HasSubstr("(the same but for the lengths)"));
  EXPECT_EQ(choice.considered.at(1).verdict, "a less similar length of the rows");
}

// A winner of rows serves rows that are about as many and about as long. What is best for others is better told by the
// default.
TEST(ChooseShape, FarFromAWinnerTheDefaultServes) {
  const auto sums = [](std::uint64_t size, std::uint64_t length) {
    return in_rows(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32), size / length, length);
  };
  const std::vector<Winner> winners{winner_of(sums(pow2(24), 64), 1)};
  EXPECT_EQ(choose_for(sums(pow2(24), 64), winners).rung, Rung::exact);
  EXPECT_EQ(choose_for(sums(pow2(20), 64), winners).rung, Rung::nearest_size) << "a factor of 16";
  EXPECT_EQ(choose_for(sums(pow2(28), 64), winners).rung, Rung::nearest_size);
  for (const std::uint64_t size : {pow2(19), pow2(10), pow2(29)}) {
    const Choice choice = choose_for(sums(size, 64), winners);
    EXPECT_EQ(choice.rung, Rung::built_in) << size;
    EXPECT_EQ(choice.considered.front().verdict, "size or lengths too different for a result of rows");
  }
  const Problem flat = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  const std::vector<Winner> of_segments{winner_of(in_segments(flat, pow2(15), pow2(21)), 2)},
      of_axis{winner_of(along_axis(flat, axis(pow2(4), pow2(10), pow2(6))), 3)};
  EXPECT_EQ(choose_for(in_segments(flat, pow2(11), pow2(17)), of_segments).rung, Rung::nearest_size);
  EXPECT_EQ(choose_for(in_segments(flat, pow2(10), pow2(16)), of_segments).rung, Rung::built_in);
  EXPECT_EQ(choose_for(along_axis(flat, axis(1, pow2(10), pow2(6))), of_axis).rung, Rung::nearest_size);
  EXPECT_EQ(choose_for(along_axis(flat, axis(pow2(9), pow2(10), pow2(6))), of_axis).rung, Rung::built_in);
}

// Lengths and the number of rows count together.
TEST(ChooseShape, FarLengthsOfScansNeedTheDefault) {
  const auto scan = [](std::uint64_t size, std::uint64_t length) {
    return in_rows(make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32), size / length, length);
  };
  const std::vector<Winner> winners{winner_of(scan(pow2(24), 64), 1)};
  EXPECT_EQ(choose_for(scan(pow2(24), 256), winners).rung, Rung::type_class);
  EXPECT_EQ(choose_for(scan(pow2(24), 512), winners).rung, Rung::built_in) << "eight times as long, an eighth as many";
  EXPECT_EQ(choose_for(scan(pow2(27), 512), winners).rung, Rung::type_class) << "eight times as long, and as many";
  EXPECT_EQ(choose_for(scan(pow2(29), 2048), winners).rung, Rung::built_in) << "32 times as long";
}

// Schedules that take no pitch are skipped.
TEST(ChooseShape, RowsWithAPitchHaveTheWinnersOfThoseWithout) {
  const Problem flat = make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32);
  const Problem dense = in_rows(flat, pow2(18), 64), pitched = in_rows(flat, rows(pow2(18), 64).pitch(80));
  const Winner ahead = with_schedule(winner_of(dense, 1), "lookahead");
  const Winner groups = with_schedule(winner_of(dense, 2), "row_groups");
  EXPECT_EQ(choose_for(pitched, {groups}).rung, Rung::exact);
  EXPECT_EQ(choose_for(dense, {ahead}).rung, Rung::exact);
  const Choice choice = choose_for(pitched, {ahead});
  EXPECT_EQ(choice.rung, Rung::built_in);
  EXPECT_THAT(choice.considered.front().verdict, testing::StartsWith("not valid here: "));
}

// As far away in size as results of the same problem count: other types count less far.
TEST(ChooseDensity, CountsAsTheSameProblemAtOtherSizes) {
  const Space space(selection(Density::few, 28), h200_limits());
  const std::string schedule = space.default_config().schedule;
  const Winner same = with_schedule(winner_of(selection(Density::unknown, 20), 1), schedule);
  const Winner other = with_schedule(winner_of(selection(Density::few, 20, Type::u32), 2), schedule);
  EXPECT_EQ(time_of(choose_for(selection(Density::few, 28), {other, same})), 1);
  EXPECT_EQ(choose_for(selection(Density::few, 28), {other}).rung, Rung::built_in);
}

// By SQL, as the runtime asks for them: rows of all densities have one family.
TEST(ChooseDensity, DatabasesDeliverAllDensities) {
  const test::TestFolder folder;
  Database database(folder / "tuning.db", Database::Mode::read_write);
  for (const Density density : {Density::unknown, Density::few, Density::all}) {
    database.set_winner(database.record(trial_of(selection(density), 8.0)));
  }
  for (const Density asked : {Density::unknown, Density::few, Density::half}) {
    std::set<Density> found;
    for (const Winner& winner : database.winners({.serving = selection(asked)})) {
      found.insert(winner.trial.problem.density);
    }
    EXPECT_EQ(found, (std::set{Density::unknown, Density::few, Density::all})) << name(asked);
  }
  EXPECT_EQ(database.winners({.problem = selection(Density::few)}).size(), 1u);
  EXPECT_TRUE(database.check().problems.empty());
}

}  // namespace
}  // namespace upsweep::tuning_db
