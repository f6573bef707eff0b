#include "runtime/engine.hpp"

#include <cstdlib>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>
#include <upsweep/log.hpp>
#include <upsweep/upsweep.hpp>

#include "generator/space.hpp"
#include "tests/runtime/engine_support.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/variable.hpp"
#include "tuning-db/database.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

TEST(Engine, OneCompileForOneKeyHoweverManyThreadsAsk) {
  Counted counted;
  runtime::Engine engine(counted.parts);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back([&] { (void)engine.plan(plain_sum(), nullptr); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counted.compiler->compilations, 1);
}

TEST(Engine, AFailedCompileIsTriedAgain) {
  Counted counted;
  counted.compiler->failures = 1;
  runtime::Engine engine(counted.parts);
  EXPECT_THROW((void)engine.plan(plain_sum(), nullptr), CompilerError);
  EXPECT_NO_THROW((void)engine.plan(plain_sum(), nullptr));
  EXPECT_EQ(counted.compiler->compilations, 2);
}

TEST(Engine, BinariesOutliveTheProcessAndDamageIsAMiss) {
  const test::TestFolder folder;
  const runtime::BinaryCache::Options cache{
      .directory = folder.path() / "cache", .max_bytes = 1 << 26, .enabled = true};
  const auto compilations = [&] {
    Counted counted(cache);
    runtime::Engine engine(counted.parts);
    const Plan plan = engine.plan(plain_sum(), nullptr);
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
  EXPECT_EQ(engine.plan(plain_sum(), nullptr).rung(), "built_in");
  Config config = Space(plain_sum(), engine.device().limits()).default_config();
  config.values["threads_per_block"] = 64;
  const Problem wide = plain_sum(Algorithm::inclusive_scan, Type::i64);
  {
    tuning_db::Database database(counted.parts.database, tuning_db::Database::Mode::read_write);
    for (const Problem& problem : {plain_sum(), wide}) {
      make_winner(database, engine, problem, config);
    }
  }
  EXPECT_EQ(engine.plan(plain_sum(), nullptr).rung(), "built_in") << "plans are kept until refresh";
  engine.refresh();
  const Plan plan = engine.plan(plain_sum(), nullptr);
  EXPECT_EQ(plan.rung(), "exact") << plan.explain();
  EXPECT_EQ(plan.config(), config);
  EXPECT_EQ(engine.plan(wide, nullptr).rung(), "exact") << "others are read when they are asked for";
  EXPECT_EQ(engine.plan(plain_sum(Algorithm::inclusive_scan, Type::u32), nullptr).rung(), "type_class");
}

// Each density has its own winners, so that plans are kept apart.
TEST(Engine, PlansOfTwoDensitiesAreTwo) {
  const test::TestFolder folder;
  Counted counted;
  counted.parts.database = folder.path() / "tuning.db";
  runtime::Engine engine(counted.parts);
  Problem any = make_problem(Algorithm::unique_by_key, Operator::equal_to, Type::i32, Type::u64, 1000), few = any,
          all = any;
  few.density = Density::few;
  all.density = Density::all;
  Config config = Space(few, engine.device().limits()).default_config();
  config.values["threads_per_block"] = 64;
  {
    tuning_db::Database database(counted.parts.database, tuning_db::Database::Mode::read_write);
    make_winner(database, engine, few, config);
  }
  for (int i = 0; i < 2; ++i) {
    const Plan plan = engine.plan(few, nullptr);
    EXPECT_EQ(plan.rung(), "exact") << plan.explain();
    EXPECT_EQ(plan.config(), config);
    EXPECT_EQ(engine.plan(all, nullptr).rung(), "type_class");
    EXPECT_EQ(engine.plan(any, nullptr).rung(), "type_class");
    EXPECT_EQ(engine.plan(all, nullptr).problem(), all);
  }
  const std::string told = engine.plan(few, nullptr).explain();
  EXPECT_NE(told.find("--key-type u32 --density 0.01 --size 1000"), std::string::npos) << told;
}

TEST(Engine, ForcedConfig) {
  const auto forced = [](const char* value) {
    const test::Variable force("UPSWEEP_FORCE_CONFIG", value);
    return Context({.device = "host", .database = "none"}).plan(plain_sum());
  };
  const Plan plan = forced(R"({"schedule":"chained","threads_per_block":96})");
  EXPECT_EQ(plan.rung(), "forced");
  EXPECT_EQ(plan.config().integer("threads_per_block"), 96);
  EXPECT_EQ(forced("chained, threads_per_block=96").config(), plan.config());
  const auto message = [&](const char* value) { return test::message_of<UsageError>([&] { (void)forced(value); }); };
  EXPECT_TRUE(message(R"({"schedule":"warp_speed"})")
                  .starts_with("UPSWEEP_FORCE_CONFIG: unknown schedule 'warp_speed' for inclusive_scan: use one of"));
  EXPECT_NE(message("/nowhere/config.json").find("cannot read"), std::string::npos);
  EXPECT_TRUE(message("lokback").starts_with("UPSWEEP_FORCE_CONFIG: the config 'lokback' is neither a schedule nor"));
  EXPECT_TRUE(message("{}}").starts_with("UPSWEEP_FORCE_CONFIG: a config is a JSON object"));
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
  const Plan large = context.plan(plain_sum(Algorithm::inclusive_scan, Type::f32, 1 << 24));
  EXPECT_TRUE(large.reproducible());
  EXPECT_EQ(large.config().schedule, "lookahead");
  EXPECT_EQ(large.config().name("order"), "strided");
  // Where the space takes look-back, whose association depends on timing.
  const Plan middle = context.plan(plain_sum(Algorithm::inclusive_scan, Type::f32, 1 << 16));
  EXPECT_TRUE(middle.reproducible());
  EXPECT_EQ(middle.config().schedule, "all_aggregates");
}

TEST(Plan, BringYourOwnWorkspace) {
  const auto engine = test::host_engine();
  runtime::Device& device = engine->device();
  const Plan plan = engine->plan(plain_sum(Algorithm::inclusive_scan, Type::i32, 1 << 20), nullptr);
  const Plan other = engine->plan(plain_sum(Algorithm::inclusive_scan, Type::i64, 1 << 20), nullptr);
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
  const Plan plan = engine->plan(plain_sum(), nullptr);
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
