// The shape of a problem that has another one, and sources of segments that are given by pairs.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/axis.hpp>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "generator/arguments.hpp"
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

}  // namespace
}  // namespace upsweep
