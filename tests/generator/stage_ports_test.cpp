// The schedule lookahead for problems of several arrays: its defaults.
#include <gtest/gtest.h>

#include "generator/algorithm.hpp"
#include "generator/space.hpp"
#include "tests/support/scans.hpp"

namespace upsweep {
namespace {

// With stages that hold several arrays, whatever their widths, and registers for the items of all of them.
TEST(StagePorts, HaveADefaultForEveryWidthAndArchitecture) {
  for (const Algorithm algorithm : {Algorithm::select_flagged, Algorithm::reduce_by_key}) {
    const Operator op = algorithm == Algorithm::reduce_by_key ? plus : not_equal_to;
    for (const Type type : {Type::u8, Type::i16, Type::f32, Type::f64, Type::c128}) {
      for (const Type key : {Type::u8, Type::u32, Type::i64}) {
        Problem problem = problem_of(algorithm, op, type, {}, {}, key);
        for (const std::uint64_t size : {1 << 12, 1 << 22, 1 << 28}) {
          problem.size = size;
          for (const char* architecture : {"sm_80", "sm_86", "sm_90", "sm_120"}) {
            const Space space(problem, limits_of_architecture(architecture));
            const Config config = space.complete({"lookahead", {}});
            EXPECT_TRUE(space.contains(config)) << to_string(problem) << " " << architecture << " " << to_json(config);
          }
        }
      }
    }
  }
  Problem flagged = problem_of(Algorithm::select_flagged, less, Type::i32, {}, {}, Type::u8);
  flagged.size = 1 << 28;
  EXPECT_EQ(Space(flagged, limits_of_architecture("sm_90")).default_config().schedule, "lookahead");
}

}  // namespace
}  // namespace upsweep
