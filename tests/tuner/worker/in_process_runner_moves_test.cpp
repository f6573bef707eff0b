// Workspaces that are put elsewhere between rounds: RunRequest::moves.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tuner/worker/in_process_runner.hpp"

namespace upsweep::tuner {
namespace {

struct MovedWorkspacesTest : testing::Test {
  MovedWorkspacesTest() {
    fake.device->execute_timed = true;
    fake.device->execute = [this](const FakeCall& call) {
      compute(problem, call);
      auto* const first = static_cast<char*>(call.workspace);
      const char own = has(call.text, "items_per_thread", "3") ? '3' : '4';
      if (*first != 0 && *first != own) ++strange;  // neither its own nor cleared
      *first = own;
      std::vector<const void*>& all = workspaces[own];
      if (all.empty() || all.back() != call.workspace) all.push_back(call.workspace);
    };
    fake.device->clock = [](const std::string& text, int calls) {
      return calls * (has(text, "items_per_thread", "3") ? 500.0 : 1000.0);
    };
    for (const Config& config : both) (void)runner.run(config, {.size = problem.size});
    home = workspaces;
    workspaces.clear();
  }
  [[nodiscard]] Config config_of(std::int64_t items) const {
    Config config = Space(problem, fake.device->limits()).default_config();
    config.values["items_per_thread"] = items;
    return config;
  }

  Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 10'000);
  RunRequest request{.size = problem.size, .samples = 5, .replay = false};
  FakeEngine fake;
  std::vector<Config> both{config_of(3), config_of(4)};
  int strange = 0;
  std::map<char, std::vector<const void*>> workspaces, home;  // one after the other
  InProcessRunner runner{*fake.engine, problem, 1};
};

TEST_F(MovedWorkspacesTest, LieElsewhereEachTime) {
  (void)runner.run_in_turn(both, request);  // gets to know the calls
  workspaces.clear();
  request.moves = 3;
  EXPECT_EQ(runner.run_in_turn(both, request), (std::vector{std::vector(5, 500.0), std::vector(5, 1000.0)}));
  for (const char own : {'3', '4'}) {
    std::set<const void*> places(workspaces[own].begin(), workspaces[own].end());
    EXPECT_EQ(workspaces[own].size(), 3u);
    EXPECT_EQ(places.size(), 3u);
    EXPECT_FALSE(places.contains(home[own].back()));
  }
  EXPECT_EQ(workspaces['3'][1], workspaces['4'][0]) << "places go around";
  EXPECT_EQ(strange, 0);
}

TEST_F(MovedWorkspacesTest, GoOnWhereTheyWere) {
  request.moves = 2;
  (void)runner.run_in_turn(both, request);
  const std::vector<const void*> before = workspaces['3'];
  workspaces.clear();
  (void)runner.run_in_turn(both, request);
  EXPECT_EQ(std::count(before.begin(), before.end(), workspaces['3'].front()), 0) << "as long as there are places";
}

TEST_F(MovedWorkspacesTest, ReturnHome) {
  request.moves = 3;
  (void)runner.run_in_turn(both, request);
  workspaces.clear();
  request.moves = 0;
  (void)runner.run_in_turn(both, request);
  EXPECT_EQ(workspaces['3'], std::vector{home['3'].back()});
  EXPECT_EQ(workspaces['4'], std::vector{home['4'].back()});
  EXPECT_EQ(strange, 0);
}

TEST_F(MovedWorkspacesTest, ReturnHomeWhateverHappens) {
  request.moves = 1;
  const auto execute = fake.device->execute;
  fake.device->execute = [](const FakeCall&) { throw DeviceError("it falls over"); };
  EXPECT_EQ(message_of<DeviceError>([&] { (void)runner.run_in_turn(both, request); }), "it falls over");
  fake.device->execute = execute;
  workspaces.clear();
  request.moves = 0;
  (void)runner.run_in_turn(both, request);
  EXPECT_EQ(workspaces['3'], std::vector{home['3'].back()});
}

TEST_F(MovedWorkspacesTest, AreAtHomeInRecordings) {
  fake.device->records = true;
  runner.kernels().drop_all();
  request.moves = 3;
  (void)runner.run_in_turn(both, request);
  const std::set<const void*> places(workspaces['3'].begin(), workspaces['3'].end());
  EXPECT_TRUE(fake.device->recordings.empty());
  workspaces.clear();
  request.replay = true;
  (void)runner.run_in_turn(both, request);
  EXPECT_EQ(fake.device->recordings.size(), 2u);
  ASSERT_EQ(workspaces['3'].size(), 1u);
  EXPECT_FALSE(places.contains(workspaces['3'].front()));
}

TEST_F(MovedWorkspacesTest, StayWhereTheyAreIfMemoryIsShort) {
  request.moves = 3;
  const std::uint64_t left = std::exchange(fake.device->memory_left, 1000);
  EXPECT_EQ(runner.run_in_turn(both, request)[0], std::vector(5, 500.0));
  EXPECT_EQ(workspaces['3'], std::vector{home['3'].back()});
  fake.device->memory_left = left;
  workspaces.clear();
  (void)runner.run_in_turn(both, request);
  EXPECT_EQ(std::count(workspaces['3'].begin(), workspaces['3'].end(), home['3'].back()), 0);
}

TEST_F(MovedWorkspacesTest, GetMoreRoomWhenTheyNeedIt) {
  request.moves = 3;
  (void)runner.run_in_turn(std::vector{both[1]}, request);
  const std::size_t blocks = fake.device->blocks.size();
  workspaces.clear();
  (void)runner.run_in_turn(both, request);  // of 3 items a thread: more tiles
  EXPECT_EQ(std::set(workspaces['3'].begin(), workspaces['3'].end()).size(), 3u);
  EXPECT_EQ(strange, 0);
  EXPECT_EQ(fake.device->blocks.size(), blocks) << "in place of what there was";
}

TEST_F(MovedWorkspacesTest, GiveWayToTheDataOfLargerCalls) {
  request.moves = 3;
  (void)runner.run_in_turn(both, request);
  const std::size_t blocks = fake.device->blocks.size();
  (void)runner.run(both[0], {.size = 100 * problem.size});
  EXPECT_EQ(fake.device->blocks.size(), blocks - 1);
}

TEST_F(MovedWorkspacesTest, NeedNotBe) {
  fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
  fake.device->execute_timed = false;
  const Config none = Space(problem, fake.device->limits()).complete({.schedule = "single_block", .values = {}});
  request.moves = 3;
  EXPECT_EQ(runner.run_in_turn(std::vector{none}, request)[0], std::vector(5, 1000.0));
  const std::size_t blocks = fake.device->blocks.size();
  EXPECT_EQ(runner.run_in_turn(std::vector{none, both[0]}, request)[1], std::vector(5, 500.0));
  EXPECT_EQ(fake.device->blocks.size(), blocks + 1) << "where this one's is moved";
}

TEST_F(MovedWorkspacesTest, AreAsManyAsThereAreSamples) {
  (void)runner.run_in_turn(both, request);
  workspaces.clear();
  request.moves = 30;
  EXPECT_EQ(runner.run_in_turn(both, request)[1], std::vector(5, 1000.0));
  EXPECT_EQ(workspaces['4'].size(), 5u);
}

}  // namespace
}  // namespace upsweep::tuner
