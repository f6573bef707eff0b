// Text from outside in messages: one line, that does not steer a terminal.
#include "generator/quote.hpp"

#include <string>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>
#include <upsweep/scalar.hpp>

namespace upsweep {
namespace {

TEST(Quote, ControlCharactersAreShown) {
  EXPECT_EQ(show_controls("a\tb\nc\r\n"), R"(a\x09b\x0ac\x0d\x0a)");
  EXPECT_EQ(show_controls(std::string("\x1b[31m\0\x7f", 7)), R"(\x1b[31m\x00\x7f)");
  EXPECT_EQ(show_controls("\u0085 \u009f \u00a0 \u20ac"), "\\x85 \\x9f \u00a0 \u20ac");
  EXPECT_EQ(show_controls("\xc2"), "\xc2");
}

TEST(Quote, SomeAreKept) {
  EXPECT_EQ(show_controls("a\tb\nc\r", "\n\t"), "a\tb\nc\\x0d");
  EXPECT_EQ(show_controls("\u0085\n", "\u0085"), "\u0085\\x0a");
  EXPECT_EQ(show_controls("\n", {}, "\\u00"), "\\u000a");
}

TEST(Quote, LongTextsAreClippedToOneLine) {
  EXPECT_EQ(clipped("two\nlines"), R"(two\x0alines)");
  EXPECT_EQ(clipped(std::string(300, '\n')).substr(0, 8), R"(\x0a\x0a)");
  EXPECT_EQ(clipped("\n" + std::string(300, 'x')), "\\x0a" + std::string(199, 'x') + "... (301 bytes)");
}

TEST(Quote, MessagesAreOneLine) {
  try {
    (void)parse_scalar(Type::i32, "4\n2");
    FAIL() << "was read";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(R"('4\x0a2')"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace upsweep
