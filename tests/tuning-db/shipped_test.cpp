// The results in tuning-db/shipped: all in the library, all usable.
#include <gtest/gtest.h>

#include <set>

#include "support.hpp"
#include "tuning-db/exchange.hpp"

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

TEST(Shipped, EveryWinnerCanRun) {
  for (const Winner& winner : shipped_winners()) {
    EXPECT_EQ(winner.origin, "shipped");
    EXPECT_EQ(unfit_to_win(winner.trial), "") << to_string(winner.trial.problem) << " for 2^" << winner.size_class;
  }
}

}  // namespace
}  // namespace upsweep::tuning_db
