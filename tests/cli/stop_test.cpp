// Signals and status lines of the real command. What is stopped here would take minutes or an hour.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/cli/child.hpp"
#include "tests/cli/support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Stop : public Command {
 protected:
  static std::vector<std::string> tune(const std::string& sizes, const std::string& isolation) {
    return words("tune inclusive_scan --op plus --type u8 --size",
                 {sizes, "--device", "host", "--isolation", isolation, "--budget", "2h", "--max-trials", "1"});
  }
  // Waits until a size has a winner, which the command writes before it goes on to the next.
  [[nodiscard]] bool has_a_winner() const {
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::minutes(1)) {
      try {
        if (!tuning_db::Database(path("tuning.db"), tuning_db::Database::Mode::read_only).winners().empty())
          return true;
      } catch (const std::exception&) {  // it is not there yet
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  // A call with so many items takes many seconds.
  static constexpr std::uint64_t many = std::uint64_t{1} << 27;
};

TEST_F(Stop, CtrlCInTheMiddleOfAWorkersTrialKeepsTheSizesBefore) {
  Child child(tune("1K,2^27", "worker"));
  ASSERT_TRUE(has_a_winner());
  child.signal(SIGINT);
  EXPECT_EQ(child.end(), 130) << child.text();
  EXPECT_THAT(child.text(), HasSubstr("stopping"));
  EXPECT_THAT(child.text(), HasSubstr("2^10 ")) << "the table";
  EXPECT_THAT(child.text(), HasSubstr("stopped; all results so far are stored in"));
}

TEST_F(Stop, SigtermInTheMiddleOfATrialOfThisProcess) {
  Child child(tune("1K,2^27", "none"));
  ASSERT_TRUE(has_a_winner());
  child.signal(SIGTERM);
  EXPECT_EQ(child.end(), 130) << child.text();
  EXPECT_THAT(child.text(), HasSubstr("stopping"));
  EXPECT_THAT(child.text(), HasSubstr("2^10 ")) << "the table";
}

TEST_F(Stop, BeforeAnythingWasMeasured) {
  Child child(tune("2^27", "none"), 80);
  ASSERT_TRUE(child.writes("getting ready"));
  child.signal(SIGINT);
  EXPECT_EQ(child.end(), 130) << child.text();
  EXPECT_THAT(child.text(), HasSubstr("nothing was measured"));
}

TEST_F(Stop, BenchEndsInTheMiddleOfACell) {
  Child child(words("bench inclusive_scan --op plus --type u8 --size 1K,2^27 --device host"), 120);
  ASSERT_TRUE(child.writes("2 of 2: inclusive_scan plus u8, 2^27 items")) << child.text();
  child.signal(SIGINT);
  EXPECT_EQ(child.end(), 130) << child.text();
  EXPECT_THAT(child.text(), HasSubstr("inclusive_scan plus u8, 2^10 items, cold"));
}

TEST_F(Stop, FiguresThatAreNotDoneAreLeftOut) {
  Child child(words("figures --device host --only error_growth,networks -o", {path("figures.html")}), 120);
  ASSERT_TRUE(child.writes("1 of 2: error_growth, 2^")) << child.text();
  child.signal(SIGINT);
  EXPECT_EQ(child.end(), 130) << child.text();
  EXPECT_THAT(child.text(), HasSubstr("0 figures drawn"));
  const std::string page = content("figures.html"), stopped = "Left out: the run was stopped before it was done.";
  EXPECT_NE(page.find(stopped), page.rfind(stopped)) << "both";
}

TEST_F(Stop, RunEndsInTheMiddleOfACall) {
  const std::string input = make("zeros.bin", "");
  std::filesystem::resize_file(input, many);
  Child child(words("run inclusive_scan --op plus --type u8 --format raw --device host -o", {path("out.npy"), input}),
              120);
  ASSERT_TRUE(child.writes("3 of 4: computing on host, about")) << child.text();
  child.signal(SIGINT);
  EXPECT_EQ(child.end(), 130) << child.text();
  EXPECT_THAT(child.text(), HasSubstr("left"));
  EXPECT_FALSE(std::filesystem::exists(path("out.npy")));
}

// As a terminal shows it: the lines, and the widest that was ever shown.
struct Screen {
  std::vector<std::string> lines{""};
  std::size_t widest = 0;
  int erased = 0;

  explicit Screen(const std::string& bytes) {
    std::size_t column = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (bytes.compare(at, 3, "\x1b[K") == 0) {
        lines.back().resize(column);
        at += 2;
        ++erased;
      } else if (bytes[at] == '\r') {
        column = 0;
      } else if (bytes[at] == '\n') {
        lines.emplace_back();
        column = 0;
      } else {
        lines.back().resize(std::max(lines.back().size(), column + 1), ' ');
        lines.back()[column++] = bytes[at];
      }
    }
  }
};

// Of what stood there until it was erased.
std::vector<std::string> status_lines(const std::string& bytes) {
  std::vector<std::string> found;
  const std::string erasing = "\r\x1b[K";
  for (std::size_t at = bytes.find(erasing); at != std::string::npos; at = bytes.find(erasing, at + 1)) {
    const std::size_t before = bytes.find_last_of("\nK", at);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    found.push_back(bytes.substr(begin, at - begin));
  }
  return found;
}

TEST_F(Stop, AStatusLineFitsTheTerminalAndIsGoneBeforeTheTable) {
  Child child(words("tune exclusive_scan --op plus --type u32 --size 1K,2K --device host --isolation none --budget 6s"),
              60);
  ASSERT_EQ(child.end(), 0) << child.text();
  const std::vector<std::string> shown = status_lines(child.text());
  ASSERT_FALSE(shown.empty());
  for (const std::string& line : shown) {
    EXPECT_LT(line.size(), 60u) << line;
    EXPECT_TRUE(line.starts_with("tuning")) << line;
  }
  const Screen screen(child.text());
  EXPECT_EQ(screen.lines.front(), "exclusive_scan plus u32 on host");
  for (const std::string& line : screen.lines) EXPECT_THAT(line, Not(HasSubstr("left")));
}

TEST_F(Stop, AFileHasNoStatusLine) {
  Child child(words("tune exclusive_scan --op plus --type u32 --size 1K --device host --isolation none --budget 3s"));
  ASSERT_EQ(child.end(), 0) << child.text();
  EXPECT_THAT(child.text(), Not(HasSubstr("left")));
  EXPECT_THAT(child.text(), Not(HasSubstr("\r")));
}

TEST_F(Stop, TheSecondSignalEndsItAtOnceWhicheverItIs) {
  Child child(tune("2^27", "none"), 80);
  ASSERT_TRUE(child.writes("getting ready"));
  child.signal(SIGSTOP);  // so that it sees both at the same time
  child.signal(SIGINT);
  child.signal(SIGTERM);
  child.signal(SIGCONT);
  const int code = child.end();
  EXPECT_TRUE(code == -SIGTERM || code == -SIGINT) << code << child.text();
}

}  // namespace
}  // namespace upsweep::cli
