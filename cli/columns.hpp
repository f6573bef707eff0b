// Prints a table with aligned columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

// Columns are as wide as the widest text in them, with two blanks between them. The last one stands at the left of its
// column, and is cut where the terminal ends.
class Columns {
 public:
  enum class Align { left, right };
  struct Column {
    std::string heading;
    Align align = Align::left;
  };

  explicit Columns(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One text for each column.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

  // A line for the headings and a line for each row. `width` is the terminal's, in letters. Without a
  // terminal it is 0, and nothing is cut. `margin` is a label before the first line; the other lines are indented as
  // far.
  [[nodiscard]] std::string text(std::size_t width, std::string_view margin = {}) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// The text, or as much of it as fits with "…" at its end; whole letters of UTF-8. 0: the whole text.
[[nodiscard]] std::string cut(std::string_view text, std::size_t width);

}  // namespace upsweep::cli
