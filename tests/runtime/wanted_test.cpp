// What an engine notes of calls that ran untuned, pinned databases, and whose results go first.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>
#include <upsweep/upsweep.hpp>

#include "generator/space.hpp"
#include "runtime/engine.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/variable.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using tuning_db::Database;
using tuning_db::Rung;

// Compiles nothing that is ever run.
class NoCompiler final : public runtime::Compiler {
 public:
  std::string version() const override { return "none 1"; }
  std::string options() const override { return {}; }
  runtime::Compiled compile(const Source& source, const std::string&) override { return inner_.compile(source, {}); }

 private:
  runtime::HostCompiler inner_;
};

class WantedTest : public testing::Test {
 protected:
  [[nodiscard]] runtime::Engine::Parts parts(bool record = true) const {
    runtime::Engine::Parts parts;
    parts.device = device_;
    parts.compiler = compiler_;
    parts.cache = {.directory = {}, .max_bytes = 0, .enabled = false};
    parts.database = path_;
    parts.record_wanted = record;
    return parts;
  }
  [[nodiscard]] std::vector<tuning_db::Wanted> noted() const {
    if (!fs::exists(path_)) return {};
    return Database(path_, Database::Mode::read_only).wanted();
  }
  static Problem problem(std::uint64_t size = 1000) {
    return make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, size);
  }
  // Makes a config of the problem's the winner on this device, now or in a while.
  void win(const fs::path& path, std::int64_t threads, const std::string& compiler = "none 1",
           const std::string& measured_at = "2026-11-21T06:58:00Z") {
    tuning_db::Trial trial;
    trial.device = device_->identity();
    trial.environment = {device_->driver_version(), compiler, generator_version()};
    trial.problem = problem();
    trial.config = Space(trial.problem, device_->limits()).default_config();
    trial.config.values["threads_per_block"] = threads;
    trial.samples_us = {5.0};
    trial.measured_at = measured_at;
    Database database(path, Database::Mode::read_write);
    database.set_winner(database.record(trial));
  }
  static std::int64_t threads_of(const tuning_db::Choice& choice) { return choice.config.integer("threads_per_block"); }

  std::shared_ptr<runtime::HostDevice> device_ = std::make_shared<runtime::HostDevice>();
  std::shared_ptr<NoCompiler> compiler_ = std::make_shared<NoCompiler>();
  test::TestFolder folder_;
  fs::path path_ = folder_ / "tuning.db";
};

TEST_F(WantedTest, NotesWhatRanUntunedWhenItCloses) {
  {
    runtime::Engine engine(parts());
    (void)engine.plan(problem(), nullptr);
    (void)engine.plan(problem(1001), nullptr);  // the same plan
    EXPECT_THAT(noted(), IsEmpty()) << "no call waits for a disk";
  }
  ASSERT_EQ(noted().size(), 1u);
  EXPECT_EQ(noted()[0].problem, problem());
  EXPECT_EQ(noted()[0].count, 1u);
  EXPECT_EQ(noted()[0].rung, "built_in");
  EXPECT_EQ(noted()[0].device, device_->identity());
}

TEST_F(WantedTest, NotesEverySixteenthPlan) {
  runtime::Engine engine(parts());
  for (int i = 0; i < 16; ++i) {
    EXPECT_THAT(noted(), IsEmpty());
    engine.refresh();  // forgets the plan, so that it is made again
    (void)engine.plan(problem(), nullptr);
  }
  ASSERT_EQ(noted().size(), 1u);
  EXPECT_EQ(noted()[0].count, 16u);
}

TEST_F(WantedTest, NotesNothingThatIsTunedForcedOrOnlyLookedAt) {
  win(path_, 64);
  {
    runtime::Engine engine(parts());
    EXPECT_EQ(engine.choose(problem()).rung, Rung::exact);
    (void)engine.plan(problem(), nullptr);
    (void)engine.choose(problem(1 << 14));
    const Problem other = problem(1 << 12);
    (void)engine.plan(other, Space(other, device_->limits()).default_config(), nullptr);
  }
  EXPECT_THAT(noted(), IsEmpty());
}

TEST_F(WantedTest, IsOffByAnOption) {
  { (void)runtime::Engine(parts(false)).plan(problem(), nullptr); }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(WantedTest, CannotFailACall) {
  std::ofstream(path_) << "no database";
  runtime::Engine::Parts own = parts();
  own.database = folder_ / "tuning.db" / "below.db";  // below a file
  {
    runtime::Engine engine(std::move(own));
    for (int i = 0; i < 40; ++i) {
      engine.refresh();
      EXPECT_NO_THROW((void)engine.plan(problem(), nullptr));
    }
  }
  EXPECT_EQ(fs::file_size(path_), 11u);
}

TEST_F(WantedTest, AHugeRequestDoesNotTakeOthersAlong) {
  {
    runtime::Engine engine(parts());
    for (const std::uint64_t size : {std::uint64_t{1} << 63, std::uint64_t{1000}, ~std::uint64_t{0}}) {
      (void)engine.plan(problem(size), nullptr);
    }
  }
  ASSERT_EQ(noted().size(), 1u);
  EXPECT_EQ(noted()[0].problem, problem());
}

// ---- environments

TEST_F(WantedTest, ResultsOfTheCurrentCompilerGoFirst) {
  win(path_, 64, "none 1", "2026-01-01T00:00:00Z");
  win(path_, 128, "none 2", "2026-06-01T00:00:00Z");
  runtime::Engine engine(parts());
  EXPECT_EQ(threads_of(engine.choose(problem())), 64);
  EXPECT_EQ(engine.choose(problem()).considered.size(), 2u);
}

// ---- pinned

TEST_F(WantedTest, PinnedDatabaseAloneDecides) {
  win(path_, 64);
  win(folder_ / "pinned.db", 128, "none 2");
  runtime::Engine::Parts own = parts();
  own.pinned = folder_ / "pinned.db";
  {
    runtime::Engine engine(own);
    EXPECT_EQ(threads_of(engine.choose(problem())), 128);
    EXPECT_THAT(engine.choose(problem()).reason, HasSubstr("pinned database: tuned on this device"));
    win(folder_ / "pinned.db", 256, "none 2");
    engine.refresh();
    EXPECT_EQ(threads_of(engine.choose(problem())), 128) << "read once";
    (void)engine.plan(problem(1 << 14), nullptr);
  }
  EXPECT_THAT(noted(), IsEmpty());
  win(folder_ / "newest.db", 64, "none 1", "2026-01-01T00:00:00Z");
  win(folder_ / "newest.db", 128, "none 2", "2026-06-01T00:00:00Z");
  own.pinned = folder_ / "newest.db";
  EXPECT_EQ(threads_of(runtime::Engine(own).choose(problem())), 128) << "the same with whatever compiler";
}

TEST_F(WantedTest, PinnedFileThatIsMissingIsAnError) {
  EXPECT_THROW(Context({.device = "host", .database = "none", .pinned_database = folder_ / "none.db"}), DatabaseError);
  const test::Variable pinned("UPSWEEP_PINNED_DB", (folder_ / "none.json").string());
  EXPECT_THROW(Context({.device = "host", .database = "none"}), DatabaseError);
}

TEST_F(WantedTest, VariableSwitchesNotingOff) {
  for (const char* value : {"off", "on"}) {
    const test::Variable record("UPSWEEP_RECORD", value);
    { (void)Context({.device = "host", .database = path_}).plan(problem()); }
    EXPECT_EQ(noted().size(), std::string_view(value) == "on" ? 1u : 0u);
    EXPECT_EQ(fs::exists(path_), std::string_view(value) == "on");
  }
  const test::Variable wrong("UPSWEEP_RECORD", "maybe");
  EXPECT_THROW(Context({.device = "host", .database = path_}), UsageError);
}

}  // namespace
}  // namespace upsweep
