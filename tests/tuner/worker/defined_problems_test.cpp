// A type, an operator and an algorithm that the tests define go the whole way: they are verified, tuned, remembered,
// chosen, exported and imported.
#include <upsweep/tune.hpp>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <upsweep/context.hpp>

#include "generator/space.hpp"
#include "runtime/engine.hpp"
#include "runtime/host/host_compiler.hpp"
#include "runtime/host/host_device.hpp"
#include "tests/support/defined.hpp"
#include "tests/support/editing_compiler.hpp"
#include "tests/support/patience.hpp"
#include "tests/support/two_steps.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tuner/tune_engine.hpp"
#include "tuner/verify/data.hpp"
#include "tuner/worker/in_process_runner.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Database;
using tuning_db::Trial;

constexpr std::uint64_t defined_size = 3000;

std::shared_ptr<runtime::Engine> host_engine(const std::filesystem::path& database) {
  return runtime::Engine::open({.device = "host", .database = database.string(), .record_wanted = false});
}

TuneReport tuned(runtime::Engine& engine, const Problem& problem, Isolation isolation) {
  TuneOptions options;
  options.sizes = {defined_size};
  options.maximum_trials = 4;
  options.isolation = isolation;
  options.worker = UPSWEEP_WORKER_COMMAND;
  options.compile_jobs = 1;
  options.budget = std::chrono::seconds(20) * test::patience;
  return tune(engine, problem, options);
}

void expect_exact(runtime::Engine& engine, const Problem& problem, const Config& winner) {
  const Plan plan = engine.plan(problem, nullptr);
  EXPECT_EQ(plan.rung(), "exact") << plan.reason();
  EXPECT_EQ(plan.config(), winner);
}

void goes_the_whole_way(const Problem& problem, Isolation isolation) {
  SCOPED_TRACE(to_string(problem));
  const test::TestFolder folder;
  const auto engine = host_engine(folder / "tuning.db");
  EXPECT_EQ(engine->plan(problem, nullptr).rung(), "built_in");
  const TuneReport report = tuned(*engine, problem, isolation);
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(report.sizes[0].failures, 0);
  expect_exact(*engine, problem, report.sizes[0].winner);
  for (const Trial& trial : Database(folder / "tuning.db", Database::Mode::read_only).trials()) {
    EXPECT_EQ(trial.failure, "") << to_json(trial.config);
  }

  const std::string exported = export_json(Database(folder / "tuning.db", Database::Mode::read_only), {});
  EXPECT_EQ(exported.find("__device__"), std::string::npos) << "names and hashes only, never text";
  {
    Database other(folder / "other.db", Database::Mode::read_write);
    EXPECT_GT(import_json(other, exported).trials_added, 0u);
  }
  expect_exact(*host_engine(folder / "other.db"), problem, report.sizes[0].winner);
}

TEST(DefinedProblems, ATypeAndAnOperatorGoTheWholeWay) {
  goes_the_whole_way(test::problem_of<test::Vector3>(Algorithm::inclusive_scan, defined_size), Isolation::in_process);
}

TEST(DefinedProblems, AnAlgorithmGoesTheWholeWay) {
  goes_the_whole_way(make_problem(test::negated_scan(), plus, Type::i32, Type::i32, defined_size),
                     Isolation::in_process);
}

// A schedule of two steps over a state and scratch: each of its configs is verified and measured, and one is chosen.
TEST(DefinedProblems, TwoStepsGoTheWholeWay) {
  const Problem problem = test::two_step_problem(defined_size);
  const test::TestFolder folder;
  const auto engine = host_engine(folder / "tuning.db");
  TuneOptions options;
  options.sizes = {defined_size};
  options.only.schedules = {"two_steps"};
  options.isolation = Isolation::in_process;
  options.compile_jobs = 1;
  options.budget = std::chrono::seconds(20) * test::patience;
  const TuneReport report = tune(*engine, problem, options);
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(report.sizes[0].failures, 0);
  EXPECT_EQ(report.sizes[0].winner.schedule, "two_steps");
  expect_exact(*engine, problem, report.sizes[0].winner);
  EXPECT_EQ(engine->plan(problem, nullptr).steps(), 2u);
  std::set<std::string> binaries;
  for (const Trial& trial : Database(folder / "tuning.db", Database::Mode::read_only).trials()) {
    EXPECT_EQ(trial.failure, "") << to_json(trial.config);
    binaries.insert(trial.binary);
  }
  EXPECT_GE(binaries.size(), 3u) << "of three sizes of tiles";
}

// A second step that does not use what the first one wrote, but what it happened to find.
TEST(DefinedProblems, StepsThatDoNotFitTogetherAreFoundOut) {
  const Problem problem = test::two_step_problem(defined_size);
  const auto host = std::make_shared<runtime::HostDevice>();
  const auto compiler = std::make_shared<test::EditingCompiler>(
      std::make_shared<runtime::HostCompiler>(), "without_folds", [](std::string& text) {
        const std::string store = "arguments.tile_folds[block_index()] = fold;";
        if (text.find(store) != std::string::npos) test::replace_once(text, store, "static_cast<void>(fold);");
      });
  runtime::Engine engine({.device = host, .compiler = compiler, .cache = {.directory = {}, .enabled = false}});
  InProcessRunner runner(engine, problem, 1);
  const Outcome outcome = runner.run(test::two_step_config(64), {.size = defined_size});
  EXPECT_EQ(outcome.verdict, Verdict::wrong);
}

TEST(DefinedProblems, WorkersKnowThemToo) {
  goes_the_whole_way(test::problem_of<test::Map>(Algorithm::reduce, defined_size), Isolation::worker);
}

TEST(DefinedProblems, PaddingIsNoPartOfAResult) {
  goes_the_whole_way(test::problem_of<test::Padded>(Algorithm::reduce, defined_size), Isolation::in_process);
}

// The winner of a built-in type of the same defined_size does not serve, nor that of another operator.
TEST(DefinedProblems, OtherProblemsDoNotServe) {
  const test::TestFolder folder;
  const auto engine = host_engine(folder / "tuning.db");
  const Problem of_words = make_problem(Algorithm::inclusive_scan, plus, Type::u64, Type::u64, defined_size);
  (void)tuned(*engine, of_words, Isolation::in_process);
  EXPECT_EQ(engine->plan(test::problem_of<test::Map>(Algorithm::inclusive_scan, defined_size), nullptr).rung(),
            "built_in");
}

// Another operator under the same name is another problem.
TEST(DefinedProblems, AChangedTextIsAnotherProblem) {
  const test::TestFolder folder;
  const auto engine = host_engine(folder / "tuning.db");
  const Problem problem = test::problem_of<test::Map>(Algorithm::inclusive_scan, defined_size);
  (void)tuned(*engine, problem, Isolation::in_process);
  OperatorDefinition changed = *definition_of(problem.op);
  changed.text += "\n// another";
  Problem other = problem;
  other.op = define_operator(changed);
  EXPECT_EQ(engine->plan(other, nullptr).rung(), "built_in");
}

}  // namespace
}  // namespace upsweep::tuner
