#include "cli/plain_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace upsweep::cli {
namespace {

constexpr char lead = '\xc2';  // of the letters U+0080 to U+00BF in UTF-8

}  // namespace

std::string plain(std::string_view text, std::string_view escape) {
  return base::show_controls(text, "\n\t", escape);
}

std::string shortened(std::string_view text) {
  constexpr std::size_t start = 3000, end = 500;
  if (text.size() <= start + end) return std::string(text);
  return fmt::format("{} ... ({} bytes left out) ... {}", text.substr(0, start), text.size() - start - end,
                     text.substr(text.size() - end));
}

std::string fit_line(std::string_view line, int columns) {
  constexpr std::string_view missing = "...";
  const int room = std::max(columns - static_cast<int>(missing.size()), 0);
  int width = 0;
  std::size_t fits = 0;  // bytes that leave room for `missing`
  for (std::size_t at = 0; at < line.size();) {
    const auto is_rest = [&](std::size_t i) { return (static_cast<unsigned char>(line[i]) & 0xc0) == 0x80; };
    std::size_t next = at + 1;
    while (next < line.size() && is_rest(next)) ++next;
    width += next - at > 1 || static_cast<unsigned char>(line[at]) >= 0x80 ? 2 : 1;
    if (width > columns) return std::string(line.substr(0, fits)) + std::string(missing.substr(0, columns));
    at = next;
    if (width <= room) fits = at;
  }
  return std::string(line);
}

std::string lower(std::string_view text) {
  std::string letters(text);
  for (char& each : letters) each = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
  return letters;
}

PlainStream::PlainStream(std::ostream& to) : std::ostream(nullptr), buffer_(to) {
  rdbuf(&buffer_);
}

PlainStream::Buffer::int_type PlainStream::Buffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
}

std::streamsize PlainStream::Buffer::xsputn(const char* text, std::streamsize size) {
  held_.append(text, static_cast<std::size_t>(size));
  const std::size_t whole = held_.size() - (!held_.empty() && held_.back() == lead ? 1 : 0);
  *to_ << plain(std::string_view(held_).substr(0, whole));
  held_.erase(0, whole);
  return *to_ ? size : 0;
}

int PlainStream::Buffer::sync() {
  *to_ << held_ << std::flush;
  held_.clear();
  return *to_ ? 0 : -1;
}

}  // namespace upsweep::cli
