#include "cli/columns.hpp"

#include <algorithm>

namespace upsweep::cli {
namespace {

constexpr std::size_t gap = 2, least_width = 8;  // of the last column, however narrow the terminal is

bool begins_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
}

}  // namespace

std::string cut(std::string_view text, std::size_t width) {
  if (width == 0 || letters(text) <= width) return std::string(text);
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (begins_letter(text[end]) && ++seen == width) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::vector<std::size_t> Columns::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    std::size_t width = letters(columns_[at].heading);
    for (const std::vector<std::string>& row : rows_) width = std::max(width, letters(row[at]));
    widths.push_back(width);
  }
  return widths;
}

std::string Columns::text(std::size_t width, std::string_view margin) const {
  const std::vector<std::size_t> widths = this->widths();
  std::size_t before = letters(margin);  // the last column
  for (std::size_t at = 0; at + 1 < widths.size(); ++at) before += widths[at] + gap;
  const std::size_t left = width == 0 ? 0 : std::max(width, before + least_width) - before;
  std::string out, begin(margin);
  const auto print = [&](const auto& cell_of) {
    std::string line = begin;
    begin.assign(letters(margin), ' ');
    for (std::size_t at = 0; at < columns_.size(); ++at) {
      const bool last = at + 1 == columns_.size();
      const std::string cell = last ? cut(cell_of(at), left) : cell_of(at);
      const std::string blanks(last ? 0 : widths[at] - letters(cell), ' ');
      line += columns_[at].align == Align::right ? blanks + cell : cell + blanks;
      if (!last) line.append(gap, ' ');
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  print([&](std::size_t at) { return columns_[at].heading; });
  for (const std::vector<std::string>& row : rows_) print([&](std::size_t at) { return row[at]; });
  return out;
}

}  // namespace upsweep::cli
