#include "cli/text_table.hpp"
#include "tests/support/message_of.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
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
  const std::vector<std::byte> bytes = parse_table(text, {{value_type<T>(), name}}, "'t.csv'").columns.front();
  std::vector<T> items(bytes.size() / sizeof(T));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(items)).begin());
  return items;
}

template <typename E = InputError>
std::string refusal(const std::string& text, const std::string& name = {}) {
  SCOPED_TRACE(text);
  const std::string message = test::message_of<E>([&] { (void)column(text, name); });
  EXPECT_THAT(message, Not(HasSubstr("\n")));
  return message;
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

TEST(TextTable, ReadsQuotesAsRfc4180HasThem) {
  EXPECT_THAT(column("name,n\n\"a \"\"b,7,c\"\" d\",5\n\"x\",1\n", "n"), ElementsAre(5, 1));
  EXPECT_THAT(column("name,n\n\"two\nlines,7\",5\n\"three\r\n\r\nlines\",11\n", "n"), ElementsAre(5, 11));
  EXPECT_THAT(column("\"n\"\"m\",\"\"\n5,\"\"\n", "n\"m"), ElementsAre(5));
  EXPECT_THAT(column("\"a\nb\",n\nx,5\n", "n"), ElementsAre(5));
  EXPECT_THAT(column("\"#1\",5\n\"#2\",6\n", "2"), ElementsAre(5, 6));
  EXPECT_THAT(column("\"a;b\",5\nc,6\n", "2"), ElementsAre(5, 6));
  EXPECT_THAT(column("\"1\" \"2 3\"  4\n5 \"\"\"\" 6", "3"), ElementsAre(4, 6));
}

TEST(TextTable, RefusesQuotesThatRfc4180DoesNotHave) {
  EXPECT_THAT(refusal("a,b\n\"x\" y,2\n", "b"), AllOf(HasSubstr("line 2: "), HasSubstr("text after a closing")));
  EXPECT_THAT(refusal("a,b\nx \"y\",2\n", "b"), AllOf(HasSubstr("line 2: "), HasSubstr("within a field")));
  EXPECT_THAT(refusal("a,b\n1,2\n\"x,3\n4,5\n", "b"), AllOf(HasSubstr("line 3: "), HasSubstr("not closed")));
  EXPECT_THAT(refusal("\"1\"\"2\" \"3\"4\n", "1"), AllOf(HasSubstr("line 1: "), HasSubstr("text after a closing")));
}

TEST(TextTable, CountsLinesThroughQuotes) {
  EXPECT_THAT(refusal("name,n\n\"two\nlines\",5\n\"\r\n\r\n\",6\nx,y\n", "n"), HasSubstr("line 7: 'y'"));
  EXPECT_THAT(refusal("name,n\r\n\"a\rb\",5\r\n# c\r\nx,y\r\n", "n"), HasSubstr("line 5: 'y'"));
}

TEST(TextTable, EndsLinesAtEachLineEnd) {
  EXPECT_THAT(column("1\r2\r3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(column("n,m\r\n1,2\n3,4\r\r5,6\r\n", "m"), ElementsAre(2, 4, 6));
}

TEST(TextTable, TabsThatSeparateAreNoBlanks) {
  EXPECT_THAT(column("\ta\train\n0\tx\t5\n\t\t6\n", "rain"), ElementsAre(5, 6));
  EXPECT_THAT(refusal("a\tb\n1\t2\n\t\n", "b"), HasSubstr("line 3: ''"));
}

TEST(TextTable, ErrorValuesOfSpreadsheetsAreNoComments) {
  EXPECT_THAT(refusal("1\n#N/A\n2\n"), HasSubstr("line 2: '#N/A'"));
  EXPECT_THAT(refusal("a,b\n#DIV/0!,2\n", "a"), HasSubstr("line 2: '#DIV/0!'"));
}

TEST(TextTable, FindsTheHeader) {
  EXPECT_THAT(column("rain\n1\n2\n"), ElementsAre(1, 2));
  EXPECT_THAT(column("date,rain\n2012-01-01,5\n2012-01-02,6\n", "rain"), ElementsAre(5, 6));
  EXPECT_THAT(column("date,rain\n2012-01-01,5\n2012-01-02,6\n", "2"), ElementsAre(5, 6));
  EXPECT_THAT(column("2012-01-01,5\n2012-01-02,6\n", "2"), ElementsAre(5, 6));
  EXPECT_THAT(column("country,2020\nA,5\n", "2020"), ElementsAre(5));
  EXPECT_THAT(column("date,rain\n", "rain"), IsEmpty());
}

// A first line that a person could mean as data is never left out without a word.
TEST(TextTable, TakesNoDoubtfulFirstLineForAHeader) {
  for (const char* first :
       {"\uff11", "NA", "n/a", "\u22125", "null", "None", "NaN", "inf", "\u0661", "?", "(5)", "$5"}) {
    EXPECT_THAT(refusal(std::string(first) + "\n2\n"),
                AllOf(HasSubstr("line 1: "), HasSubstr(first), HasSubstr("if the line is a header, choose")))
        << first;
    EXPECT_THAT(refusal("x," + std::string(first) + "\ny,2\n", "2"), HasSubstr("line 1: ")) << first;
    EXPECT_THAT(column(std::string(first) + "\n2\n", first), ElementsAre(2)) << "chosen by name: " << first;
  }
  EXPECT_THAT(column("date,rain (mm),\u00b0C\n2012-01-01,5,6\n", "2"), ElementsAre(5));
  EXPECT_THAT(column(",rain\n0,5\n", "1"), ElementsAre(0));
}

TEST(TextTable, TellsWhatItTookForAHeader) {
  const auto header = [](const char* text, const char* name) {
    return parse_table(text, {{Type::i32, name}}, "'t.csv'").header;
  };
  EXPECT_EQ(header("rain\n1\n", ""), "rain");
  EXPECT_EQ(header("date,rain\nx,1\n", "2"), "date, rain");
  EXPECT_EQ(header("date,rain\nx,1\n", "rain"), "") << "the user named it";
  EXPECT_EQ(header("1\n2\n", ""), "");
}

TEST(TextTable, NamesTheLineOfWhatIsNoNumber) {
  EXPECT_EQ(refusal("# comment\n1\n\nabc\n"),
            "'t.csv', line 4: 'abc' is not a number of type i32; correct it, or choose another --column or --type");
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

TEST(TextTable, RefusesFieldsTooFew) {
  EXPECT_THAT(refusal("1,2\n3\n", "2"), AllOf(HasSubstr("line 2"), HasSubstr("1 field, but the first line has 2")));
  EXPECT_THAT(refusal("1\n2 3\n"), AllOf(HasSubstr("line 2"), HasSubstr("2 fields, but the first line has 1")));
}

TEST(TextTable, RefusesZeroBytesWhereverTheyAre) {
  for (const std::string& text : {std::string("1,2\n3,\0\n", 8), std::string("1,2\r# \0\n", 8)}) {
    EXPECT_THAT(refusal(text, "1"), HasSubstr("line 2: the text has a zero byte"));
  }
}

TEST(TextTable, RefusesFieldsTooMany) {
  EXPECT_THAT(refusal("a,b\n1,2\n1,2,3\n", "b"), HasSubstr("line 3: the line has 3 fields, but the first line has 2"));
  EXPECT_THAT(refusal("\"x\" \"y\"\n\"1\" 5 6\n", "y"),
              HasSubstr("line 2: the line has 3 fields, but the first line has 2"));
  EXPECT_THAT(refusal("1,2\n3,4,\n", "1"), HasSubstr("line 2: the line has 3 fields, but the first line has 2"));
}

TEST(TextTable, ColumnMustBeChosenAndKnown) {
  EXPECT_EQ(refusal<UsageError>("date,rain\nx,1\n"),
            "'t.csv' has 2 columns; choose one with --column: a number from 1 to 2 or one of: date, rain");
  EXPECT_EQ(refusal<UsageError>("1,2\n", "rain"),
            "'t.csv' has no column 'rain'; choose one with --column: a number from 1 to 2");
  EXPECT_THAT(refusal<UsageError>("a,b,a\n1,2,3\n", "a"),
              HasSubstr("several columns named 'a'; choose one by its number"));
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

// ---- several columns

std::vector<std::vector<int>> several(std::string_view text, const std::string& first, const std::string& second) {
  const Table table = parse_table(text, {{Type::i32, first}, {Type::i32, second, "--key", "--key-type"}}, "'t.csv'");
  std::vector<std::vector<int>> columns;
  for (const std::vector<std::byte>& bytes : table.columns) {
    columns.emplace_back(bytes.size() / sizeof(int));
    if (!bytes.empty()) std::memcpy(columns.back().data(), bytes.data(), bytes.size());
  }
  return columns;
}

TEST(TextTable, ColumnsAreReadTogether) {
  const std::vector<std::vector<int>> expected{{2, 5}, {1, 4}};
  EXPECT_EQ(several("a,b,c\n1,2,3\n4,5,6\n", "b", "a"), expected);
  EXPECT_EQ(several("1,2,3\n4,5,6\n", "2", "1"), expected);
  EXPECT_EQ(several("a,b,c\n1,2,3\n4,5,6\n", "2", "1"), expected) << "both look like names";
  EXPECT_EQ(several("a,2,c\n1,2,3\n4,5,6\n", "2", "a"), expected) << "a name makes it a header for both";
  EXPECT_EQ(several("7\n8\n", "", ""), (std::vector<std::vector<int>>{{7, 8}, {7, 8}})) << "the only column, twice";
  EXPECT_EQ(several("", "b", "a"), (std::vector<std::vector<int>>{{}, {}}));
}

TEST(TextTable, ColumnsAreWrittenSideBySide) {
  const std::vector<std::int16_t> keys{1, -2};
  const std::vector<double> values{0.5, 3};
  const ColumnItems columns[] = {{std::as_bytes(std::span(keys)), Type::i16},
                                 {std::as_bytes(std::span(values)), Type::f64}};
  EXPECT_EQ(format_columns(columns, ';'), "1;0.5\n-2;3\n");
  EXPECT_EQ(format_columns({}, ';'), "");
}

}  // namespace
}  // namespace upsweep::cli
