#include <gmock/gmock.h>

#include <set>

#include <upsweep/error.hpp>

#include "tests/tuner/worker/in_process_runner_fixture.hpp"

namespace upsweep::tuner {
namespace {

TEST_F(InProcessRunnerTest, TimesARightCandidate) {
  const Outcome outcome = runner.run(config_of(3), request);
  EXPECT_EQ(outcome.verdict, Verdict::measured);
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.samples_us, std::vector<double>(7, 500.0));
  EXPECT_EQ(outcome.binary.size(), 32u);
  EXPECT_NE(outcome.binary, runner.run(config_of(4), request).binary);
}

// The input is off by one item and the output by two; what was timed aligned is timed anew.
TEST_F(InProcessRunnerTest, TimesMisalignedCalls) {
  fake.device->execute_timed = true;
  std::set<std::pair<std::uintptr_t, std::uintptr_t>> seen;
  bool watching = false;
  fake.device->execute = [&](const FakeCall& call) {
    compute(problem, call);
    if (watching)
      seen.emplace(reinterpret_cast<std::uintptr_t>(call.in) % 256, reinterpret_cast<std::uintptr_t>(call.out) % 256);
  };
  (void)runner.run(config_of(3), request);  // which checks it
  watching = true;
  EXPECT_EQ(runner.run(config_of(3), request).verdict, Verdict::measured);
  EXPECT_EQ(seen, (std::set<std::pair<std::uintptr_t, std::uintptr_t>>{{0, 0}}));
  seen.clear();
  request.misaligned = true;
  EXPECT_EQ(runner.run(config_of(3), request).samples_us.size(), 7u);
  EXPECT_EQ(seen, (std::set<std::pair<std::uintptr_t, std::uintptr_t>>{{4, 8}}));
  seen.clear();
  const std::vector<Config> both{config_of(3), config_of(4)};
  EXPECT_EQ(runner.run_in_turn(both, request).size(), 2u);
  EXPECT_EQ(seen, (std::set<std::pair<std::uintptr_t, std::uintptr_t>>{{4, 8}}));
}

TEST_F(InProcessRunnerTest, ASizeThatNoMemoryHoldsIsRefused) {
  for (const int exponent : {55, 60, 61, 62, 63}) {
    Problem huge = problem;
    huge.size = std::uint64_t{1} << exponent;
    EXPECT_THAT(message_of<UsageError>([&] { const InProcessRunner none(*fake.engine, huge, 1); }),
                testing::HasSubstr("needs more memory than"))
        << exponent;
  }
  RunRequest huge = request;
  huge.size = std::uint64_t{1} << 62;
  EXPECT_THROW((void)runner.run(config_of(3), huge), UsageError);
}

TEST_F(InProcessRunnerTest, SaysWhatTheClocksWere) {
  fake.device->clock_state = [] { return runtime::ClockState{.multiprocessor_mhz = 1755, .throttled_by = {}}; };
  EXPECT_EQ(runner.run(config_of(3), request).clock_mhz, 1755);
}

TEST_F(InProcessRunnerTest, AWrongCandidateIsNotTimed) {
  const Outcome outcome = runner.run(config_of(5), request);
  EXPECT_EQ(outcome.verdict, Verdict::wrong);
  EXPECT_TRUE(outcome.samples_us.empty());
  EXPECT_TRUE(outcome.failure.starts_with("wrong at index ")) << outcome.failure;
  EXPECT_NE(outcome.failure.find("expected"), std::string::npos) << outcome.failure;
}

TEST_F(InProcessRunnerTest, DoesNotCompileOrRun) {
  const Outcome refused = runner.run(config_of(9), request);
  EXPECT_EQ(refused.failure, "key 123 does not compile");
  EXPECT_EQ(refused.verdict, Verdict::not_compiled);
  EXPECT_FALSE(refused.may_pass);
  const Outcome passing = runner.run(config_of(11), request);
  EXPECT_EQ(passing.verdict, Verdict::not_compiled);
  EXPECT_TRUE(passing.may_pass);
  const Outcome crashed = runner.run(config_of(7), request);
  EXPECT_EQ(crashed.failure, "illegal address");
  EXPECT_EQ(crashed.verdict, Verdict::failed);
  EXPECT_TRUE(crashed.samples_us.empty());
  EXPECT_EQ(runner.run(config_of(3), request).verdict, Verdict::measured) << "the default still runs";
}

TEST_F(InProcessRunnerTest, AHopelessCandidateIsTimedOnce) {
  EXPECT_EQ(runner.run(config_of(3), {.size = problem.size, .limit_us = 400}).samples_us.size(), 1u);
}

TEST_F(InProcessRunnerTest, FailuresOfTheDefaultAreTheDevices) {
  const Config standard = Space(problem, fake.device->limits()).default_config();
  fake.compiler->refuse = [](const Source&) { throw CompilerError("no compiler"); };
  EXPECT_EQ(message_of<CompilerError>([&] { (void)runner.run(standard, request); }), "no compiler");
  fake.compiler->refuse = [](const Source&) {};
  fake.device->execute = [](const FakeCall&) { throw DeviceError("the device is lost"); };
  EXPECT_EQ(message_of<DeviceError>([&] { (void)runner.run(standard, request); }), "the device is lost");
}

TEST_F(InProcessRunnerTest, ALostDeviceShowsAtTheNextCall) {
  fake.device->execute_timed = true;
  fake.device->execute = [](const FakeCall&) { throw runtime::DeviceRuined("illegal address"); };
  const Outcome outcome = runner.run(config_of(3), request);
  EXPECT_EQ(outcome.verdict, Verdict::crashed);
  EXPECT_EQ(outcome.failure, "illegal address");
  EXPECT_TRUE(runner.kernels().ruined());
  EXPECT_EQ(message_of<DeviceError>([&] { (void)runner.run(config_of(4), request); }), "illegal address");
}

TEST_F(InProcessRunnerTest, OutOfMemory) {
  ASSERT_EQ(runner.run(config_of(3), request).verdict, Verdict::measured);
  fake.device->execute = [](const FakeCall&) { throw runtime::OutOfDeviceMemory("no room"); };
  const Outcome outcome = runner.run(config_of(4), request);
  EXPECT_EQ(outcome.verdict, Verdict::out_of_memory);
  EXPECT_EQ(outcome.failure, "no room");
  EXPECT_FALSE(runner.kernels().ruined());
}

// What was found right at a size is timed only at that size and smaller ones.
TEST_F(InProcessRunnerTest, SeveralSizes) {
  std::set<std::uint64_t> timed;
  fake.device->execute = [&](const FakeCall& call) { compute(problem, call); };
  (void)runner.run(config_of(3), request);
  int checked = 0;
  fake.device->execute = [&](const FakeCall&) { ++checked; };
  const auto times = [&](std::uint64_t size) {
    return runner.run(config_of(3), {.size = size, .samples = 3}).samples_us == std::vector<double>(3, 500.0);
  };
  for (const std::uint64_t size : {100u, 1000u, 100u}) EXPECT_TRUE(times(size)) << size;
  EXPECT_EQ(checked, 0);
  fake.device->execute = [&](const FakeCall& call) { compute(problem, call), ++checked; };
  for (const std::uint64_t size : {1'000'000u, 5'000'000u}) {
    EXPECT_TRUE(times(size)) << size;
    EXPECT_GT(std::exchange(checked, 0), 0) << size;
  }
  EXPECT_TRUE(times(5'000'000));
  EXPECT_TRUE(times(1'000'000));
  EXPECT_EQ(checked, 0);
  fake.device->execute_timed = true;
  fake.device->execute = [&](const FakeCall& call) { timed.insert(call.n); };
  (void)runner.run(config_of(3), {.size = 777});
  EXPECT_EQ(timed, std::set<std::uint64_t>{777});
}

TEST_F(InProcessRunnerTest, MemoryToMeasureWithIsMadeOnce) {
  (void)runner.run(config_of(3), request);
  const std::uint64_t before = fake.device->memory_left;
  const std::size_t blocks = fake.device->blocks.size();
  (void)runner.run(config_of(3), {.size = 100});
  (void)runner.run(config_of(3), {.size = 9999});
  EXPECT_EQ(fake.device->memory_left, before);
  (void)runner.run(config_of(3), {.size = 10'000'000});
  EXPECT_LT(fake.device->memory_left, before);
  EXPECT_EQ(fake.device->blocks.size(), blocks) << "what was too small is freed";
}

TEST_F(InProcessRunnerTest, BusyTimeIsTheDevices) {
  EXPECT_EQ(runner.busy_seconds(), 0);
  (void)runner.run(config_of(3), {.size = problem.size, .samples = 4, .sample_us = 500});
  const double once = runner.busy_seconds();
  EXPECT_GE(once, 4 * 500e-6);
  const std::vector<Config> configs{config_of(3), config_of(4)};
  (void)runner.run_in_turn(configs, request);
  EXPECT_GE(runner.busy_seconds(), once + 7 * 1500e-6);
}

TEST_F(InProcessRunnerTest, ThoseNearTheBestAreTimedMoreAtOnce) {
  request.more_samples = 5;
  request.near_us = 500;
  EXPECT_EQ(runner.run(config_of(3), request).more_us, std::vector<double>(5, 500.0));
  EXPECT_TRUE(runner.run(config_of(4), request).more_us.empty());
}

// A call of 2^22 items takes 1000 us here.
TEST_F(InProcessRunnerTest, WhatIsTooSlowByFarForFewerItemsIsNotTimed) {
  fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
  problem.size = std::uint64_t{1} << 23;
  InProcessRunner own(*fake.engine, problem, 1);
  const Outcome outcome = own.run(config_of(4), {.size = problem.size, .limit_us = 120});
  EXPECT_EQ(outcome.verdict, Verdict::pruned);
  EXPECT_EQ(outcome.failure, "takes 1000 us for 4194304 items, which is too slow to measure with 8388608 items");
  EXPECT_TRUE(outcome.samples_us.empty());
  EXPECT_EQ(own.run(config_of(4), {.size = problem.size, .limit_us = 130}).verdict, Verdict::measured);
  EXPECT_EQ(own.run(config_of(4), {.size = problem.size}).verdict, Verdict::measured);
}

TEST_F(InProcessRunnerTest, InTurn) {
  const std::vector<Config> configs{config_of(3), config_of(4)};
  EXPECT_EQ(runner.run_in_turn(configs, {.size = problem.size, .samples = 3}),
            (std::vector<std::vector<double>>{{500, 500, 500}, {1000, 1000, 1000}}));
}

TEST_F(InProcessRunnerTest, GivesEverythingBack) {
  const std::uint64_t free_before = fake.device->memory_left;
  const int streams_before = fake.device->streams;
  {
    InProcessRunner own(*fake.engine, problem, 1);
    (void)own.run(config_of(3), request);
    EXPECT_LT(fake.device->memory_left, free_before);
    EXPECT_EQ(fake.device->streams, streams_before + 1);
  }
  EXPECT_EQ(fake.device->memory_left, free_before) << "no workspace is left with the engine either";
  EXPECT_EQ(fake.device->streams, streams_before);
}

// A candidate that fails in the middle leaves its workspace in disorder: the next one gets another, of zeros.
TEST_F(InProcessRunnerTest, EachCandidateHasACleanWorkspace) {
  fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
  const Plan plan = fake.engine->plan(problem, config_of(3), nullptr);
  ASSERT_GT(plan.workspace_bytes(problem.size), 0u) << "the schedule must have one for this test to say anything";
  const std::size_t blocks_before = fake.device->blocks.size();
  (void)runner.run(config_of(3), request);
  (void)runner.run(config_of(4), request);
  EXPECT_EQ(fake.device->blocks.size(), blocks_before + 2);
}

}  // namespace
}  // namespace upsweep::tuner
