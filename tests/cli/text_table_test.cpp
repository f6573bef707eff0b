#include "cli/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

template <typename T = int>
std::vector<T> column(const std::string& text, const std::string& name = {}) {
  const std::vector<std::byte> bytes = parse_table(text, value_type<T>(), name, "'t.csv'");
  std::vector<T> items(bytes.size() / sizeof(T));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(items)).begin());
  return items;
}

template <typename E = InputError>
std::string refusal(const std::string& text, const std::string& name = {}) {
  try {
    (void)column(text, name);
  } catch (const E& error) {
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    return error.what();
  }
  ADD_FAILURE() << "read: " << text;
  return {};
}

TEST(TextTable, ReadsOneColumn) {
  EXPECT_THAT(column("1\n-2\n+3\n"), ElementsAre(1, -2, 3));
  EXPECT_THAT(column("1\n2"), ElementsAre(1, 2));
  EXPECT_THAT(column("  1 \r\n\t2\t\r\n"), ElementsAre(1, 2));
  EXPECT_THAT(column("# made by hand\n\n1\n  # more\n   \n2\n"), ElementsAre(1, 2));
  EXPECT_THAT(column("\xef\xbb\xbf"
                     "5\n6\n"),
              ElementsAre(5, 6));
  EXPECT_THAT(column("0x10\n"), ElementsAre(16));
  EXPECT_THAT(column(""), IsEmpty());
  EXPECT_THAT(column("# nothing\n\n"), IsEmpty());
}

TEST(TextTable, ReadsFloatingValues) {
  const std::vector<double> values = column<double>("0.1\n-inf\n1e-300\nnan\n");
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0], 0.1);
  EXPECT_EQ(values[1], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(values[2], 1e-300);
  EXPECT_TRUE(std::isnan(values[3]));
}

TEST(TextTable, ReadsEachSeparator) {
  for (const char* text :
       {"1,10\n2,20\n", "1;10\n2;20\n", "1\t10\n2\t20\n", "1 10\n  2    20  \n", "1, 10\n2 ,20\n", "1,10,\n2,20,\n"}) {
    EXPECT_THAT(column(text, "1"), ElementsAre(1, 2)) << text;
    EXPECT_THAT(column(text, "2"), ElementsAre(10, 20)) << text;
  }
  EXPECT_THAT(column("1;1,5\n2;2,5\n", "1"), ElementsAre(1, 2));
}

TEST(TextTable, ReadsQuotedFields) {
  const std::string text = "\"name, first\",\"rain\"\n\"a, b\",\"7\"\n\"c\", 8\n";
  EXPECT_THAT(column(text, "rain"), ElementsAre(7, 8));
  EXPECT_THAT(column(text, "2"), ElementsAre(7, 8));
  EXPECT_THAT(column("\"two words\" x\n\"more words\" 4\n", "x"), ElementsAre(4));
}

TEST(TextTable, FindsTheHeader) {
  EXPECT_THAT(column("rain\n1\n2\n"), ElementsAre(1, 2));
  EXPECT_THAT(column("date,rain\n2012-01-01,5\n2012-01-02,6\n", "rain"), ElementsAre(5, 6));
  EXPECT_THAT(column("date,rain\n2012-01-01,5\n2012-01-02,6\n", "2"), ElementsAre(5, 6));
  EXPECT_THAT(column("2012-01-01,5\n2012-01-02,6\n", "2"), ElementsAre(5, 6));
  EXPECT_THAT(column("country,2020\nA,5\n", "2020"), ElementsAre(5));
  EXPECT_THAT(column("date,rain\n", "rain"), IsEmpty());
}

TEST(TextTable, NamesTheLineOfWhatIsNoNumber) {
  EXPECT_EQ(refusal("# comment\n1\n\nabc\n"),
            "'t.csv', line 4: 'abc' is no number of type i32; correct it, or choose another --column or --type");
  EXPECT_THAT(refusal("1\n1.5\n"), HasSubstr("line 2: '1.5'"));
  EXPECT_THAT(refusal("1\n4294967296\n"), HasSubstr("line 2: '4294967296' is out of the range of i32"));
  EXPECT_THAT(refusal("1\n2,3\n"), HasSubstr("line 2: '2,3'"));
  EXPECT_THAT(refusal("a,b\n1,\n", "b"), HasSubstr("line 2: ''"));
  EXPECT_THAT(refusal("a,b\n1,2\n1,\"3\n", "b"), HasSubstr("line 3"));
}

TEST(TextTable, DoesNotDropAMisspeltFirstNumber) {
  EXPECT_THAT(refusal("1x\n2\n"), HasSubstr("line 1: '1x'"));
  EXPECT_THAT(refusal("-\n2\n"), HasSubstr("line 1: '-'"));
  EXPECT_THAT(refusal("2012-01-01,n/a\n2012-01-02,6\n", "2"), HasSubstr("line 1: 'n/a'"));
  EXPECT_THAT(refusal("nan\n1\n"), HasSubstr("line 1: 'nan'"));
}

TEST(TextTable, RefusesMissingFields) {
  EXPECT_THAT(refusal("1,2\n3\n", "2"), AllOf(HasSubstr("line 2"), HasSubstr("1 fields where the first line has 2")));
  EXPECT_THAT(refusal("1\n2 3\n"), AllOf(HasSubstr("line 2"), HasSubstr("2 fields where the first line has 1")));
}

TEST(TextTable, ColumnMustBeChosenAndKnown) {
  EXPECT_EQ(refusal<UsageError>("date,rain\nx,1\n"),
            "'t.csv' has 2 columns; choose one with --column, a number from 1 to 2 or one of: date, rain");
  EXPECT_EQ(refusal<UsageError>("1,2\n", "rain"), "'t.csv' has no column 'rain'; give --column a number from 1 to 2");
  for (const char* name : {"0", "3", "-1", "1.0", "Rain", "rain "}) {
    EXPECT_THAT(refusal<UsageError>("date,rain\nx,1\n", name), HasSubstr("no column")) << name;
  }
}

TEST(TextTable, ReadsAndWritesComplexValues) {
  using Complex = std::complex<float>;
  EXPECT_THAT(column<Complex>("(1+2j)\n3\n-4i\n"), ElementsAre(Complex(1, 2), Complex(3), Complex(0, -4)));
  EXPECT_THAT(column<Complex>("wave\n1+2i\n"), ElementsAre(Complex(1, 2)));
  EXPECT_THAT(column<Complex>("t,i\n0,5i\n", "i"), ElementsAre(Complex(0, 5)));
  const std::vector<Complex> items = {{1, -2}, {0, 0.5f}, {7, 0}};
  EXPECT_EQ(format_column(std::as_bytes(std::span(items)), Type::c64), "1-2i\n0.5i\n7\n");
}

TEST(TextTable, FormatsOneNumberALine) {
  const std::vector<short> items = {1, -32768, 0};
  EXPECT_EQ(format_column(std::as_bytes(std::span(items)), Type::i16), "1\n-32768\n0\n");
  EXPECT_EQ(format_column({}, Type::f64), "");
}

TEST(TextTable, TellsTextFromBinary) {
  const auto text = [](const std::string& bytes) { return looks_like_text(std::as_bytes(std::span(bytes))); };
  EXPECT_TRUE(text("1,2\t3\r\n\xc3\xa9"));
  EXPECT_TRUE(text(""));
  EXPECT_FALSE(text(std::string("1\0", 2)));
  EXPECT_FALSE(text("\x01"));
  EXPECT_FALSE(text("\x7f"));
}

}  // namespace
}  // namespace upsweep::cli
