// The results in tuning-db/shipped: all in the library, all usable.
#include <gtest/gtest.h>

#include <set>

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
  const DeviceIdentity h200 = winners.front().trial.device;
  ASSERT_EQ(h200.name, "NVIDIA H200");
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

}  // namespace
}  // namespace upsweep::tuning_db
