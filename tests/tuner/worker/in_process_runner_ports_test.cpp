// A problem with several inputs and outputs in a runner: its candidates are checked and timed.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "generator/space.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/verify/select_pairs.hpp"
#include "tuner/worker/in_process_runner.hpp"

namespace upsweep::tuner {
namespace {

using Offsets = std::array<std::uintptr_t, 5>;

class RunnerOfPorts : public testing::Test {
 protected:
  RunnerOfPorts() {
    fake.device->called = problem;
    fake.device->execute_sequential = fake.device->execute = [](const FakeCall& call) { Pairs(call.values).compute(); };
  }
  [[nodiscard]] Config config() const { return Space(problem, fake.device->limits()).default_config(); }

  Problem problem = select_pairs_problem(10'000, Emission::at_end);
  RunRequest request{.size = problem.size};
  FakeEngine fake;
  InProcessRunner runner{*fake.engine, problem, 1};
};

TEST_F(RunnerOfPorts, TimesARightCandidate) {
  const Outcome outcome = runner.run(config(), request);
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.samples_us.size(), 7u);
}

TEST_F(RunnerOfPorts, AWrongCandidateIsNotTimed) {
  fake.device->execute = [](const FakeCall& call) {
    Pairs(call.values).compute();
    *Pairs(call.values).count += 1;
  };
  const Outcome outcome = runner.run(config(), request);
  EXPECT_EQ(outcome.verdict, Verdict::wrong);
  EXPECT_TRUE(outcome.failure.starts_with("count: wrong at index 0: ")) << outcome.failure;
}

// Inputs are off by one item each and outputs by two, and all calls find the data of their arrays.
TEST_F(RunnerOfPorts, TimesMisalignedCalls) {
  std::set<Offsets> seen;
  std::set<std::int32_t> thresholds;
  bool watching = false;
  std::uint64_t kept = 0, most = 0;
  fake.device->execute = [&](const FakeCall& call) {
    const Pairs pairs(call.values);
    pairs.compute();
    if (!watching) return;
    Offsets off{};
    for (std::size_t i = 0; i < off.size(); ++i) off[i] = reinterpret_cast<std::uintptr_t>(call.values.arrays[i]) % 256;
    seen.insert(off);
    thresholds.insert(pairs.threshold);
    kept += *pairs.count;
    most += pairs.n;
  };
  ASSERT_EQ(runner.run(config(), request).failure, "");
  fake.device->execute_timed = watching = true;
  (void)runner.run(config(), request);
  EXPECT_EQ(seen, (std::set<Offsets>{{0, 0, 0, 0, 0}}));
  seen.clear();
  request.misaligned = true;
  EXPECT_EQ(runner.run(config(), request).samples_us.size(), 7u);
  EXPECT_EQ(seen, (std::set<Offsets>{{4, 8, 16, 4, 8}}));
  EXPECT_EQ(thresholds, std::set<std::int32_t>{1000});
  EXPECT_GT(kept, most / 4) << "keys are there";
  EXPECT_LT(kept, 3 * most / 4);
}

TEST_F(RunnerOfPorts, WhatIsTooSlowByFarForFewerItemsIsNotTimed) {
  fake.device->clock = [](const std::string&, int calls) { return calls * 1000.0; };
  problem.size = std::uint64_t{1} << 23;
  fake.device->called = problem;
  InProcessRunner own(*fake.engine, problem, 1);
  EXPECT_EQ(own.run(config(), {.size = problem.size, .limit_us = 120}).verdict, Verdict::pruned);
}

TEST_F(RunnerOfPorts, MemoryToMeasureWithIsMadeOnce) {
  (void)runner.run(config(), request);
  const std::uint64_t before = fake.device->memory_left;
  const std::size_t blocks = fake.device->blocks.size();
  request.size = 9999;
  request.misaligned = true;
  (void)runner.run(config(), request);
  EXPECT_EQ(fake.device->memory_left, before);
  EXPECT_EQ(fake.device->blocks.size(), blocks);
}

}  // namespace
}  // namespace upsweep::tuner
