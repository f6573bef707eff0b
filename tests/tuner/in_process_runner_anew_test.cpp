// Kernels that are loaded anew between rounds: RunRequest::loads.
#include <gtest/gtest.h>

#include <algorithm>

#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tuner/in_process_runner.hpp"

namespace upsweep::tuner {
namespace {

struct KernelsAnewTest : testing::Test {
  KernelsAnewTest() { teach(cached); }
  void teach(FakeEngine& fake) const {
    fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
    fake.device->clock = [](const std::string& text, int calls) {
      return calls * (has(text, "items_per_thread", "3") ? 500.0 : 1000.0);
    };
  }
  [[nodiscard]] Config config_of(std::int64_t items) const {
    Config config = Space(problem, cached.device->limits()).default_config();
    config.values["items_per_thread"] = items;
    return config;
  }
  [[nodiscard]] std::string key_of(const Config& config) const { return generate(problem, config).key; }

  TemporaryFolder folder;
  Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 10'000);
  RunRequest request{.size = problem.size};
  FakeEngine cached{{}, folder / "cache"};
  std::vector<Config> both{config_of(3), config_of(4)};
};

TEST_F(KernelsAnewTest, AreLoadedInTurn) {
  const Plan callers = cached.engine->plan(problem, config_of(4), nullptr);
  std::map<std::string, std::vector<const void*>> workspaces;  // one after the other
  int most_loaded = 0;
  cached.device->execute_timed = true;
  cached.device->execute = [&](const FakeCall& call) {
    compute(problem, call);
    std::vector<const void*>& all = workspaces[call.text];
    if (all.empty() || all.back() != call.workspace) all.push_back(call.workspace);
  };
  InProcessRunner runner(*cached.engine, problem, 1);
  for (const Config& config : both) (void)runner.run(config, request);
  std::map<std::string, int> loads = cached.device->loads;
  request = {.size = problem.size, .samples = 5, .replay = false, .loads = 3};
  EXPECT_EQ(runner.run_in_turn(both, request)[0], std::vector<double>(5, 500));
  for (const Config& config : both) {
    const std::string text = generate(problem, config).text;
    EXPECT_EQ(cached.device->loads[text] - loads[text], 3);
    EXPECT_EQ(workspaces[text].size(), 4u) << "each time another, the first included";
    most_loaded = std::max(most_loaded, cached.device->loaded[text]);
  }
  EXPECT_EQ(most_loaded, 2) << "the caller's and this one";
  const std::string first = generate(problem, both[0]).text, second = generate(problem, both[1]).text;
  const std::vector<std::string>& order = cached.device->load_order;
  EXPECT_EQ(std::vector(order.end() - 6, order.end()),
            (std::vector<std::string>{first, second, second, first, first, second}))
      << "places go around";
  request.loads = 0;
  loads = cached.device->loads;
  (void)runner.run_in_turn(both, request);
  EXPECT_EQ(cached.device->loads, loads);
  runner.drop_all();
  EXPECT_FALSE(cached.engine->kernels().holds(key_of(both[0])));
  EXPECT_TRUE(cached.engine->kernels().holds(key_of(both[1]))) << "it was there before";
}

// How many calls fill a sample is known of those before: but for a call that comes first, samples are all there is.
TEST_F(KernelsAnewTest, NeedNotBeGotToKnow) {
  InProcessRunner runner(*cached.engine, problem, 1);
  for (const Config& config : both) (void)runner.run(config, request);
  request = {.size = problem.size, .samples = 5, .replay = false, .loads = 5};
  (void)runner.run_in_turn(both, request);
  const double before = runner.busy_seconds();
  (void)runner.run_in_turn(both, request);
  EXPECT_NEAR((runner.busy_seconds() - before) * 1e6, 5 * (500 + 2 * 500 + 1000 + 1000), 1);
}

TEST_F(KernelsAnewTest, MayNotLoad) {
  InProcessRunner runner(*cached.engine, problem, 1);
  for (const Config& config : both) (void)runner.run(config, request);
  request.loads = 1;
  cached.device->refuse_to_load = true;
  EXPECT_EQ(message_of<DeviceError>([&] { (void)runner.run_in_turn(both, request); }), "it does not load");
  cached.device->refuse_to_load = false;
  EXPECT_EQ(runner.run_in_turn(both, request)[0], std::vector<double>(7, 500));
}

TEST_F(KernelsAnewTest, AreNotCompiled) {
  FakeEngine fake;
  teach(fake);
  InProcessRunner runner(*fake.engine, problem, 1);
  for (const Config& config : both) (void)runner.run(config, request);
  const auto loads = fake.device->loads;
  request.loads = 3;
  EXPECT_EQ(runner.run_in_turn(both, request)[0], std::vector<double>(7, 500));
  EXPECT_EQ(fake.device->loads, loads);
}

}  // namespace
}  // namespace upsweep::tuner
