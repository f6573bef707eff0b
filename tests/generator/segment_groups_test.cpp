// The schedule segment_groups: when blocks help to fold long segments.
#include <algorithm>

#include <gtest/gtest.h>

#include <upsweep/segments.hpp>

#include "generator/space.hpp"

namespace upsweep {
namespace {

// Helpers where one segment could take a block long.
TEST(SegmentGroups, HaveHelpersInReduces) {
  const auto config = [](Algorithm algorithm, std::uint64_t size, bool unordered, std::uint64_t length = 64) {
    Problem problem = in_segments(make_problem(algorithm, plus, Type::f32, Type::f32),
                                  std::max<std::uint64_t>(size / length, 1), size);
    problem.unordered_segments = unordered;
    const Space space(problem, limits_of_architecture("sm_90"));
    const Config found = space.complete({"segment_groups", {}});
    EXPECT_EQ(space.violations(found), std::vector<std::string>{}) << to_string(problem);
    return found;
  };
  const auto helpers = [&](std::uint64_t size, bool unordered) {
    return config(Algorithm::reduce, size, unordered).integer("blocks_per_helper");
  };
  EXPECT_EQ(helpers(1 << 20, false), 0) << "merge_path takes long segments in order";
  EXPECT_EQ(helpers(1 << 15, true), 0);
  EXPECT_EQ(helpers(1 << 16, true), 8);
  EXPECT_EQ(config(Algorithm::reduce, 1 << 16, true, 2000).integer("blocks_per_helper"), 8) << "blocks for each";
  EXPECT_FALSE(config(Algorithm::inclusive_scan, 1 << 16, true).values.contains("blocks_per_helper"));
  const Problem sum = in_segments(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32), 1 << 10, 1 << 16);
  const Space space(sum, limits_of_architecture("sm_90"));
  EXPECT_EQ(generate(sum, space.complete({"segment_groups", {}})).workspace.layout, "");
  const Source with_helpers = generate(sum, space.complete({"segment_groups", {{"blocks_per_helper", 8}}}));
  EXPECT_EQ(with_helpers.workspace.layout, "segment_queue_64");
  EXPECT_EQ(with_helpers.workspace_bytes(1 << 10, 132), with_helpers.workspace_bytes(1 << 20, 132));
}

}  // namespace
}  // namespace upsweep
