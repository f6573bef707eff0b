// The option --accuracy, on the host device.
#include <gmock/gmock.h>

#include "tests/cli/support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class AccuracyOption : public Command {
 protected:
  static inline const std::vector<std::string> sum = words("reduce --op plus --type f32 --size 1K --device host");
  static std::vector<std::string> explain(const std::vector<std::string>& more) {
    return with(with({"explain"}, sum), more);
  }
};

TEST_F(AccuracyOption, RunKeepsErrorTerms) {
  const auto sum_of = [](const std::string& accuracy) {
    const std::string line = "run reduce --op plus --type f32 --device host --accuracy " + accuracy + " -";
    return worked(call(words(line), "1\n1e30\n1\n-1e30\n")).out;
  };
  EXPECT_EQ(sum_of("neumaier"), "2\n");
  EXPECT_EQ(sum_of("double_double"), "2\n");
  EXPECT_EQ(sum_of("binned"), "0\n");  // 1 is less than half a unit
}

// Each candidate gives the bits that the schedule sequential gives.
TEST_F(AccuracyOption, TuneStoresAWinnerThatExplainFinds) {
  const Called tuned =
      worked(call(with(with({"tune"}, sum), words("--accuracy kahan --max-trials 3 --isolation none --budget 20s"))));
  EXPECT_THAT(tuned.out, HasSubstr("reduce plus f32 (kahan)"));
  EXPECT_THAT(tuned.out + tuned.err, Not(HasSubstr("wrong")));
  const tuning_db::Database kept(path("tuning.db"), tuning_db::Database::Mode::read_only);
  EXPECT_FALSE(kept.winners().empty());
  for (const tuning_db::Winner& winner : kept.winners()) EXPECT_EQ(winner.trial.problem.accuracy, Accuracy::kahan);
  const nlohmann::json found = document(explain({"--accuracy", "kahan"}));
  EXPECT_EQ(found.at("rung"), "exact");
  EXPECT_EQ(found.at("problem").at("accuracy"), "kahan");
  EXPECT_EQ(document(explain({"--accuracy", "double_double"})).at("rung"), "type_class");
  const nlohmann::json without = document(explain({}));
  EXPECT_EQ(without.at("rung"), "built_in");
  EXPECT_FALSE(without.at("problem").contains("accuracy"));
}

TEST_F(AccuracyOption, ExplainNamesItInTheCommandThatTunes) {
  EXPECT_THAT(worked(call(explain({"--accuracy", "double_double"}))).out,
              AllOf(HasSubstr("reduce plus f32 (double_double), 1024 items"),
                    HasSubstr("--accuracy double_double --size 1024 --device host\n")));
  EXPECT_THAT(worked(call(explain({"--accuracy", "plain"}))).out, Not(HasSubstr("accuracy")));
}

TEST_F(AccuracyOption, IsAMethodOfSums) {
  expect_error(explain({"--accuracy", "kahn"}), usage, {"unknown accuracy 'kahn': did you mean 'kahan'?"});
  expect_error(words("explain reduce --op maximum --type f32 --size 1K --device host --accuracy kahan"), usage,
               {"accuracy kahan is for the operator plus, not for maximum"});
  expect_error(words("bench reduce --op plus --type f32 --size 1K --device host --accuracy kahan,best"), usage,
               {"unknown accuracy 'best'"});
}

TEST_F(AccuracyOption, BinnedIsReproducible) {
  EXPECT_THAT(worked(call(explain({"--accuracy", "binned"}))).out, HasSubstr("reproducible  yes"));
  EXPECT_THAT(worked(call(words("emit reduce --op plus --type f64 --accuracy binned --arch sm_90"))).out,
              HasSubstr("Binned<double, 3, -1074, 1024>"));
  expect_error(words("run inclusive_scan --op plus --type f32 --device host --accuracy binned -"), usage,
               {"inclusive_scan has no sums with accuracy binned: use a reduce, or another accuracy"});
}

TEST_F(AccuracyOption, EmitAndSpaceTakeIt) {
  const std::vector<std::string> scan = words("inclusive_scan --op plus --type f64 --accuracy kahan");
  EXPECT_THAT(worked(call(with({"emit"}, scan))).out, HasSubstr("Compensated<double>"));
  EXPECT_THAT(worked(call(with({"space"}, with(scan, words("--size 2^20 --arch sm_90"))))).out, HasSubstr("lookback"));
}

TEST_F(AccuracyOption, BenchHasACellForEach) {
  const nlohmann::json json = document(
      words("bench reduce --op plus --type f32 --size 1000 --device host --samples 2 --accuracy plain,neumaier"));
  std::vector<std::string> cells;
  for (const nlohmann::json& cell : json.at("comparisons")) {
    cells.push_back(cell.at("problem").value("accuracy", "none"));
  }
  EXPECT_THAT(cells, ElementsAre("none", "neumaier"));
}

}  // namespace
}  // namespace upsweep::cli
