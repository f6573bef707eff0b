// Where the tuning database is.
#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "support.hpp"
#include "tests/support/variable.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuning_db {
namespace {

using test::Variable;
using testing::HasSubstr;

TEST(DatabasePath, FollowsTheEnvironment) {
  const Variable home("HOME", "/home/someone");
  const Variable no_data("XDG_DATA_HOME", std::nullopt);
  const Variable no_db("UPSWEEP_DB", std::nullopt);
  EXPECT_EQ(Database::path_of(), "/home/someone/.local/share/upsweep/tuning.db");
  {
    const Variable data("XDG_DATA_HOME", "relative");
    EXPECT_EQ(Database::path_of(), "/home/someone/.local/share/upsweep/tuning.db");
  }
  const Variable data("XDG_DATA_HOME", "/data");
  EXPECT_EQ(Database::path_of(), "/data/upsweep/tuning.db");
  {
    const Variable empty("UPSWEEP_DB", "");
    EXPECT_EQ(Database::path_of(), "/data/upsweep/tuning.db");
  }
  const Variable db("UPSWEEP_DB", "mine.db");
  EXPECT_EQ(Database::path_of(), "mine.db");
  EXPECT_EQ(Database::path_of("yours.db"), "yours.db");
  EXPECT_EQ(Database::path_of("none"), "");
  const Variable none("UPSWEEP_DB", "none");
  EXPECT_EQ(Database::path_of(), "");
  EXPECT_EQ(Database::path_of("yours.db"), "yours.db");
}

TEST(DatabasePath, NeedsSomePlace) {
  const Variable home("HOME", std::nullopt);
  const Variable data("XDG_DATA_HOME", std::nullopt);
  const Variable db("UPSWEEP_DB", std::nullopt);
  EXPECT_THAT(message_of<UsageError>([] { (void)Database::path_of(); }), HasSubstr("set UPSWEEP_DB"));
}

}  // namespace
}  // namespace upsweep::tuning_db
