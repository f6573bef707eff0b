// The real host device and compiler, from the public header in to a new context's plan.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/context.hpp>
#include <upsweep/tune.hpp>

#include "tests/support/test_folder.hpp"
#include "tests/tuner/rows.hpp"

namespace upsweep::tuner {
namespace {

TEST(TuneOnTheHost, ANewContextUsesTheWinner) {
  test::TestFolder folder;
  const std::string path = folder / "tuning.db";
  const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1 << 10);
  TuneOptions options;
  options.sizes = {1 << 10};
  options.maximum_trials = 5;
  Config winner;
  {
    Context context({.device = "host", .database = path});
    const TuneReport report = upsweep::tune(context, problem, options);
    ASSERT_EQ(report.sizes.size(), 1u);
    winner = report.sizes[0].winner;
    EXPECT_EQ(report.sizes[0].trials, 5);
    EXPECT_EQ(report.sizes[0].failures, 0);
    EXPECT_GT(report.sizes[0].winner_us, 0);
    EXPECT_EQ(context.plan(problem).rung(), "exact") << "the same context picks it up as well";
  }
  for (const tuning_db::Trial& trial : rows(path)) {
    if (trial.verdict !=
        tuning_db::Verdict::pruned) {  // for the same machine code as another config's, as compilers differ
      EXPECT_EQ(trial.failure, "");
    }
    EXPECT_EQ(trial.device.name, "host");
  }
  Context context({.device = "host", .database = path});
  const Plan plan = context.plan(problem);
  EXPECT_EQ(plan.rung(), "exact");
  EXPECT_EQ(plan.config(), winner);
  std::vector<int> in(1000, 1), out(1000);
  context.inclusive_scan(in.data(), out.data(), in.size());
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(out[i], i + 1);
}

// The default has a kernel for three columns of one array: all calls of a tune have these.
TEST(TuneOnTheHost, AFewColumnsOfOneArray) {
  test::TestFolder folder;
  Context context({.device = "host", .database = folder / "tuning.db"});
  const Problem problem =
      along_axis(make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32), axis(1, 3000, 3));
  TuneOptions options;
  options.sizes = {problem.size};
  options.maximum_trials = 4;
  options.only.schedules = {"lookahead"};
  const TuneReport report = upsweep::tune(context, problem, options);
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(report.sizes[0].failures, 0);
  EXPECT_EQ(report.sizes[0].winner.schedule, "lookahead");
}

TEST(TuneOnTheHost, AReduceOfFloats) {
  test::TestFolder folder;
  Context context({.device = "host", .database = folder / "tuning.db"});
  TuneOptions options;
  options.sizes = {1 << 10};
  options.maximum_trials = 3;
  const TuneReport report =
      upsweep::tune(context, make_problem(Algorithm::reduce, plus, Type::f16, Type::f16), options);
  ASSERT_EQ(report.sizes.size(), 1u);
  EXPECT_EQ(report.sizes[0].failures, 0);
}

// The calls that are verified have segments that begin behind the first item, and no offset above their number of
// items.
TEST(TuneOnTheHost, AllSchedulesOfSegments) {
  for (const auto& [algorithm, schedule] :
       {std::pair(Algorithm::reduce, "segment_pieces"), std::pair(Algorithm::reduce, "merge_path"),
        std::pair(Algorithm::reduce, "segment_groups"), std::pair(Algorithm::inclusive_scan, "segment_groups"),
        std::pair(Algorithm::inclusive_scan, "lookback"), std::pair(Algorithm::inclusive_scan, "lookahead")}) {
    test::TestFolder folder;
    const std::string path = folder / "tuning.db";
    Context context({.device = "host", .database = path});
    TuneOptions options;
    options.sizes = {1 << 14};
    options.maximum_trials = 3;
    options.only = restriction_from_text({std::string("schedule=") + schedule});
    const Problem problem = in_segments(make_problem(algorithm, plus, Type::f32, Type::f32), 1 << 12, 1 << 14);
    const TuneReport report = upsweep::tune(context, problem, options);
    ASSERT_EQ(report.sizes.size(), 1u) << schedule;
    EXPECT_EQ(report.sizes[0].failures, 0) << schedule;
    const std::vector<tuning_db::Trial> trials = rows(path);
    EXPECT_TRUE(std::ranges::any_of(trials, [&](const tuning_db::Trial& trial) {
      return trial.config.schedule == schedule && trial.verdict == tuning_db::Verdict::measured;
    })) << schedule;
  }
}

}  // namespace
}  // namespace upsweep::tuner
