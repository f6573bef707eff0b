#include "runtime/engine.hpp"
#include "tests/support/test_folder.hpp"

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>
#include <upsweep/log.hpp>
#include <upsweep/upsweep.hpp>

#include "generator/space.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tuning-db/database.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

Problem sum(Algorithm algorithm = Algorithm::inclusive_scan, Type type = Type::i32, std::uint64_t size = 1000) {
  return make_problem(algorithm, Operator::plus, type, type, size);
}

// Counts compilations; fails as often as it is told to.
class CountingCompiler : public runtime::Compiler {
 public:
  [[nodiscard]] std::string version() const override { return inner_.version(); }
  [[nodiscard]] std::string options() const override { return inner_.options(); }
  [[nodiscard]] runtime::Compiled compile(const Source& source, const std::string& architecture) override {
    ++compilations;
    if (failures > 0) {
      --failures;
      throw CompilerError("told to fail");
    }
    return inner_.compile(source, architecture);
  }
  std::atomic<int> compilations{0};
  std::atomic<int> failures{0};

 private:
  runtime::HostCompiler inner_;
};

struct Counted {
  std::shared_ptr<CountingCompiler> compiler = std::make_shared<CountingCompiler>();
  runtime::Engine::Parts parts;
  explicit Counted(runtime::BinaryCache::Options cache = {.directory = {}, .max_bytes = 0, .enabled = false}) {
    parts.device = std::make_shared<runtime::HostDevice>();
    parts.compiler = compiler;
    parts.cache = std::move(cache);
  }
};

TEST(Engine, OneCompileForOneKeyHoweverManyThreadsAsk) {
  Counted counted;
  runtime::Engine engine(counted.parts);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back([&] { (void)engine.plan(sum(), nullptr); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counted.compiler->compilations, 1);
}

TEST(Engine, AFailedCompileIsTriedAgain) {
  Counted counted;
  counted.compiler->failures = 1;
  runtime::Engine engine(counted.parts);
  EXPECT_THROW((void)engine.plan(sum(), nullptr), CompilerError);
  EXPECT_NO_THROW((void)engine.plan(sum(), nullptr));
  EXPECT_EQ(counted.compiler->compilations, 2);
}

TEST(Engine, BinariesOutliveTheProcessAndDamageIsAMiss) {
  const test::TestFolder folder;
  const runtime::BinaryCache::Options cache{
      .directory = folder.path() / "cache", .max_bytes = 1 << 26, .enabled = true};
  const auto compilations = [&] {
    Counted counted(cache);
    runtime::Engine engine(counted.parts);
    const Plan plan = engine.plan(sum(), nullptr);
    EXPECT_EQ(test::run_and_compare(engine.device(), plan, 777, test::Data::random, 1), std::nullopt);
    return counted.compiler->compilations.load();
  };
  EXPECT_EQ(compilations(), 1);
  EXPECT_EQ(compilations(), 0);
  for (const auto& entry : fs::directory_iterator(cache.directory))
    fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
  EXPECT_EQ(compilations(), 1);
  EXPECT_EQ(compilations(), 0);
}

TEST(Engine, PicksUpWinnersOfTheDatabase) {
  const test::TestFolder folder;
  Counted counted;
  counted.parts.database = folder.path() / "tuning.db";
  runtime::Engine engine(counted.parts);
  EXPECT_EQ(engine.plan(sum(), nullptr).rung(), "built_in");
  Config config = Space(sum(), engine.device().limits()).default_config();
  config.values["threads_per_block"] = 64;
  const Problem wide = sum(Algorithm::inclusive_scan, Type::i64);
  {
    tuning_db::Database database(counted.parts.database, tuning_db::Database::Mode::read_write);
    for (const Problem& problem : {sum(), wide}) {
      database.set_winner(database.record({.device = engine.device().identity(),
                                           .environment = engine.environment(),
                                           .problem = problem,
                                           .config = config,
                                           .samples_us = {1, 2, 3},
                                           .failure = ""}));
    }
  }
  EXPECT_EQ(engine.plan(sum(), nullptr).rung(), "built_in") << "plans are kept until refresh";
  engine.refresh();
  const Plan plan = engine.plan(sum(), nullptr);
  EXPECT_EQ(plan.rung(), "exact") << plan.explain();
  EXPECT_EQ(plan.config(), config);
  EXPECT_EQ(engine.plan(wide, nullptr).rung(), "exact") << "others are read when they are asked for";
  EXPECT_EQ(engine.plan(sum(Algorithm::inclusive_scan, Type::u32), nullptr).rung(), "type_class");
}

// ---- databases that cannot be used

// The warnings of a scope.
class Warnings {
 public:
  Warnings() : before_(set_log_sink([this](LogLevel, const std::string& text) { texts_.push_back(text); })) {}
  ~Warnings() { set_log_sink(std::move(before_)); }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  LogSink before_;
};

std::vector<Problem> several_problems() {
  std::vector<Problem> problems;
  for (const Type type : {Type::i32, Type::f32, Type::u8, Type::f64}) {
    for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
      problems.push_back(sum(algorithm, type));
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
      EXPECT_EQ(engine.plan(sum(), nullptr).rung(), "built_in");
      engine.refresh();
      (void)engine.choose(sum());
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
    EXPECT_EQ(engine.choose(sum()).rung, tuning_db::Rung::built_in);
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
  const Problem later = sum(Algorithm::reduce, Type::u16);
  {
    tuning_db::Database database(counted.parts.database, tuning_db::Database::Mode::read_write);
    database.set_winner(database.record({.device = runtime::HostDevice().identity(),
                                         .environment = {"", counted.compiler->version(), generator_version()},
                                         .problem = later,
                                         .config = Space(later, runtime::HostDevice().limits()).default_config(),
                                         .samples_us = {1, 2, 3},
                                         .failure = ""}));
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

TEST(Engine, ForcedConfig) {
  setenv("UPSWEEP_FORCE_CONFIG", R"({"schedule":"chained","threads_per_block":96})", 1);
  Context context({.device = "host", .database = "none"});
  const Plan plan = context.plan(sum());
  EXPECT_EQ(plan.rung(), "forced");
  EXPECT_EQ(plan.config().integer("threads_per_block"), 96);
  setenv("UPSWEEP_FORCE_CONFIG", "chained, threads_per_block=96", 1);
  EXPECT_EQ(Context({.device = "host", .database = "none"}).plan(sum()).config(), plan.config());
  const auto message = [](const char* value) -> std::string {
    setenv("UPSWEEP_FORCE_CONFIG", value, 1);
    try {
      Context forced({.device = "host", .database = "none"});
      (void)forced.plan(sum());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_TRUE(message(R"({"schedule":"warp_speed"})")
                  .starts_with("UPSWEEP_FORCE_CONFIG: unknown schedule 'warp_speed' for inclusive_scan: use one of"));
  EXPECT_NE(message("/nowhere/config.json").find("cannot read"), std::string::npos);
  EXPECT_TRUE(message("lokback").starts_with("UPSWEEP_FORCE_CONFIG: the config 'lokback' is neither a schedule nor"));
  EXPECT_TRUE(message("{}}").starts_with("UPSWEEP_FORCE_CONFIG: a config is a JSON object"));
  unsetenv("UPSWEEP_FORCE_CONFIG");
}

TEST(Engine, LaunchesAsTheRuleSaysAndTheContextAllows) {
  const LaunchRule rule{
      .threads_per_block = 96, .shared_bytes = 7, .cluster_blocks = 4, .cooperative = true, .dependent = true};
  for (const bool allowed : {false, true}) {
    const runtime::Launch launch = runtime::launch_of(rule, allowed);
    EXPECT_EQ(launch.threads_per_block, 96);
    EXPECT_EQ(launch.shared_bytes, 7);
    EXPECT_EQ(launch.cluster_blocks, 4);
    EXPECT_TRUE(launch.cooperative);
    EXPECT_EQ(launch.dependent, allowed);
  }
  EXPECT_FALSE(runtime::launch_of({}, true).dependent);
}

TEST(Engine, UnknownDevices) {
  EXPECT_THROW(Context({.device = "gpu", .database = "none"}), UsageError);
  EXPECT_THROW(Context({.device = "cuda:x", .database = "none"}), UsageError);
}

TEST(Engine, ReproducibleOnDemand) {
  Context context({.device = "host", .database = "none", .reproducible = true});
  const Plan large = context.plan(sum(Algorithm::inclusive_scan, Type::f32, 1 << 24));
  EXPECT_TRUE(large.reproducible());
  EXPECT_EQ(large.config().schedule, "lookahead");
  EXPECT_EQ(large.config().name("order"), "strided");
  // Where the space takes look-back, whose association depends on timing.
  const Plan middle = context.plan(sum(Algorithm::inclusive_scan, Type::f32, 1 << 16));
  EXPECT_TRUE(middle.reproducible());
  EXPECT_EQ(middle.config().schedule, "all_aggregates");
}

TEST(Plan, BringYourOwnWorkspace) {
  const auto engine = test::host_engine();
  runtime::Device& device = engine->device();
  const Plan plan = engine->plan(sum(Algorithm::inclusive_scan, Type::i32, 1 << 20), nullptr);
  const Plan other = engine->plan(sum(Algorithm::inclusive_scan, Type::i64, 1 << 20), nullptr);
  const std::uint64_t n = 20'000;
  runtime::Buffer memory(device, plan.workspace_bytes(n)), in(device, n * 4), out(device, n * 4);
  device.fill(memory.data(), 0xff, memory.bytes(), nullptr);
  const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
  const auto input = test::make_data(plan.problem(), n, test::Data::random, 3);
  device.copy_to_device(in.data(), input.data(), input.size(), nullptr);
  const Scalar zero = Scalar::of(0);
  for (int i = 0; i < 3; ++i) plan.run(in.data(), out.data(), n, zero, nullptr, workspace);
  EXPECT_EQ(test::difference(Type::i32, test::expected(plan.problem(), input, n, zero),
                             {static_cast<const std::byte*>(out.data()), n * 4}),
            std::nullopt);
  EXPECT_THROW(plan.run(in.data(), out.data(), 100 * n, zero, nullptr, workspace), UsageError) << "too small";
  EXPECT_THROW(other.run(in.data(), out.data(), 10, Scalar::of(0ll), nullptr, workspace), UsageError) << "other layout";
  EXPECT_THROW((void)plan.borrow_workspace(static_cast<char*>(memory.data()) + 8, 256), UsageError) << "alignment";
  EXPECT_THROW(plan.run(in.data(), out.data(), n, Scalar::of(0.0f)), UsageError) << "type of the initial value";
}

TEST(Plan, OutlivesItsContext) {
  auto engine = test::host_engine();
  const Plan plan = engine->plan(sum(), nullptr);
  const auto device = std::make_shared<runtime::HostDevice>();
  engine.reset();
  EXPECT_EQ(test::run_and_compare(*device, plan, 5000, test::Data::random, 1), std::nullopt);
}

TEST(Context, DeducesTypesAndTakesInitialValues) {
  Context context({.device = "host", .database = "none"});
  const std::vector<unsigned char> input{200, 100, 50, 250};
  std::vector<unsigned long> sums(4);
  context.inclusive_scan(input.data(), sums.data(), 4);
  EXPECT_EQ(sums, (std::vector<unsigned long>{200, 300, 350, 600}));
  context.exclusive_scan(input.data(), sums.data(), 4, upsweep::plus, 10ul);
  EXPECT_EQ(sums, (std::vector<unsigned long>{10, 210, 310, 360}));
  context.exclusive_scan(input.data(), sums.data(), 4);
  EXPECT_EQ(sums, (std::vector<unsigned long>{0, 200, 300, 350}));
  unsigned long best = 0;
  context.reduce(input.data(), &best, 4, upsweep::maximum);
  EXPECT_EQ(best, 250u);
  context.reduce(input.data(), &best, 4, upsweep::maximum, 1000ul);
  EXPECT_EQ(best, 1000u);
  context.reduce(input.data(), &best, 0, upsweep::plus, 42ul);
  EXPECT_EQ(best, 42u) << "a reduce of nothing is the initial value";
  context.inclusive_scan(input.data(), sums.data(), 0);
}

}  // namespace
}  // namespace upsweep
