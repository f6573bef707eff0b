// The results in tuning-db/shipped: all in the library, all usable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <upsweep/segments.hpp>

#include "support.hpp"
#include "tuning-db/candidates.hpp"
#include "tuning-db/choose.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::tuning_db {
namespace {

TEST(Shipped, FilesAreInTheLibrary) {
  std::set<std::string> in_tree;
  for (const auto& entry : std::filesystem::directory_iterator(UPSWEEP_SOURCE_DIR "/tuning-db/shipped")) {
    if (entry.path().extension() == ".json") in_tree.insert(bytes_of(entry.path()));
  }
  std::set<std::string> in_library;
  for (const std::string_view file : shipped_files()) in_library.emplace(file);
  EXPECT_EQ(in_library, in_tree);
}

// Those of a version before would be larger, and each line would say the device again.
TEST(Shipped, FilesAreOfTheCurrentVersion) {
  for (const std::string_view file : shipped_files()) {
    const nlohmann::json parsed = nlohmann::json::parse(file);
    EXPECT_EQ(parsed.at("version"), exchange_version);
    EXPECT_EQ(shared_parts_of_head(file), shared_parts_from_json(parsed));
    for (const nlohmann::json& line : parsed.at("winners")) EXPECT_TRUE(line.at("device").is_number()) << line;
  }
}

TEST(Shipped, EveryWinnerCanRun) {
  for (const Winner& winner : shipped_winners()) {
    EXPECT_EQ(winner.origin, "shipped");
    EXPECT_EQ(unfit_to_win(winner.trial), "") << to_string(winner.trial.problem) << " for 2^" << winner.size_class;
  }
}

// Read line by line, and all at once: the same.
TEST(Shipped, ThoseForAProblemAreThoseThatMayServeIt) {
  for (const Problem& problem : built_in_problems()) {
    std::vector<std::string> expected, got;
    for (const Winner& winner : shipped_winners()) {
      if (may_serve(winner.trial.problem, problem)) expected.push_back(to_json(winner.trial).dump());
    }
    for (const Winner& winner : shipped_winners_for(problem)) {
      EXPECT_EQ(winner.origin, "shipped");
      EXPECT_EQ(winner.size_class, size_class(winner.trial.problem.size));
      got.push_back(to_json(winner.trial).dump());
    }
    EXPECT_FALSE(expected.empty()) << to_string(problem);
    EXPECT_EQ(got, expected) << to_string(problem);
  }
}

// The built-in problems at every power of two, each by a result of its own on the H200.
TEST(Shipped, ServesEveryBuiltInProblem) {
  const std::vector<Winner>& winners = shipped_winners();
  ASSERT_FALSE(winners.empty());
  const auto of_h200 = std::find_if(winners.begin(), winners.end(),
                                    [](const Winner& winner) { return winner.trial.device.name == "NVIDIA H200"; });
  ASSERT_NE(of_h200, winners.end());
  const DeviceIdentity h200 = of_h200->trial.device;
  int all = 0, exact = 0;
  for (Problem problem : built_in_problems()) {
    for (int size = 10; size <= 30; ++size) {
      problem.size = std::uint64_t{1} << size;
      const Choice choice = choose(problem, h200, limits_of_architecture("sm_90"), winners, {});
      EXPECT_NE(choice.rung, Rung::built_in) << to_string(problem) << " 2^" << size << ": " << choice.reason;
      ++all;
      exact += choice.rung == Rung::exact;
    }
  }
  EXPECT_EQ(all, 114 * 21);
  EXPECT_EQ(exact, all);
}

// Those of rows, axes and segments, which were measured on the H100, too.
TEST(Shipped, ServesShapesOnBothDevices) {
  const Problem plain = make_problem(Algorithm::inclusive_scan, plus, Type::i64, Type::i64);
  const Problem segments = in_segments(plain, 1 << 16, 1 << 20);
  std::vector<std::string> devices;
  for (const Winner& winner : shipped_winners_for(segments)) {
    const DeviceIdentity& device = winner.trial.device;
    if (std::find(devices.begin(), devices.end(), device.name) != devices.end()) continue;
    devices.push_back(device.name);
    const Choice choice = choose(segments, device, limits_of_architecture("sm_90"), shipped_winners(), {});
    EXPECT_EQ(choice.rung, Rung::exact) << device.name << ": " << choice.reason;
    EXPECT_EQ(choice.trial.value().device.name, device.name);
  }
  EXPECT_THAT(devices, testing::UnorderedElementsAre("NVIDIA H100 80GB HBM3", "NVIDIA H200"));
}

}  // namespace
}  // namespace upsweep::tuning_db
