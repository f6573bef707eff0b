// Candidates that a tune must survive, on a GPU: each ends as it should, the next one runs, and none of them wins.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <tuple>

#include <upsweep/error.hpp>

#include "base/median.hpp"
#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/space_points.hpp"
#include "tuner/measure/measurement.hpp"
#include "tuner/worker/backend.hpp"

namespace upsweep::tuner {
namespace {

class BadCandidates : public testing::Test {
 protected:
  // The faults of runs 2, 4, 6, ...
  [[nodiscard]] Backend& backend(const std::vector<std::string>& faults) {
    std::string text;
    for (std::size_t i = 0; i < faults.size(); ++i)
      text += (i > 0 ? "," : "") + faults[i] + "@" + std::to_string(2 * i + 2);
    ::setenv("UPSWEEP_WORKER_FAULTS", text.c_str(), 1);
    // The suite may run on a machine that it was not built on, with UPSWEEP_WORKER naming the command there.
    const std::string built = std::filesystem::exists(UPSWEEP_WORKER_COMMAND) ? UPSWEEP_WORKER_COMMAND : "";
    backend_.emplace(*test::gpu_engine(), problem, BackendOptions{.isolation = Isolation::worker, .worker = built});
    return *backend_;
  }
  ~BadCandidates() override { ::unsetenv("UPSWEEP_WORKER_FAULTS"); }  // later workers commit them too

  const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1 << 22);
  const Space space{problem, test::gpu_engine()->device().limits()};
  const Config standard = space.complete({"lookahead", {}});  // it has many neighbours, in parts of a GPU too
  const std::vector<Config> neighbours = test::neighbours(space, standard);
  const RunRequest request{.size = problem.size};
  std::optional<Backend> backend_;
};

TEST_F(BadCandidates, EachIsRecordedWithItsReasonAndTheNextRuns) {
  const std::vector<std::tuple<std::string, Verdict, std::string>> cases{
      {"loop", Verdict::hung, "no answer within"},
      {"outside", Verdict::crashed, "CUDA_ERROR_"},
      {"wrong", Verdict::wrong, "wrong at index 0: expected "},
      {"smem", Verdict::not_compiled, "shared"},
      {"crash", Verdict::crashed, "killed by signal 11"},
      {"hang", Verdict::hung, "no answer within"},
      {"lie", Verdict::wrong, "wrong at index "},
      {"oom", Verdict::out_of_memory, "memory"}};
  std::vector<std::string> faults;
  for (const auto& each : cases) faults.push_back(std::get<0>(each));
  Runner& runner = backend(faults).runner();

  ASSERT_GE(neighbours.size(), 2 * cases.size());
  const Outcome first = runner.run(standard, request);
  ASSERT_EQ(first.verdict, Verdict::measured) << first.failure;
  std::size_t next = 0;
  double best_us = base::median(first.samples_us);
  for (const auto& [fault, verdict, reason] : cases) {
    const Outcome bad = runner.run(neighbours[next++], request);
    EXPECT_EQ(bad.verdict, verdict) << fault << ": " << bad.failure;
    EXPECT_NE(bad.failure.find(reason), std::string::npos) << fault << ": " << bad.failure;
    EXPECT_TRUE(bad.samples_us.empty()) << fault;
    const Outcome good = runner.run(neighbours[next++], request);
    EXPECT_EQ(good.verdict, Verdict::measured) << "after " << fault << ": " << good.failure;
    best_us = std::min(best_us, base::median(good.samples_us));
  }
  const Outcome again = runner.run(standard, request);
  EXPECT_EQ(again.verdict, Verdict::measured) << again.failure;
  EXPECT_LT(base::median(again.samples_us), 3 * base::median(first.samples_us)) << "timed as before in the last worker";
  EXPECT_TRUE(std::isfinite(best_us));
}

// What the compile workers make, the runner finds: loading takes no compiler.
TEST_F(BadCandidates, CompilersWorkForTheRunner) {
  Backend& own = backend({});
  own.compilers().submit(neighbours[0]);
  const CompileResult compiled = own.compilers().wait();
  ASSERT_EQ(compiled.failure, "");
  EXPECT_GT(compiled.steps.at(0).registers, 0);
  const Outcome outcome = own.runner().run(neighbours[0], request);
  EXPECT_EQ(outcome.verdict, Verdict::measured) << outcome.failure;
  EXPECT_EQ(outcome.binary, compiled.binary);
}

}  // namespace
}  // namespace upsweep::tuner
