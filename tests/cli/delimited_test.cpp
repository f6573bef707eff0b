// Tables as RFC 4180 tells to write them, read back.
#include "cli/delimited.hpp"

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

namespace upsweep::cli {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> read(const std::string& text) {
  const std::string label = "'t.csv'";
  DelimitedText table(text, label);
  std::vector<Row> rows;
  while (table.next()) rows.emplace_back(table.fields().begin(), table.fields().end());
  return rows;
}

std::string quoted(const std::string& field) {
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

bool needs_quotes(const std::string& field) {
  return field.find_first_of(" \t\f\v\r\n\",;#") != std::string::npos;
}

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return random_() % end; }

  std::string field() {
    constexpr std::string_view letters = "ab1.\"\"\n\r,; \t#\xc3";
    std::string text;
    for (std::size_t left = below(6); left > 0; --left) text += letters[below(letters.size())];
    return text;
  }
  std::string written(const std::string& field) { return needs_quotes(field) || below(3) == 0 ? quoted(field) : field; }
  std::string line_end() {
    constexpr std::array<const char*, 3> ends = {"\n", "\r\n", "\r"};
    return ends[below(ends.size())];
  }

 private:
  std::mt19937 random_;
};

TEST(DelimitedText, ReadsBackWhatWasWritten) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Writer writer(seed);
    const char separator = ",;\t"[writer.below(3)];
    const std::size_t columns = 2 + writer.below(4), count = 1 + writer.below(5);
    std::vector<Row> rows;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      Row& row = rows.emplace_back();
      for (std::size_t column = 0; column < columns; ++column) {
        row.push_back(writer.field());
        // An empty one in quotes, so that no line looks empty.
        text +=
            (column > 0 ? std::string(1, separator) : "") + (row.back().empty() ? "\"\"" : writer.written(row.back()));
      }
      if (i + 1 < count || writer.below(2) == 0) text += writer.line_end();
    }
    ASSERT_EQ(read(text), rows) << text;
  }
}

TEST(DelimitedText, RunsOfBlanksSeparate) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Writer writer(seed);
    std::vector<Row> rows;
    std::string text;
    for (int i = 0; i < 3; ++i) {
      Row& row = rows.emplace_back();
      text += std::string(writer.below(3), ' ');
      for (int column = 0; column < 3; ++column) {
        row.push_back(writer.field());
        text += (row.back().empty() ? "\"\"" : writer.written(row.back())) + std::string(1 + writer.below(3), ' ');
      }
      text += "\n";
    }
    ASSERT_EQ(read(text), rows) << text;
  }
}

// Each line of text as it may come: read or refused, but never an endless loop or a step beyond the end.
TEST(DelimitedText, EndsForEachText) {
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Writer writer(seed);
    std::string text;
    for (int i = 0; i < 6; ++i) text += writer.field() + (writer.below(2) == 0 ? "," : "\n");
    try {
      std::size_t characters = 0;
      for (const Row& row : read(text)) {
        for (const std::string& field : row) characters += field.size();
      }
      ASSERT_LE(characters, text.size());
    } catch (const InputError& error) {
      ASSERT_NE(std::string(error.what()).find("'t.csv', line "), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace upsweep::cli
