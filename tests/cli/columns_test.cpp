// Tables: as wide as what stands in them, and cut on a terminal only.
#include "cli/columns.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <iostream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>

#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Columns example() {
  using enum Columns::Align;
  Columns table({{"size", right}, {"device"}, {"config"}});
  table.add({"8", "Größe", "lookback, items_per_thread=8"});
  table.add({"1048576", "b", "default"});
  return table;
}

TEST(Columns, AreAsWideAsTheirTexts) {
  EXPECT_EQ(example().text(0),
            "   size  device  config\n"
            "      8  Größe   lookback, items_per_thread=8\n"
            "1048576  b       default\n");
}

TEST(Columns, HaveAMargin) {
  Columns table({{"a"}, {"b"}});
  table.add({"1", ""});
  EXPECT_EQ(table.text(0, "say   "), "say   a  b\n      1\n");
}

TEST(Columns, CutTheLastOneWhereTheTerminalEnds) {
  EXPECT_EQ(example().text(30),
            "   size  device  config\n"
            "      8  Größe   lookback, it…\n"
            "1048576  b       default\n");
  EXPECT_THAT(example().text(5), HasSubstr("Größe   lookbac…\n")) << "of a narrow terminal 8 letters are left";
}

TEST(Columns, CutWholeLetters) {
  EXPECT_EQ(cut("äöü", 3), "äöü");
  EXPECT_EQ(cut("äöü", 2), "ä…");
  EXPECT_EQ(cut("äöü", 0), "äöü");
  EXPECT_EQ(cut("äöü", 1), "…");
}

// Standard output is a terminal of that width for as long as this lives.
class Terminal {
 public:
  explicit Terminal(unsigned short width) : before_(::dup(STDOUT_FILENO)), ours_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (ours_ < 0 || ::grantpt(ours_) != 0 || ::unlockpt(ours_) != 0) throw std::runtime_error("no terminal");
    const int theirs = ::open(::ptsname(ours_), O_RDWR | O_NOCTTY);
    termios raw{};
    ::tcgetattr(theirs, &raw);
    ::cfmakeraw(&raw);
    ::tcsetattr(theirs, TCSANOW, &raw);
    const winsize size{.ws_row = 24, .ws_col = width, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(theirs, TIOCSWINSZ, &size);
    std::cout.flush();
    ::dup2(theirs, STDOUT_FILENO);
    ::close(theirs);
  }
  ~Terminal() {
    std::cout.flush();
    ::dup2(before_, STDOUT_FILENO);
    ::close(before_);
    ::close(ours_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // What was written, which is less than a terminal holds.
  [[nodiscard]] std::string read() const {
    std::cout.flush();
    std::string text(1 << 12, '\0');
    const ssize_t size = ::read(ours_, text.data(), text.size());
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  int before_;
  int ours_;
};

class OnATerminal : public Command {
 protected:
  static inline const std::vector<std::string> list =
      words("db list --shipped reduce --op plus --type f32 --size 2^10 --configs full");
};

TEST_F(OnATerminal, ConfigsAreCutAndNowhereElse) {
  const std::string whole = call(list).out;
  EXPECT_THAT(whole, AllOf(HasSubstr("}\n"), Not(HasSubstr("…"))));
  std::string cut_text;
  std::string piped;
  {
    const Terminal terminal(70);
    std::istringstream in;
    std::ostringstream err;
    ASSERT_EQ(main(list, in, std::cout, err), 0) << err.str();
    cut_text = terminal.read();
    piped = call(list).out;  // into a string, while standard output is a terminal
  }
  EXPECT_THAT(cut_text, HasSubstr("…\n"));
  std::istringstream lines(cut_text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 70u + 2) << line << ": … has three bytes";
  EXPECT_EQ(piped, whole);
}

}  // namespace
}  // namespace upsweep::cli
