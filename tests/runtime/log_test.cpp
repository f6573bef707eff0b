// What the library says and what it tells profilers, each in a process of its own: the variables are read once.
#include <upsweep/log.hpp>

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/logging.hpp"
#include "base/process.hpp"
#include "tests/support/test_folder.hpp"

namespace upsweep {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

using Variables = std::vector<std::pair<std::string, std::string>>;

// The lines of call_program, with an empty cache of its own.
class Calls : public testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> lines(Variables variables, const std::vector<std::string>& arguments = {}) {
    variables.emplace_back("UPSWEEP_CACHE_DIR", folder_.path().string());
    std::vector<std::string> command{UPSWEEP_CALL_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    std::istringstream output(base::run_process(command, {.variables = std::move(variables)}).output);
    std::vector<std::string> found;
    for (std::string line; std::getline(output, line);) found.push_back(line);
    return found;
  }

 private:
  test::TestFolder folder_;
};

const auto opened = StartsWith("upsweep: using host");
const auto compiled = MatchesRegex("upsweep: compiled .* for host in [0-9]+ ms");
const auto chosen = AllOf(StartsWith("upsweep: reduce plus i32, 5 items: built_in"), HasSubstr("\"schedule\""));

TEST_F(Calls, SayNothingByDefault) {
  EXPECT_THAT(lines({{"UPSWEEP_LOG", ""}}), ElementsAre("sum 14", "sum 14"));
  EXPECT_THAT(lines({{"UPSWEEP_LOG", "off"}}), ElementsAre("sum 14", "sum 14"));
}

TEST_F(Calls, SayWhatIsMadeAtLevelInfo) {
  EXPECT_THAT(lines({{"UPSWEEP_LOG", "info"}}), ElementsAre(opened, compiled, chosen, "sum 14", "sum 14"));
  EXPECT_THAT(lines({{"UPSWEEP_LOG", "info"}}), ElementsAre(opened, chosen, "sum 14", "sum 14")) << "from the cache";
}

TEST_F(Calls, SayWhatIsReadAtLevelDebug) {
  EXPECT_THAT(lines({{"UPSWEEP_LOG", "debug"}}), testing::Contains(compiled));
  EXPECT_THAT(lines({{"UPSWEEP_LOG", "debug"}}), testing::Contains(HasSubstr(" for host from the cache")));
}

TEST_F(Calls, TakeTheLevelOfTheProgramBeforeThatOfTheVariable) {
  EXPECT_THAT(lines({{"UPSWEEP_LOG", "off"}}, {"debug"}), testing::Contains(compiled));
}

TEST_F(Calls, RefuseUnknownValues) {
  EXPECT_THAT(lines({{"UPSWEEP_LOG", "loud"}}),
              ElementsAre("error UPSWEEP_LOG is 'loud': use off, warning, info or debug"));
  EXPECT_THAT(lines({{"UPSWEEP_NVTX", "yes"}}),
              ElementsAre("error UPSWEEP_NVTX is 'yes': use 1 for NVTX ranges around calls, or 0"));
}

TEST_F(Calls, AreRangesForProfilers) {
  const auto plan = "push upsweep 'plan' 5", call = "push upsweep 'reduce plus i32' 5", end = "pop upsweep";
  EXPECT_THAT(lines({{"UPSWEEP_NVTX", "1"}, {"NVTX_INJECTION64_PATH", UPSWEEP_FAKE_PROFILER}}),
              ElementsAre(plan, end, call, end, "sum 14", call, end, "sum 14"));
}

TEST_F(Calls, AreNoRangesByDefault) {
  EXPECT_THAT(lines({{"NVTX_INJECTION64_PATH", UPSWEEP_FAKE_PROFILER}}), ElementsAre("sum 14", "sum 14"));
}

TEST(LogSink, GetsTheLinesOfItsLevel) {
  std::vector<std::string> texts;
  LogSink before = set_log_sink([&](LogLevel level, const std::string& line) {
    texts.push_back((level == LogLevel::warning ? "warning " : "info ") + line);
  });
  const LogLevel level = log_level();
  set_log_level(LogLevel::info);
  warn("one");
  log_info("{}", "two");
  log_debug("{}", "three");
  set_log_level(LogLevel::off);
  warn("four");
  set_log_level(level);
  set_log_sink(std::move(before));
  EXPECT_THAT(texts, ElementsAre("warning one", "info two"));
}

}  // namespace
}  // namespace upsweep
