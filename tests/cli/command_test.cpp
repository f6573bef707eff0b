// What all verbs have in common.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <system_error>
#include <thread>

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
  for (const std::string& verb : words("run tune emit explain space devices doctor db cache bench plot")) {
    const Called called = call({verb, "--help"});
    EXPECT_EQ(called.code, 0) << verb;
    EXPECT_THAT(called.out, HasSubstr("Example:\n  upsweep " + verb)) << verb;
    EXPECT_THAT(called.err, IsEmpty()) << verb;
    EXPECT_THAT(call({"--help"}).out, HasSubstr("\n  " + verb));
  }
  EXPECT_THAT(call({"db", "export", "--help"}).out, HasSubstr("Example:\n  upsweep db export"));
  EXPECT_THAT(call({"--help"}).out, HasSubstr("Exit codes"));
}

TEST_F(CommandLine, HelpIsAVerbToo) {
  EXPECT_EQ(call({"help"}).out, call({"--help"}).out);
  EXPECT_EQ(call({"help", "tune"}).out, call({"tune", "--help"}).out);
  EXPECT_EQ(call({"--json", "help", "tune"}).out, call({"tune", "--help"}).out);
  EXPECT_EQ(call({"help", "db", "list"}).out, call({"db", "list", "--help"}).out);
  EXPECT_THAT(call({"help", "db", "list"}).out, HasSubstr("Usage: upsweep db list "));
  EXPECT_THAT(call({"help"}).out, HasSubstr("\n  help "));
  EXPECT_EQ(call({"help"}).code, 0);
  expect_error({"help", "frobnicate"}, usage, {"unknown verb 'frobnicate'"});
}

// While it lives no thread can be started: stacks would have more bytes than there are addresses. What a limit of
// threads does (ulimit -u) does not concern the root user.
class NoThreads {
 public:
  NoThreads() {
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    ::pthread_attr_init(&huge);
    ::pthread_attr_setstacksize(&huge, std::size_t{1} << 62);
    ::pthread_setattr_default_np(&huge);
    ::pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_{};
};

TEST_F(CommandLine, NoThreadIsAnErrorOfTheDeviceThatSaysWhatToDo) {
  const std::vector<std::string> run =
      words("run reduce --op plus --type i32 --device host", {make("n.txt", "1\n2\n")});
  const auto handler = [] {
    struct sigaction now {};
    ::sigaction(SIGINT, nullptr, &now);
    return now.sa_handler;
  };
  const auto before = handler();
  {
    const NoThreads none;
    EXPECT_THROW(std::thread([] {}).join(), std::system_error);
    const Called called = call(run);
    EXPECT_EQ(called.code, 4);
    EXPECT_EQ(called.out, "");
    EXPECT_THAT(called.err, AllOf(HasSubstr("upsweep: cannot start another thread or process: end other processes"),
                                  HasSubstr("(ulimit -u)")));
    EXPECT_EQ(called.error_lines(), 1);
    EXPECT_EQ(document(run, 4).at("error").at("kind"), "device");
  }
  EXPECT_EQ(handler(), before) << "Ctrl-C ends the process as it did";
  EXPECT_EQ(call(run).out, "3\n");
}

// Each verb that --help lists, "db" and "plot" among them.
TEST_F(CommandLine, EveryVerbHasASectionInTheManual) {
  std::ifstream file(UPSWEEP_COMMAND_MANUAL);
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  std::istringstream help(call({"--help"}).out);
  std::string line;
  while (std::getline(help, line) && line != "Subcommands:") continue;
  int verbs = 0;
  while (std::getline(help, line) && line.starts_with("  ")) {
    const std::string verb = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_THAT(manual, HasSubstr("\n## " + verb + "\n")) << verb;
    ++verbs;
  }
  EXPECT_GE(verbs, 13);
}

TEST_F(CommandLine, HasAVersion) {
  EXPECT_EQ(call({"-V"}).out, call({"--version"}).out);
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

class Messages : public ::testing::Test {
 protected:
  std::istringstream in;
  std::ostringstream out, err;
};

TEST_F(Messages, KeepsProgressOnOneLineOfATerminal) {
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
  EXPECT_EQ(err.str(), "done\n") << "a file has no status line";
}

TEST_F(Messages, SaysErrorsAndWarningsAloneIfItIsToBeQuiet) {
  Io io(in, out, err, true);
  io.quiet = true;
  io.status("10%");
  io.say("read 3 items");
  io.say("upsweep: warning: one", Io::Tone::warning);
  io.say("upsweep: two", Io::Tone::error);
  EXPECT_EQ(err.str(), "upsweep: warning: one\nupsweep: two\n");
}

TEST_F(Messages, ColoursTheNameBeforeErrorsAndWarnings) {
  Io io(in, out, err, true);
  io.colour = true;
  io.say("upsweep: read 3 items");
  io.say("upsweep: warning: one", Io::Tone::warning);
  io.say("upsweep: two", Io::Tone::error);
  EXPECT_EQ(err.str(), "upsweep: read 3 items\n\x1b[33mupsweep:\x1b[0m warning: one\n\x1b[31mupsweep:\x1b[0m two\n");
}

TEST(Io, HasNoColoursWhereTheyAreNotWanted) {
  const Variable usual("TERM", "xterm");
  {
    const Variable unset("NO_COLOR", std::nullopt);
    EXPECT_TRUE(colours_are_wanted());
    const Variable dumb("TERM", "dumb");
    EXPECT_FALSE(colours_are_wanted());
  }
  const Variable empty("NO_COLOR", "");
  EXPECT_TRUE(colours_are_wanted()) << "as no-color.org has it";
  const Variable set("NO_COLOR", "1");
  EXPECT_FALSE(colours_are_wanted());
}

TEST_F(CommandLine, QuietLeavesTheResultAlone) {
  const std::vector<std::string> arguments =
      words("run reduce --op plus --type i32 --device host", {make("numbers.txt", "1\n2\n3\n")});
  EXPECT_THAT(call(arguments).err, HasSubstr("config"));
  const Called called = call(with(arguments, {"-q"}));
  EXPECT_EQ(called.out, "6\n");
  EXPECT_THAT(called.err, IsEmpty());
  EXPECT_THAT(call({"-q", "run", "reduce", "--op", "plux", "x"}).err, HasSubstr("plux"));
}

TEST_F(Messages, TicksWhileSomethingLasts) {
  {
    Io io(in, out, err, true);
    const Ticker ticker(io, "waiting");
    std::this_thread::sleep_for(2200ms);
  }
  EXPECT_TRUE(err.str().starts_with("waiting, 1 s so far\r\x1b[K")) << err.str();
  EXPECT_TRUE(err.str().ends_with("so far\r\x1b[K")) << err.str();
  err.str("");
  {
    Io io(in, out, err, false);
    const Ticker ticker(io, "waiting");
    std::this_thread::sleep_for(1200ms);
  }
  EXPECT_EQ(err.str(), "");
}

// What a terminal that both streams go to is sent, in order.
class OneTerminal : public Messages {
 protected:
  std::ostringstream sent;
  int columns = 60;
  Io io{in, sent, sent, true, [this] { return columns; }};
};

TEST_F(OneTerminal, TheStatusLineGoesBeforeAnythingIsWritten) {
  io.status("10%");
  io.out() << "a row\n";
  io.status("20%");
  io.bytes() << "bytes\n";
  io.status("30%");
  io.flush();
  EXPECT_EQ(sent.str(), "10%\r\x1b[Ka row\n20%\r\x1b[Kbytes\n30%\r\x1b[K");
}

TEST_F(OneTerminal, NoStatusLineStandsBehindHalfALine) {
  io.out() << "half ";
  io.status("10%");
  io.out() << "a line\n";
  io.status("20%");
  EXPECT_EQ(sent.str(), "half a line\n20%");
}

TEST_F(OneTerminal, AStatusLineIsCutToTheWidthOfNow) {
  columns = 10;
  io.status("123456789");
  io.status("1234567890");
  columns = 5;
  io.status("1234567890");
  columns = 1;
  io.status("1234567890");
  EXPECT_EQ(sent.str(), "123456789\r\x1b[K123456...\r\x1b[K1...\r\x1b[K");
}

TEST(PlainText, LettersThatMayBeWideAreCutAsIfTheyWere) {
  EXPECT_EQ(fit_line("r\xc3\xa9sum\xc3\xa9", 8), "r\xc3\xa9sum\xc3\xa9");
  EXPECT_EQ(fit_line("r\xc3\xa9sum\xc3\xa9", 7), "r\xc3\xa9s...");
  EXPECT_EQ(fit_line("abcdef", 3), "...");
  EXPECT_EQ(fit_line("abcdef", 0), "");
}

TEST(Interrupt, TurnsASignalIntoAStopRequestOnce) {
  const Interrupt interrupt;
  EXPECT_FALSE(interrupt.token().stop_requested());
  std::raise(SIGINT);
  for (int i = 0; i < 500 && !interrupt.token().stop_requested(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(interrupt.token().stop_requested());
}

TEST(Interrupt, SaysOnceThatASignalHasCome) {
  std::atomic<int> noticed = 0;
  {
    const Interrupt interrupt([&] { ++noticed; });
    std::raise(SIGTERM);
    for (int i = 0; i < 500 && noticed == 0; ++i) std::this_thread::sleep_for(10ms);
  }
  EXPECT_EQ(noticed, 1);
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
