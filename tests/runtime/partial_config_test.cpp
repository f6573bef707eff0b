// Configs that leave parameters out.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/config_space.hpp>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "tests/support/message_of.hpp"
#include "tests/support/variable.hpp"

namespace upsweep {
namespace {

// A plan's config is whole, whatever was left out, and says why it cannot be.
TEST(PartialConfig, IsCompletedByPlansAndTheEnvironment) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1000);
  Context context({.device = "host", .database = "none"});
  const Plan plan = context.plan(problem, Config{.schedule = "chained", .values = {{"threads_per_block", 96}}});
  EXPECT_EQ(plan.config().schedule, "chained");
  EXPECT_EQ(plan.config().integer("threads_per_block"), 96);
  EXPECT_TRUE(ConfigSpace(problem, context.device_limits()).contains(plan.config()));
  EXPECT_EQ(context.plan(problem, Config{}).config(), ConfigSpace(problem, context.device_limits()).default_config());
  const Config unknown{.schedule = "chained", .values = {{"items", 4}}};
  EXPECT_THAT(test::message_of<UsageError>([&] { (void)context.plan(problem, unknown); }),
              testing::HasSubstr("did you mean 'items_per_thread'?"));
  const test::Variable force("UPSWEEP_FORCE_CONFIG", "{}");
  Context forced({.device = "host", .database = "none"});
  EXPECT_EQ(forced.plan(problem).config(), ConfigSpace(problem, context.device_limits()).default_config());
  EXPECT_EQ(forced.plan(problem).rung(), "forced");
}

}  // namespace
}  // namespace upsweep
