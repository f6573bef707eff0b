// upsweep record: from a database's trials to a recording that searches run on.
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "generator/space.hpp"
#include "runtime/engine.hpp"
#include "tests/cli/support.hpp"
#include "tuner/search/recording.hpp"
#include "tuner/search/space.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Record : public Command {
 protected:
  [[nodiscard]] std::vector<std::string> record(const std::string& size, const std::string& file) const {
    return words("record reduce --op plus --type i32 --size",
                 {size, "--device", "host", "--db", path("db"), "-o", file});
  }
  // Of the host device as it is here: every seed config took 10 us and more, but for the last ones, which failed.
  [[nodiscard]] std::vector<tuning_db::Trial> seed_configs(std::size_t failed) const {
    const auto engine = runtime::Engine::open({.device = "host", .database = path("db"), .record_wanted = false});
    const Problem problem = make_problem(Algorithm::reduce, plus, Type::i32, Type::i32, 1000);
    const std::vector<Config> all = tuner::GeneratedSpace(problem, engine->device().limits()).seed_configs();
    std::vector<tuning_db::Trial> trials;
    for (const Config& config : std::set<Config>(all.begin(), all.end())) {
      tuning_db::Trial& trial = trials.emplace_back();
      trial.device = engine->device().identity();
      trial.environment = engine->environment();
      trial.problem = problem;
      trial.config = config;
      trial.samples_us = {10.0 + static_cast<double>(trials.size())};
    }
    const Config standard = Space(problem, engine->device().limits()).default_config();
    std::ranges::partition(trials, [&](const tuning_db::Trial& trial) { return trial.config == standard; });
    for (std::size_t i = trials.size() - failed; i < trials.size(); ++i) {
      trials[i].samples_us.clear();
      trials[i].verdict = tuning_db::Verdict::crashed;
      trials[i].failure = "it crashed";
    }
    return trials;
  }
  void keep(const std::vector<tuning_db::Trial>& trials) const {
    tuning_db::Database database(path("db"), tuning_db::Database::Mode::read_write);
    (void)database.record(trials);
  }
};

TEST_F(Record, WritesTheTrialsOfOneProblemAndSize) {
  std::vector<tuning_db::Trial> trials = seed_configs(2);
  ASSERT_GE(trials.size(), 5u);
  const std::size_t measured = trials.size() - 2;
  keep(trials);
  trials[0].problem.size = 1001;  // of the same size class
  trials[1].device.name = "another";
  keep({trials[0], trials[1]});

  const Called called = worked(call(record("1000", path("reduce.json"))));
  EXPECT_EQ(called.out, "");
  EXPECT_EQ(called.err, fmt::format("recorded {} configs with a time and 2 failed configs in '{}'\n", measured,
                                    path("reduce.json")));
  const tuner::Recording recording = tuner::read_recording(content("reduce.json"));
  EXPECT_EQ(recording.default_trial.problem, trials[2].problem);
  EXPECT_EQ(recording.measured.size(), measured);
  EXPECT_EQ(recording.failed.size(), 2u);
  EXPECT_EQ(tuner::RecordedSpace(recording).time(trials[2].config), trials[2].samples_us[0]);

  const nlohmann::json json = document(record("1000", path("again.json")));
  EXPECT_EQ(json, nlohmann::json({{"file", path("again.json")}, {"measured", measured}, {"failed", 2}}));
  EXPECT_EQ(content("again.json"), content("reduce.json"));
}

TEST_F(Record, ASizeWithoutTrialsIsToldWithWhatToDo) {
  keep(seed_configs(0));
  const Called called = call(record("1001", path("reduce.json")));
  EXPECT_EQ(called.code, 2);
  EXPECT_THAT(called.err, AllOf(HasSubstr(path("db") + " has no trials of reduce plus i32 with 1001 items"),
                                HasSubstr("tune the problem first")));
  EXPECT_EQ(called.error_lines(), 1);
  EXPECT_FALSE(std::filesystem::exists(path("reduce.json")));
}

TEST_F(Record, AMissingSeedConfigIsNamed) {
  std::vector<tuning_db::Trial> trials = seed_configs(0);
  const Config missing = trials.back().config;
  trials.pop_back();
  keep(trials);
  const Called called = call(record("1000", path("reduce.json")));
  EXPECT_EQ(called.code, 2);
  EXPECT_THAT(called.err, AllOf(HasSubstr("the recording lacks the default config or a seed config"),
                                HasSubstr("measure this config and record again: " + to_json(missing))));
  EXPECT_FALSE(std::filesystem::exists(path("reduce.json")));
}

TEST_F(Record, NeitherADatabaseNorAFileIsMadeWhereThereIsNone) {
  expect_error(record("1000", path("reduce.json")), database, {"there is no tuning database at " + path("db")});
  keep(seed_configs(0));
  expect_error(record("1000", path("none/reduce.json")), input, {"none/reduce.json"});
  EXPECT_EQ(files(), std::vector<std::string>{"db"});
}

}  // namespace
}  // namespace upsweep::cli
