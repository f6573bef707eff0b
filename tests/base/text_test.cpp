// Text from outside in messages: one line, that does not steer a terminal.
#include "base/text.hpp"

#include <string>

#include <gtest/gtest.h>

namespace upsweep::base {
namespace {

TEST(Text, ControlCharactersAreShown) {
  EXPECT_EQ(show_controls("a\tb\nc\r\n"), R"(a\x09b\x0ac\x0d\x0a)");
  EXPECT_EQ(show_controls(std::string("\x1b[31m\0\x7f", 7)), R"(\x1b[31m\x00\x7f)");
  EXPECT_EQ(show_controls("\u0085 \u009f \u00a0 \u20ac"), "\\x85 \\x9f \u00a0 \u20ac");
  EXPECT_EQ(show_controls("\xc2"), "\xc2");
}

TEST(Text, SomeAreKept) {
  EXPECT_EQ(show_controls("a\tb\nc\r", "\n\t"), "a\tb\nc\\x0d");
  EXPECT_EQ(show_controls("\u0085\n", "\u0085"), "\u0085\\x0a");
  EXPECT_EQ(show_controls("\n", {}, "\\u00"), "\\u000a");
}

TEST(Text, LongTextsAreClippedToOneLine) {
  EXPECT_EQ(clipped("two\nlines"), R"(two\x0alines)");
  EXPECT_EQ(clipped(std::string(300, '\n')).substr(0, 8), R"(\x0a\x0a)");
  EXPECT_EQ(clipped("\n" + std::string(300, 'x')), "\\x0a" + std::string(199, 'x') + "... (301 bytes)");
}

}  // namespace
}  // namespace upsweep::base
