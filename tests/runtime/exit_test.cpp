// Contexts of static storage duration: what they do at exit must not need what is destroyed before them.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/process.hpp"
#include "tests/support/test_folder.hpp"
#include "tuning-db/database.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;
using tuning_db::Database;

class AtExit : public testing::TestWithParam<const char*> {
 protected:
  AtExit() {
    ::setenv("UPSWEEP_DB", path().c_str(), 1);
    ::setenv("UPSWEEP_RECORD", "on", 1);
    ::setenv("UPSWEEP_CACHE_DIR", (folder_ / "cache").c_str(), 1);
    ::setenv("MALLOC_PERTURB_", "165", 1);  // freed memory does not keep what it held
  }
  ~AtExit() override {
    for (const char* name : {"UPSWEEP_DB", "UPSWEEP_RECORD", "UPSWEEP_CACHE_DIR", "MALLOC_PERTURB_"}) ::unsetenv(name);
  }
  [[nodiscard]] fs::path path() const { return folder_ / "tuning.db"; }

 private:
  test::TestFolder folder_;
};

TEST_P(AtExit, NotesAreWritten) {
  for (std::uint64_t run = 1; run <= 2; ++run) {  // the second finds a database to be verified
    const base::ProcessResult result = base::run_process({UPSWEEP_EXIT_PROGRAM, GetParam()});
    EXPECT_EQ(result.signal, 0) << "run " << run;
    EXPECT_EQ(result.exit_code, 0) << "run " << run;
    EXPECT_EQ(result.output, "6\n") << "run " << run;
    ASSERT_TRUE(fs::exists(path())) << "run " << run;
    const auto noted = Database(path(), Database::Mode::read_only).wanted();
    ASSERT_EQ(noted.size(), 1u) << "run " << run;
    EXPECT_EQ(noted[0].count, run);
    EXPECT_EQ(noted[0].problem.algorithm, Algorithm::reduce);
  }
}

INSTANTIATE_TEST_SUITE_P(Contexts, AtExit, testing::Values("pointer", "object"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace upsweep
