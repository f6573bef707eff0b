#include "tuner/runner.hpp"

#include <gtest/gtest.h>

#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/tuner/fake_device.hpp"

namespace upsweep::tuner {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

class RunnerTest : public testing::Test {
 protected:
  RunnerTest() {
    fake.device->execute = [this](const FakeCall& call) {
      if (has(call.text, "items_per_thread", "7")) throw DeviceError("illegal address");
      compute(problem, call);
      if (has(call.text, "items_per_thread", "5") && call.n > 1) static_cast<int*>(call.out)[call.n - 1] += 1;
    };
    fake.device->clock = [](const std::string& text, int calls) {
      return calls * (has(text, "items_per_thread", "3") ? 500.0 : 1000.0);
    };
    fake.compiler->refuse = [](const Source& source) {
      if (has(source.text, "items_per_thread", "9")) throw CompilerError("key 123 does not compile", "a log");
    };
  }
  [[nodiscard]] Config config_of(std::int64_t items) const {
    Config config = Space(problem, fake.device->limits()).default_config();
    config.values["items_per_thread"] = items;
    return config;
  }
  [[nodiscard]] std::string key_of(const Config& config) const { return generate(problem, config).key; }

  Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 10'000);
  FakeEngine fake;
};

TEST_F(RunnerTest, TimesARightCandidate) {
  InProcessRunner runner(*fake.engine, problem, 1);
  const Outcome outcome = runner.run(config_of(3), no_limit);
  EXPECT_EQ(outcome.failure, "");
  EXPECT_FALSE(outcome.device_failed);
  EXPECT_EQ(outcome.samples_us, std::vector<double>(7, 500.0));
}

TEST_F(RunnerTest, AWrongCandidateIsNotTimed) {
  InProcessRunner runner(*fake.engine, problem, 1);
  const Outcome outcome = runner.run(config_of(5), no_limit);
  EXPECT_TRUE(outcome.samples_us.empty());
  EXPECT_TRUE(outcome.failure.starts_with("wrong at index ")) << outcome.failure;
  EXPECT_NE(outcome.failure.find("expected"), std::string::npos) << outcome.failure;
  EXPECT_FALSE(outcome.device_failed);
}

TEST_F(RunnerTest, DoesNotCompileOrRun) {
  InProcessRunner runner(*fake.engine, problem, 1);
  const Outcome refused = runner.run(config_of(9), no_limit);
  EXPECT_EQ(refused.failure, "key 123 does not compile");
  EXPECT_FALSE(refused.device_failed);
  const Outcome crashed = runner.run(config_of(7), no_limit);
  EXPECT_EQ(crashed.failure, "illegal address");
  EXPECT_TRUE(crashed.device_failed);
  EXPECT_TRUE(crashed.samples_us.empty());
  EXPECT_NO_THROW(runner.probe());
}

TEST_F(RunnerTest, AHopelessCandidateIsTimedOnce) {
  InProcessRunner runner(*fake.engine, problem, 1);
  EXPECT_EQ(runner.run(config_of(3), 400).samples_us.size(), 1u);
}

TEST_F(RunnerTest, FailuresOfTheDefaultAreTheDevices) {
  const Config standard = Space(problem, fake.device->limits()).default_config();
  fake.compiler->refuse = [](const Source&) { throw CompilerError("no compiler"); };
  InProcessRunner runner(*fake.engine, problem, 1);
  EXPECT_EQ(message_of<CompilerError>([&] { (void)runner.run(standard, no_limit); }), "no compiler");
  fake.compiler->refuse = [](const Source&) {};
  fake.device->execute = [](const FakeCall&) { throw DeviceError("the device is lost"); };
  EXPECT_EQ(message_of<DeviceError>([&] { (void)runner.run(standard, no_limit); }), "the device is lost");
  fake.device->execute_timed = true;
  EXPECT_EQ(message_of<DeviceError>([&] { runner.probe(); }), "the device is lost");
}

TEST_F(RunnerTest, KeepsTheKernelsThatItIsToldTo) {
  const Plan callers = fake.engine->plan(problem, config_of(6), nullptr);
  InProcessRunner runner(*fake.engine, problem, 1);
  for (const std::int64_t items : {3, 4, 5, 6, 9}) (void)runner.run(config_of(items), no_limit);
  EXPECT_TRUE(fake.engine->kernels().holds(key_of(config_of(4))));
  const std::vector<Config> kept{config_of(3)};
  runner.keep_only(kept);
  EXPECT_TRUE(fake.engine->kernels().holds(key_of(config_of(3))));
  EXPECT_FALSE(fake.engine->kernels().holds(key_of(config_of(4))));
  EXPECT_FALSE(fake.engine->kernels().holds(key_of(config_of(5))));
  EXPECT_TRUE(fake.engine->kernels().holds(key_of(config_of(6)))) << "it was there before";
}

TEST_F(RunnerTest, InTurn) {
  InProcessRunner runner(*fake.engine, problem, 1);
  const std::vector<Config> configs{config_of(3), config_of(4)};
  EXPECT_EQ(runner.run_in_turn(configs, 3), (std::vector<std::vector<double>>{{500, 500, 500}, {1000, 1000, 1000}}));
}

TEST_F(RunnerTest, GivesEverythingBack) {
  const std::uint64_t free_before = fake.device->memory_left;
  {
    InProcessRunner runner(*fake.engine, problem, 1);
    (void)runner.run(config_of(3), no_limit);
    EXPECT_LT(fake.device->memory_left, free_before);
    EXPECT_EQ(fake.device->streams, 1);
  }
  EXPECT_EQ(fake.device->memory_left, free_before) << "no workspace is left with the engine either";
  EXPECT_EQ(fake.device->streams, 0);
}

// A candidate that fails in the middle leaves its workspace in disorder: the next one gets another, of zeros.
TEST_F(RunnerTest, EachCandidateHasACleanWorkspace) {
  fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
  InProcessRunner runner(*fake.engine, problem, 1);
  const Plan plan = fake.engine->plan(problem, config_of(3), nullptr);
  ASSERT_GT(plan.workspace_bytes(problem.size), 0u) << "the schedule must have one for this test to say anything";
  const std::size_t blocks_before = fake.device->blocks.size();
  (void)runner.run(config_of(3), no_limit);
  (void)runner.run(config_of(4), no_limit);
  EXPECT_EQ(fake.device->blocks.size(), blocks_before + 2);
}

}  // namespace
}  // namespace upsweep::tuner
