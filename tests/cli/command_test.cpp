// What all verbs have in common.
#include <gmock/gmock.h>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class CommandLine : public Command {};

TEST_F(CommandLine, EveryVerbHasHelpWithAnExample) {
  for (const char* verb : {"run", "tune", "emit", "explain", "devices", "doctor", "db", "cache", "bench", "plot"}) {
    const Called called = call({verb, "--help"});
    EXPECT_EQ(called.code, 0) << verb;
    EXPECT_THAT(called.out, HasSubstr(std::string("Example:\n  upsweep ") + verb)) << verb;
    EXPECT_THAT(called.err, IsEmpty()) << verb;
    EXPECT_THAT(call({"--help"}).out, HasSubstr(std::string("\n  ") + verb));
  }
  EXPECT_THAT(call({"db", "export", "--help"}).out, HasSubstr("Example:\n  upsweep db export"));
  EXPECT_THAT(call({"--help"}).out, HasSubstr("Exit codes"));
}

TEST_F(CommandLine, HasAVersion) {
  EXPECT_EQ(call({"--version"}).out, "upsweep " + generator_version() + "\n");
  EXPECT_EQ(call({"--version"}).code, 0);
}

TEST_F(CommandLine, StandsGlobalOptionsOnBothSidesOfTheVerb) {
  const nlohmann::json before = call({"--json", "devices"}).json();
  EXPECT_EQ(call({"devices", "--json"}).json(), before);
}

TEST(Durations, AreReadWithTheirUnits) {
  EXPECT_EQ(parse_budget("60s"), 60s);
  EXPECT_EQ(parse_budget("2m"), 2min);
  EXPECT_EQ(parse_budget("1.5h"), 90min);
  EXPECT_EQ(parse_budget("250ms"), 250ms);
  EXPECT_EQ(parse_budget("10"), 10s);
  for (const char* text : {"", "s", "1 s", "1d", "-1s", "0s", "inf", "1e99h", "1s2"}) {
    EXPECT_THROW((void)parse_budget(text), UsageError) << text;
  }
}

TEST(Durations, AreWrittenForPeople) {
  EXPECT_EQ(format_duration(0ms), "0 s");
  EXPECT_EQ(format_duration(1ms), "1 s");
  EXPECT_EQ(format_duration(130s), "2 min 10 s");
  EXPECT_EQ(format_duration(3700s), "1 h 1 min");
  EXPECT_EQ(format_time(0.25), "250 ns");
  EXPECT_EQ(format_time(12.345), "12.35 us");
  EXPECT_EQ(format_time(1234), "1.234 ms");
  EXPECT_EQ(format_time(2.5e6), "2.5 s");
}

TEST(Io, KeepsProgressOnOneLineOfATerminal) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  {
    Io terminal(in, out, err, true);
    terminal.status("10%");
    terminal.status("20%");
    terminal.say("done");
    EXPECT_EQ(err.str(), "10%\r\x1b[K20%\r\x1b[Kdone\n");
  }
  err.str("");
  Io plain(in, out, err, false);
  plain.status("10%");
  plain.status("20%");
  plain.say("done");
  EXPECT_EQ(err.str(), "10%\n20%\ndone\n");
}

TEST(Io, TicksWhileSomethingLasts) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Io io(in, out, err, false);
  {
    const Ticker ticker(io, "waiting");
    std::this_thread::sleep_for(2200ms);
  }
  EXPECT_THAT(err.str(), HasSubstr("upsweep: waiting, 2 s so far\n"));
}

TEST(Interrupt, TurnsASignalIntoAStopRequestOnce) {
  const Interrupt interrupt;
  EXPECT_FALSE(interrupt.token().stop_requested());
  std::raise(SIGINT);
  for (int i = 0; i < 500 && !interrupt.token().stop_requested(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(interrupt.token().stop_requested());
}

TEST(Interrupt, LeavesTheHandlerAsItWas) {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGINT, nullptr, &before);
  { const Interrupt interrupt; }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace upsweep::cli
