// A tuning database that cannot be used: what needs it says so, what does not goes on.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class UnusableDatabase : public Command {
 protected:
  // Below a link that leads to itself, as for a user whose home cannot be entered.
  UnusableDatabase()
      : home_("HOME", path("loop")), data_("XDG_DATA_HOME", std::nullopt), named_("UPSWEEP_DB", std::nullopt) {
    std::filesystem::create_symlink("loop", path("loop"));
  }
  static std::size_t warnings_in(const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("warning:"); at != text.npos; at = text.find("warning:", at + 1)) ++count;
    return count;
  }
  [[nodiscard]] std::vector<std::string> sum() const {
    return words("run reduce --op plus --type i32 --device host", {make("in.txt", "1\n2\n3\n")});
  }

 private:
  Variable home_, data_, named_;
};

TEST_F(UnusableDatabase, RunComputesWithOneWarning) {
  const Variable record("UPSWEEP_RECORD", "on");
  const Called called = worked(call(sum()));
  EXPECT_EQ(called.out, "6\n");
  EXPECT_EQ(warnings_in(called.err), 1u) << called.err;
  EXPECT_THAT(called.err, AllOf(HasSubstr("your own tuning results are not used"), HasSubstr("symbolic links"),
                                HasSubstr("set UPSWEEP_DB or --db to a file")));
}

TEST_F(UnusableDatabase, RunDoesNotWaitForOneThatIsHeld) {
  const Variable record("UPSWEEP_RECORD", "on");
  const std::string held = path("held.db");
  ASSERT_EQ(call({"db", "wanted", "--clear", "--db", held}).code, 0);
  sqlite3* holder = nullptr;
  ASSERT_EQ(sqlite3_open(held.c_str(), &holder), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(holder, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto begin = std::chrono::steady_clock::now();
  const Called called = call(with(sum(), {"--db", held}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
  sqlite3_close(holder);
  EXPECT_EQ(called.code, 0) << called.err;
  EXPECT_EQ(called.out, "6\n");
  EXPECT_EQ(warnings_in(called.err), 1u) << called.err;
}

TEST_F(UnusableDatabase, ExplainTellsOfTheOthers) {
  const Called called = worked(call(words("explain reduce --op plus --type i32 --size 8 --device host")));
  EXPECT_EQ(warnings_in(called.err), 1u) << called.err;
}

TEST_F(UnusableDatabase, WhatIsAboutTheDatabaseFails) {
  const std::vector<std::vector<std::string>> verbs{
      {"db", "list"},
      {"db", "prune", "--failed"},
      {"report", "-o", path("report.html")},
      words("tune reduce --op plus --type i32 --size 8 --device host --max-trials 1"),
      words("tune --wanted --device host")};
  for (const auto& verb : verbs) {
    const Called called = call(verb);
    EXPECT_EQ(called.code, 6) << verb[0] << ": " << called.err;
    EXPECT_THAT(called.err, AllOf(HasSubstr("cannot be"), Not(HasSubstr("defect")))) << verb[0];
    EXPECT_EQ(called.error_lines(), 1) << called.err;
  }
}

TEST_F(UnusableDatabase, DoctorNamesIt) {
  const Called called = worked(call({"doctor"}));
  EXPECT_THAT(called.out, HasSubstr("MISSING  tuning database  " + path("loop")));
  EXPECT_THAT(called.out, HasSubstr("cannot be the tuning database"));
}

TEST_F(UnusableDatabase, ReportTellsOfShippedResults) {
  const Called called = worked(call({"report", "--shipped", "-o", path("report.html")}));
  EXPECT_EQ(warnings_in(called.err), 1u) << called.err;
  EXPECT_THAT(content("report.html"), HasSubstr("NVIDIA H200"));
}

}  // namespace
}  // namespace upsweep::cli
