#include <csignal>
#include <thread>

#include <gmock/gmock.h>

#include "tests/cli/support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Tune : public Command {
 protected:
  static inline const std::vector<std::string> tune{"tune", "inclusive_scan", "--op", "plus",     "--type",
                                                    "i32",  "--size",         "1K",   "--device", "host"};
  static std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(Tune, KeepsTrialsAndExplainFindsTheWinner) {
  const std::string database = path("own.db");
  const Called called = call(with(tune, {"--max-trials", "2", "--db", database}));
  ASSERT_EQ(called.code, 0) << called.err;
  EXPECT_THAT(called.out,
              AllOf(HasSubstr("inclusive_scan plus i32 on host"), HasSubstr("2^10"), HasSubstr("schedule")));
  EXPECT_THAT(called.err, HasSubstr("kept in " + database));

  const tuning_db::Database kept(database, tuning_db::Database::Mode::read_only);
  EXPECT_GE(kept.trials().size(), 1u);
  ASSERT_EQ(kept.winners().size(), 1u);
  EXPECT_EQ(kept.winners().front().trial.problem.size, 1024u);

  const Called explained = call({"explain", "inclusive_scan", "--op", "plus", "--type", "i32", "--size", "1000",
                                 "--device", "host", "--db", database, "--json"});
  ASSERT_EQ(explained.code, 0) << explained.err;
  EXPECT_EQ(explained.json().at("rung"), "exact");
  EXPECT_EQ(explained.json().at("trial").at("size"), 1024);
}

TEST_F(Tune, DocumentHasEverySize) {
  const Called called = call(with(tune, {"--size", "2K", "--max-trials", "1", "--json"}));
  ASSERT_EQ(called.code, 0) << called.err;
  const nlohmann::json json = called.json();
  EXPECT_EQ(json.at("database"), path("tuning.db"));
  EXPECT_EQ(json.at("device").at("device"), "host");
  EXPECT_EQ(json.at("stopped"), false);
  ASSERT_EQ(json.at("sizes").size(), 2u);
  EXPECT_EQ(json.at("sizes")[0].at("size"), 1024);
  EXPECT_EQ(json.at("sizes")[1].at("size"), 2048);
  EXPECT_TRUE(json.at("sizes")[0].at("winner").contains("schedule"));
  EXPECT_GT(json.at("sizes")[0].at("winner_us").get<double>(), 0);
}

TEST_F(Tune, CtrlCKeepsWhatWasMeasured) {
  std::jthread interrupter([](const std::stop_token& done) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    if (!done.stop_requested()) std::raise(SIGINT);
  });
  const Called called = call(with(tune, {"--budget", "1h", "--json"}));
  interrupter.request_stop();
  EXPECT_EQ(called.code, 130) << called.err;
  EXPECT_EQ(called.json().at("stopped"), true);
  EXPECT_THAT(called.err, HasSubstr("stopped"));
  const tuning_db::Database kept(path("tuning.db"), tuning_db::Database::Mode::read_only);
  EXPECT_GE(kept.trials().size(), 1u);
}

}  // namespace
}  // namespace upsweep::cli
