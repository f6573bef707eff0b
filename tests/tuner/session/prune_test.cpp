#include "tuner/session/prune.hpp"

#include <gtest/gtest.h>

#include "tests/tuner/session/scripted.hpp"

namespace upsweep::tuner {
namespace {

CompileResult compiled(std::int64_t number, std::string binary) {
  CompileResult result;
  result.config = config_of(number);
  result.binary = std::move(binary);
  return result;
}

TEST(Prune, WhatSpillsMuch) {
  StepResources result;
  result.spill_bytes = 128;
  EXPECT_EQ(reason_to_prune(result, {}, {}), "");
  result.spill_bytes = 136;
  EXPECT_EQ(reason_to_prune(result, {}, {}), "spills 136 bytes per thread, more than the limit of 128");
}

TEST(Prune, BlocksThatNeedMoreRegistersThanThereAre) {
  StepResources result;
  LaunchRule launch;
  launch.threads_per_block = 1024;
  result.registers = 64;
  EXPECT_EQ(reason_to_prune(result, launch, {}), "") << "1024 x 64 is just what a multiprocessor has";
  result.registers = 65;  // given out as 72
  EXPECT_EQ(reason_to_prune(result, launch, {}),
            "a block of 1024 threads with 65 registers each needs 73728 registers, but a multiprocessor has 65536");
  launch.threads_per_block = 896;
  EXPECT_EQ(reason_to_prune(result, launch, {}), "") << "28 warps of 72 registers per thread just fit";
}

// As many steps as the config has: what a worker reports more of is no reason.
TEST(Prune, AnyStepIsAReason) {
  const Pruner pruner(scripted_problem, {});
  CompileResult result = compiled(4, "");
  EXPECT_EQ(pruner.reason(result), "");
  result.steps = {{.spill_bytes = 136}};
  EXPECT_NE(pruner.reason(result), "");
  result.steps = {{}, {.spill_bytes = 136}};
  EXPECT_EQ(pruner.reason(result), "");
}

TEST(Prune, TwinsAreFoundByMachineCodeAndLaunch) {
  Pruner pruner(scripted_problem, {});
  pruner.note(compiled(4, "same"));
  EXPECT_EQ(pruner.twin_of(compiled(4, "other")), std::nullopt);
  EXPECT_EQ(pruner.twin_of(compiled(4, "")), std::nullopt);
  EXPECT_EQ(pruner.twin_of(compiled(5, "same")), std::nullopt) << "its tiles, and so its grid, are others";
  EXPECT_EQ(pruner.twin_of(compiled(4, "same")), config_of(4));
}

}  // namespace
}  // namespace upsweep::tuner
