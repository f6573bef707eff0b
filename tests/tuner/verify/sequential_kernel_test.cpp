// The kernel that others are checked by, in a runner and in a whole tune.
#include "tuner/verify/sequential_kernel.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include <upsweep/error.hpp>
#include <upsweep/tune.hpp>

#include "generator/space.hpp"
#include "tests/support/patience.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/rows.hpp"
#include "tuner/tune_engine.hpp"
#include "tuner/worker/in_process_runner.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Trial;
using Sizes = std::vector<std::uint64_t>;

bool is_sequential(const Config& config) {
  return config.schedule == "sequential";
}

bool is_sequential(const Source& source) {
  return source.text.find("// schedule sequential\n") != source.text.npos;
}

std::ptrdiff_t sequential_ones(const std::vector<Trial>& trials) {
  return std::count_if(trials.begin(), trials.end(), [](const Trial& trial) { return is_sequential(trial.config); });
}

class SequentialKernelTest : public testing::Test {
 protected:
  SequentialKernelTest() {
    fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
    options.sizes = {100'000};
    options.maximum_trials = 60;
    options.budget = std::chrono::seconds(60) * test::patience;
    options.isolation = Isolation::in_process;
    options.compile_jobs = 1;
  }
  [[nodiscard]] Config config_of(std::int64_t items) const {
    Config config = Space(problem, fake.device->limits()).default_config();
    config.values["items_per_thread"] = items;
    return config;
  }
  void run() { (void)tune(*fake.engine, problem, options); }

  test::TestFolder folder;
  std::filesystem::path path = folder / "tuning.db";
  Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 10'000);
  RunRequest request{.size = problem.size};
  FakeEngine fake{path};
  TuneOptions options;
};

// What it computes is right by definition.
TEST_F(SequentialKernelTest, ChecksCandidates) {
  fake.device->execute_sequential = [this](const FakeCall& call) {
    compute(problem, call);
    static_cast<int*>(call.out)[0] += 1;
  };
  InProcessRunner runner(*fake.engine, problem, 1);
  const Outcome outcome = runner.run(config_of(3), request);
  EXPECT_EQ(outcome.verdict, Verdict::wrong);
  EXPECT_TRUE(outcome.failure.starts_with("wrong at index 0: expected ")) << outcome.failure;
}

// Nothing is known of the candidates then, not even of the default.
TEST_F(SequentialKernelTest, ItsFailureIsNoCandidates) {
  const std::string cannot =
      "the results of inclusive_scan plus i32 on fake:0 cannot be checked: the reference, which the schedule "
      "sequential computes from 131072 items, failed: ";
  InProcessRunner runner(*fake.engine, problem, 1);
  const auto refuse = std::exchange(fake.compiler->refuse, [&](const Source& source) {
    if (is_sequential(source)) throw runtime::SourceRefused("it does not compile");
  });
  for (const std::int64_t items : {3, 4}) {
    EXPECT_EQ(message_of<ReferenceFailed>([&] { (void)runner.run(config_of(items), request); }),
              cannot + "it does not compile");
  }
  fake.compiler->refuse = refuse;
  const auto execute = std::exchange(fake.device->execute_sequential,
                                     [](const FakeCall&) { throw runtime::DeviceRuined("illegal address"); });
  EXPECT_EQ(message_of<ReferenceFailed>([&] { (void)runner.run(config_of(3), request); }), cannot + "illegal address");
  fake.device->execute_sequential = execute;
  EXPECT_EQ(runner.run(config_of(3), request).verdict, Verdict::measured);
}

TEST_F(SequentialKernelTest, IsLoadedOnceAndStays) {
  int compiled = 0;
  fake.compiler->refuse = [&](const Source& source) { compiled += is_sequential(source); };
  problem = make_problem(Algorithm::reduce, plus, Type::i32, Type::i32, 10'000);
  Sizes ran;
  fake.device->execute_sequential = [&](const FakeCall& call) {
    ran.push_back(call.n);
    compute(problem, call);
  };
  const Config sequential = Space(problem, fake.device->limits()).complete({.schedule = "sequential", .values = {}});
  {
    InProcessRunner runner(*fake.engine, problem, 1);
    EXPECT_EQ(compiled, 0) << "nothing was to be checked";
    for (const std::int64_t items : {4, 6, 8}) {
      EXPECT_EQ(runner.run(config_of(items), request).verdict, Verdict::measured);
      runner.kernels().drop_all();
    }
    EXPECT_EQ(compiled, 1);
    EXPECT_FALSE(fake.engine->kernels().holds(generate(problem, sequential).key)) << "it is the runner's own";
    EXPECT_EQ(std::set<std::uint64_t>(ran.begin(), ran.end()).size(), ran.size()) << "once for each size";
    EXPECT_EQ(runner.run(sequential, request).verdict, Verdict::measured) << "asked for by name, it is a candidate";
    runner.kernels().drop_all();
    EXPECT_EQ(runner.run(config_of(12), {.size = 20'000}).verdict, Verdict::measured);
  }
  EXPECT_EQ(compiled, 2) << "for the runner, and as a candidate";
}

TEST_F(SequentialKernelTest, WithoutItThereIsNoTune) {
  fake.device->execute_sequential = [](const FakeCall&) { throw DeviceError("launch failed"); };
  EXPECT_EQ(message_of<Error>([&] { run(); }),
            "the results of inclusive_scan plus i32 on fake:0 cannot be checked: the reference, which the schedule "
            "sequential computes from 131072 items, failed: launch failed");
  EXPECT_TRUE(probes(path).empty()) << "it says nothing about a config";
}

TEST_F(SequentialKernelTest, IsMeasuredOnlyIfItIsAskedFor) {
  run();
  EXPECT_EQ(probes(path).size(), 60u);
  EXPECT_EQ(sequential_ones(probes(path)), 0);
  test::TestFolder other;
  options.database = other / "only.db";
  options.only.schedules = {"sequential"};
  run();
  EXPECT_EQ(probes(options.database).size(), 2u)
      << "the default, and the one config that a device without dependent launch has";
  EXPECT_EQ(sequential_ones(probes(options.database)), 1);
}

}  // namespace
}  // namespace upsweep::tuner
