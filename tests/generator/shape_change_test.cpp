// The shape of a problem that has another one, and sources of segments that are given by pairs.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/axis.hpp>
#include <upsweep/error.hpp>
#include <upsweep/rows.hpp>
#include <upsweep/source.hpp>

#include "generator/arguments.hpp"
#include "generator/problem_family.hpp"
#include "generator/problem_names.hpp"
#include "generator/space.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

// What is left of another shape would make the problem invalid, or another one.
TEST(ShapeOfCalls, OfAProblemIsReplaced) {
  const Problem flat = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  for (const Problem& shaped :
       {in_rows(flat, 10, 64), along_axis(flat, axis(2, 3, 4)), in_segments(flat, 10, 640, Type::u64)}) {
    EXPECT_EQ(in_rows(shaped, 5, 7), in_rows(flat, 5, 7)) << to_string(shaped);
    EXPECT_EQ(along_axis(shaped, axis(1, 2, 3)), along_axis(flat, axis(1, 2, 3))) << to_string(shaped);
    EXPECT_EQ(along_axis(shaped, axis(1, 2, 1)), in_rows(flat, 1, 2)) << to_string(shaped);
    EXPECT_EQ(in_segments(shaped, 3, 30), in_segments(flat, 3, 30)) << to_string(shaped);
    EXPECT_NO_THROW(validate(in_rows(shaped, 5, 7))) << to_string(shaped);
  }
}

TEST(ShapeOfCalls, SourcesOfSegmentEndsAreThoseOfSegments) {
  const Problem flat = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  const ArgumentsRule rule = arguments_of(in_segments(flat, 10, 990), {.segment_ends = true});
  std::vector<std::string> names;
  for (const ArgumentMember& member : rule.members) names.push_back(member.name);
  EXPECT_EQ(names, (std::vector<std::string>{"in", "offsets", "out", "n", "segments", "initial", "workspace",
                                             "segment_ends"}));
  EXPECT_EQ(rule.members[index_of_workspace(rule)].name, "workspace");
  const Config config = Space(flat, limits_of_architecture("sm_90")).default_config();
  EXPECT_THAT(test::message_of<UsageError>([&] { (void)generate(flat, config, Target::cuda, {.segment_ends = true}); }),
              testing::HasSubstr("reduce plus f32 has no segments that could have ends"));
}

Problem sums_of_rows(const Rows& rows, Algorithm algorithm = Algorithm::reduce) {
  return in_rows(make_problem(algorithm, plus, Type::f32, Type::f32), rows);
}

TEST(ShapeOfCalls, APitchBelongsToTheProblemButNotToItsNames) {
  const Problem pitched = sums_of_rows(rows(10, 64).pitch(80)), dense = sums_of_rows(rows(10, 64));
  EXPECT_EQ(to_string(pitched), "reduce plus f32, rows of 64 with a pitch of 80");
  EXPECT_EQ(pitched.size, 640u);
  EXPECT_EQ(names_of(pitched), names_of(dense)) << "winners are those of rows without gaps";
  EXPECT_EQ(nearness(pitched, dense), Nearness::same_problem);
  EXPECT_EQ(sums_of_rows(rows(10, 64).pitch(64)), dense);
  EXPECT_EQ(sums_of_rows(rows(1, 64).pitch(80)), sums_of_rows(rows(1, 64))) << "no gap behind the only row";
  const Problem scan = sums_of_rows(rows(10, 64).pitch(64, 65), Algorithm::inclusive_scan);
  EXPECT_EQ(scan.row_pitch, 65u) << "gaps of the output alone";
  EXPECT_EQ(in_rows(pitched, 10, 64), dense) << "a shape replaces another";
  EXPECT_EQ(in_segments(pitched, 3, 30), in_segments(dense, 3, 30));
  Problem wrong = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  wrong.row_pitch = 5;
  EXPECT_EQ(test::message_of<UsageError>([&] { validate(wrong); }),
            "a pitch of 5 needs rows: set the shape of the problem to rows");
  wrong = dense;
  wrong.row_pitch = 5;
  EXPECT_EQ(test::message_of<UsageError>([&] { validate(wrong); }),
            "a pitch of 5 is below the 64 items of a row: use a pitch of at least 64");
}

TEST(ShapeOfCalls, SourcesWithAPitchAreThoseOfAnyPitch) {
  const auto members = [](const Problem& problem) {
    std::vector<std::string> names;
    for (const ArgumentMember& member : arguments_of(problem).members) names.push_back(member.name);
    return names;
  };
  EXPECT_EQ(members(sums_of_rows(rows(10, 64).pitch(80))),
            (std::vector<std::string>{"in", "out", "n", "rows", "row_length", "in_pitch", "initial", "workspace"}));
  const Problem one = sums_of_rows(rows(10, 64).pitch(80), Algorithm::exclusive_scan);
  EXPECT_EQ(members(one), (std::vector<std::string>{"in", "out", "n", "rows", "row_length", "in_pitch", "out_pitch",
                                                    "initial", "workspace"}));
  const Problem other = sums_of_rows(rows(99, 64).pitch(64, 1000), Algorithm::exclusive_scan);
  const DeviceLimits limits = limits_of_architecture("sm_90");
  for (const ScheduleInfo& schedule : Space(one, limits).describe()) {
    EXPECT_NE(schedule.name, "lookahead") << "its stages hold whole tiles";
    const std::vector<Source> a = generate_steps(one, schedule.default_config);
    const std::vector<Source> b = generate_steps(other, schedule.default_config);
    const std::vector<Source> dense =
        generate_steps(sums_of_rows(rows(10, 64), Algorithm::exclusive_scan), schedule.default_config);
    EXPECT_EQ(a.front().text, b.front().text) << schedule.name;
    EXPECT_NE(a.front().text, dense.front().text) << schedule.name;
  }
  EXPECT_THAT(test::message_of<UsageError>([&] {
                (void)generate_steps(one, Space(one, limits).default_config(), Target::cuda, {.limits = true});
              }),
              testing::HasSubstr("takes no number of items from device memory"));
  EXPECT_TRUE(
      Space(sums_of_rows(rows(10, 64), Algorithm::exclusive_scan), limits)
          .contains(Space(sums_of_rows(rows(10, 64), Algorithm::exclusive_scan), limits).resolve({"lookahead", {}})));
}

// Defaults are those of the classes of lengths and sizes, as plans are: whichever call comes first decides nothing.
TEST(ShapeOfCalls, DefaultsAreThoseOfTheClasses) {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  const Problem scan = make_problem(Algorithm::inclusive_scan, plus, Type::i16, Type::i16);
  const Problem sum = make_problem(Algorithm::reduce, plus, Type::i16, Type::i16);
  const auto all_defaults = [&](const Problem& problem) {
    const Space space(problem, limits);
    std::vector<Config> configs{space.default_config()};
    for (const ScheduleInfo& schedule : space.describe()) configs.push_back(schedule.default_config);
    for (const Config& seed : space.seed_configs()) configs.push_back(seed);
    return configs;
  };
  for (const std::uint64_t length : {16, 100, 1000, 5000, 1 << 18}) {
    for (const std::uint64_t count : {3, 90, 1000, 9000}) {
      const std::uint64_t longer = length + length / 4, fewer = count - count / 4;
      if (size_class(length) != size_class(longer) || size_class(count * length) != size_class(fewer * longer))
        continue;
      for (const Problem& flat : {scan, sum}) {
        EXPECT_EQ(all_defaults(in_rows(flat, count, length)), all_defaults(in_rows(flat, fewer, longer)))
            << count << " rows of " << length;
        EXPECT_EQ(all_defaults(in_segments(flat, count, count * length)),
                  all_defaults(in_segments(flat, fewer, fewer * longer)))
            << count << " segments of " << length;
        EXPECT_EQ(all_defaults(along_axis(flat, axis(count, length, 5))),
                  all_defaults(along_axis(flat, axis(fewer, longer, 5))))
            << count << " axes of " << length;
      }
    }
  }
}

}  // namespace
}  // namespace upsweep
