// The option --density, on the host device.
#include <gmock/gmock.h>

#include "tests/cli/support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class DensityOption : public Command {
 protected:
  static inline const std::vector<std::string> selection =
      words("select_if --op less --type i32 --size 1K --device host");
  static std::vector<std::string> explain(const std::vector<std::string>& more) {
    return with(with({"explain"}, selection), more);
  }
};

TEST_F(DensityOption, TuneStoresAWinnerThatExplainFinds) {
  const Called tuned = worked(
      call(with(with({"tune"}, selection), words("--density 0.02 --max-trials 1 --isolation none --budget 20s"))));
  EXPECT_THAT(tuned.out, HasSubstr("select_if less i32 in u64 to i32 at density 0.01"));
  const tuning_db::Database kept(path("tuning.db"), tuning_db::Database::Mode::read_only);
  for (const tuning_db::Winner& winner : kept.winners()) {
    EXPECT_EQ(winner.trial.problem.density, Density::few);
  }
  EXPECT_FALSE(kept.winners().empty());
  const nlohmann::json found = document(explain({"--density", "0.01"}));
  EXPECT_EQ(found.at("rung"), "exact");
  EXPECT_EQ(found.at("problem").at("density"), "0.01");
  EXPECT_EQ(document(explain({"--density", "0.5"})).at("rung"), "type_class");
  const nlohmann::json without = document(explain({}));
  EXPECT_EQ(without.at("rung"), "type_class");
  EXPECT_FALSE(without.at("problem").contains("density"));
}

TEST_F(DensityOption, ExplainNamesItInTheCommandThatTunes) {
  EXPECT_THAT(worked(call(explain({"--density", "0.9"}))).out,
              AllOf(HasSubstr("select_if less i32 in u64 to i32 at density 0.99, 1024 items"),
                    HasSubstr("--density 0.99 --size 1024 --device host\n")));
  EXPECT_THAT(worked(call(explain({}))).out, Not(HasSubstr("density")));
}

TEST_F(DensityOption, IsAShareAndForResultsThatDependOnTheData) {
  for (const char* text : {"half", "1.5", "-1", "nan", "0.5x"}) {
    expect_error(explain({std::string("--density=") + text}), usage,
                 {"density '" + std::string(text) + "' is not a number from 0 to 1", "--density 0.01"});
  }
  expect_error(words("explain reduce --op plus --type f32 --size 1K --device host --density 0.5"), usage,
               {"reduce has as many results for all data: leave out the density"});
  expect_error(words("tune --all --density 0.5 --device host"), usage, {"give only one of: a problem, --all"});
  expect_error(words("bench select_if --op less --type i32 --size 1K --device host --density 0.5,2"), usage,
               {"density '2' is not a number from 0 to 1"});
}

TEST_F(DensityOption, EmitAndSpaceTakeIt) {
  const std::vector<std::string> problem = words("select_if --op less --type i32 --density 0.01");
  EXPECT_THAT(worked(call(with({"emit"}, problem))).out, HasSubstr("select_if"));
  EXPECT_THAT(worked(call(with({"space"}, with(problem, words("--size 2^20 --arch sm_90"))))).out,
              HasSubstr("lookback"));
}

TEST_F(DensityOption, BenchHasACellForEach) {
  const std::vector<std::string> bench =
      words("bench select_if,unique --op less,equal_to --type i32 --size 1000 --device host --samples 2");
  const nlohmann::json json = document(with(bench, {"--density", "0.01,1"}));
  std::vector<std::string> cells;
  for (const nlohmann::json& cell : json.at("comparisons")) {
    const nlohmann::json& problem = cell.at("problem");
    cells.push_back(problem.at("algorithm").get<std::string>() + " " + problem.at("operator").get<std::string>() + " " +
                    problem.at("density").get<std::string>());
  }
  EXPECT_THAT(cells,
              ElementsAre("select_if less 0.01", "select_if less 1", "select_if equal_to 0.01", "select_if equal_to 1",
                          "unique less 0.01", "unique less 1", "unique equal_to 0.01", "unique equal_to 1"));
  // Of all items all are written: 4 bytes read, 4 written, and the count.
  EXPECT_EQ(json.at("comparisons")[1].at("rows")[0].at("bytes"), 8008);
  EXPECT_LT(json.at("comparisons")[0].at("rows")[0].at("bytes"), 4200);
  const Called table = worked(call(with(bench, {"--density", "0.01", "--grid", "--cell-budget", "1ms"})));
  EXPECT_THAT(table.out, HasSubstr("\nselect_if less i32 in u64 to i32 at density 0.01 "));
}

// Documents with a density are read as well as written.
TEST_F(DensityOption, IsPlotted) {
  (void)worked(call(words("bench select_if --op less --type i32 --size 1000 --device host --samples 2 --density 0.5 -o",
                          {path("bench.json")})));
  EXPECT_THAT(worked(call({"plot", path("bench.json"), "-o", path("bench.svg")})).err, HasSubstr("1 panel written"));
}

}  // namespace
}  // namespace upsweep::cli
