#include "cli/plain_text.hpp"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "cli/io.hpp"
#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PlainText, ControlCharactersAreShownNotSent) {
  EXPECT_EQ(plain("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(plain(std::string("\x1b[31m\0\r\x7f\b", 9)), R"(\x1b[31m\x00\x0d\x7f\x08)");
  EXPECT_EQ(plain("\u009b31m \u0080 \u009f"), R"(\x9b31m \x80 \x9f)");
  EXPECT_EQ(plain("\u00b5s \u00e9 \u20ac \u00a0 \U0001f600"), "\u00b5s \u00e9 \u20ac \u00a0 \U0001f600");
  EXPECT_EQ(plain("\xc2"), "\xc2");
  EXPECT_EQ(plain("\xc2\x1b"), "\xc2\\x1b");
  EXPECT_EQ(plain("\u009b", "\\u00"), "\\u009b");
}

TEST(PlainText, StreamDoesTheSameHoweverTextIsCut) {
  const std::string text = "a\x1b[1m \u009b \u00b5 \u20ac\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    std::ostringstream to;
    PlainStream stream(to);
    stream << text.substr(0, cut) << text.substr(cut);
    stream << 5 << '\x1b' << std::flush;
    EXPECT_EQ(to.str(), plain(text) + "5\\x1b") << cut;
  }
  std::ostringstream to;
  PlainStream(to) << "\xc2" << std::flush;
  EXPECT_EQ(to.str(), "\xc2");
}

TEST(PlainText, IoSendsBytesOnlyWhereTheyWereAskedFor) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io(in, out, err, true);
  io.out() << "device \x1b]0;title\a\n";
  io.bytes() << "\x1b";
  io.print({{"name", "\x1b \x7f \u009b"}});
  io.say("no \x1b[2Jfile");
  io.flush();
  EXPECT_EQ(out.str(), "device \\x1b]0;title\\x07\n\x1b{\n  \"name\": \"\\u001b \\u007f \\u009b\"\n}\n");
  EXPECT_EQ(err.str(), "no \\x1b[2Jfile\n");
  const auto document = nlohmann::json::parse(out.str().substr(out.str().find('{')));
  EXPECT_EQ(document.at("name"), "\x1b \x7f \u009b");
}

TEST(PlainText, IoTellsOfAStreamThatFails) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io(in, out, err, false);
  out.setstate(std::ios::badbit);
  io.out() << "lost";
  EXPECT_THROW(io.flush(), InputError);
}

TEST(PlainText, LongMessagesKeepTheirEnds) {
  EXPECT_EQ(shortened("short"), "short");
  const std::string shown = shortened("start" + std::string(10'000'000, 'x') + "what to do");
  EXPECT_EQ(shown.substr(0, 6), "startx");
  EXPECT_THAT(shown, HasSubstr(" ... (9996515 bytes left out) ... "));
  EXPECT_EQ(shown.substr(shown.size() - 11), "xwhat to do");
  EXPECT_LT(shown.size(), 4000u);
}

class PlainMessages : public Command {};

TEST_F(PlainMessages, NamesAndFieldsDoNotSteerTheTerminal) {
  const Called missing = call({"plot", path("\x1b[31mred.json"), "-o", "-"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, HasSubstr("\\x1b[31mred.json"));
  EXPECT_THAT(missing.err, Not(HasSubstr("\x1b")));
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += "1\n";  // beyond what tells text from binary
  const std::string text = make("field.csv", lines + "\x1b]0;owned\a\n");
  const Called field = call(words("run reduce --op plus --type i32", {text}));
  EXPECT_EQ(field.code, 3);
  EXPECT_THAT(field.err, HasSubstr("line 3001: '\\x1b]0;owned\\x07' is not a number"));
}

TEST_F(PlainMessages, AFieldOfMegabytesGivesAMessageOfOneScreen) {
  const std::string text = make("long.csv", "1\n" + std::string(5'000'000, '7') + "\n");
  for (const char* type : {"i32", "f16"}) {
    const Called called = call(words("run reduce --op plus --type", {type, text}));
    EXPECT_EQ(called.code, 3);
    EXPECT_LT(called.err.size(), 1000u);
    EXPECT_THAT(called.err, HasSubstr("777... (5000000 bytes)' is out of the range of "));
    EXPECT_THAT(called.err, HasSubstr("correct it"));
  }
}

}  // namespace
}  // namespace upsweep::cli
