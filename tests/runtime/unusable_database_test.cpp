// Databases that an engine cannot use: one warning, and the built-in configs serve.
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/runtime/engine_support.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/warnings.hpp"
#include "tuning-db/database.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;
using test::Warnings;

std::vector<Problem> several_problems() {
  std::vector<Problem> problems;
  for (const Type type : {Type::i32, Type::f32, Type::u8, Type::f64}) {
    for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
      problems.push_back(plain_sum(algorithm, type));
    }
  }
  return problems;
}

TEST(Engine, ADatabaseThatCannotBeUsedIsOneWarning) {
  const test::TestFolder folder;
  std::ofstream(folder.path() / "notes.txt") << "this is no database";
  fs::create_directory(folder.path() / "folder");
  fs::create_symlink("loop", folder.path() / "loop");
  for (const char* name : {"notes.txt", "folder", "loop", "loop/tuning.db"}) {
    Counted counted;
    counted.parts.database = folder.path() / name;
    counted.parts.record_wanted = true;
    const Warnings warnings;
    {
      runtime::Engine engine(counted.parts);
      for (const Problem& problem : several_problems())
        EXPECT_EQ(engine.choose(problem).rung, tuning_db::Rung::built_in);
      EXPECT_EQ(engine.plan(plain_sum(), nullptr).rung(), "built_in");
      engine.refresh();
      (void)engine.choose(plain_sum());
    }
    ASSERT_EQ(warnings.texts().size(), 1u) << name;
    EXPECT_TRUE(warnings.texts()[0].starts_with("your own tuning results are not used: ")) << warnings.texts()[0];
    EXPECT_NE(warnings.texts()[0].find(name), std::string::npos) << warnings.texts()[0];
  }
}

TEST(Engine, ADatabaseThatIsNotThereYetIsNoWarning) {
  const test::TestFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  for (const char* name : {"none/tuning.db", "file/tuning.db"}) {
    Counted counted;
    counted.parts.database = folder.path() / name;
    const Warnings warnings;
    runtime::Engine engine(counted.parts);
    EXPECT_EQ(engine.choose(plain_sum()).rung, tuning_db::Rung::built_in);
    EXPECT_TRUE(warnings.texts().empty()) << warnings.texts()[0];
  }
}

// As of a user whose HOME is another's: 0 if one warning says so and the default serves.
int choose_below(const fs::path& closed) {
  if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return 100;  // root may enter everything
  Counted counted;
  counted.parts.database = closed / "tuning.db";
  const Warnings warnings;
  runtime::Engine engine(counted.parts);
  for (const Problem& problem : several_problems()) {
    if (engine.choose(problem).rung != tuning_db::Rung::built_in) return 101;
  }
  if (warnings.texts().size() != 1) return 102;
  return warnings.texts()[0].find("Permission denied") != std::string::npos ? 0 : 103;
}

TEST(Engine, AFolderThatMayNotBeEnteredIsOneWarning) {
  const test::TestFolder folder;
  const fs::path closed = folder.path() / "closed";
  fs::create_directory(closed);
  fs::permissions(closed, fs::perms::none);
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 104;
    try {
      code = choose_below(closed);
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
    }
    ::_exit(code);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Holds a database as another process would that writes, until the end of the scope.
class Holder {
 public:
  explicit Holder(const fs::path& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle_, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { sqlite3_close(handle_); }

 private:
  sqlite3* handle_ = nullptr;
};

TEST(Engine, ALockedDatabaseIsWaitedForOnceAndShortly) {
  const test::TestFolder folder;
  Counted counted;
  counted.parts.database = folder.path() / "tuning.db";
  const Problem later = plain_sum(Algorithm::reduce, Type::u16);
  {
    tuning_db::Database database(counted.parts.database, tuning_db::Database::Mode::read_write);
    make_winner(database, runtime::Engine(counted.parts), later,
                Space(later, runtime::HostDevice().limits()).default_config());
  }
  const Warnings warnings;
  runtime::Engine engine(counted.parts);
  {
    const Holder holder(counted.parts.database);
    const auto begin = std::chrono::steady_clock::now();
    for (const Problem& problem : several_problems()) EXPECT_EQ(engine.choose(problem).rung, tuning_db::Rung::built_in);
    EXPECT_EQ(engine.choose(later).rung, tuning_db::Rung::built_in);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
  }
  ASSERT_EQ(warnings.texts().size(), 1u);
  EXPECT_NE(warnings.texts()[0].find("database is locked"), std::string::npos) << warnings.texts()[0];
  EXPECT_EQ(engine.choose(later).rung, tuning_db::Rung::exact) << "read when it can be read";
}

}  // namespace
}  // namespace upsweep
