#include "cli/text_table.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <upsweep/error.hpp>
#include <upsweep/scalar.hpp>

namespace upsweep::cli {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";
constexpr char any_blanks = ' ';  // as separator: runs of blanks
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Lines that hold data, with their numbers; empty lines and comments are passed over.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  [[nodiscard]] bool next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      const std::string_view content = trim(line_);
      if (!content.empty() && content.front() != '#') return true;
    }
    return false;
  }

  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::uint64_t number_ = 0;
};

// Semicolons and tabs go before commas, which may be decimal marks or part of a name in such a table.
char find_separator(std::string_view line) {
  std::string unquoted;
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    if (!inside) unquoted.push_back(c);
  }
  for (const char separator : {';', '\t', ','}) {
    if (trim(unquoted).find(separator) != std::string::npos) return separator;
  }
  return any_blanks;
}

// End of the field that starts `text`: a separator that is not between double quotes.
std::size_t field_end(std::string_view text, char separator) {
  const std::size_t start = text.find_first_not_of(blanks);
  std::size_t from = 0;
  if (start != std::string_view::npos && text[start] == '"') {
    from = std::min(text.find('"', start + 1), text.size());
  }
  const std::size_t end = separator == any_blanks ? text.find_first_of(blanks, from) : text.find(separator, from);
  return std::min(end, text.size());
}

std::string_view unquote(std::string_view field) {
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') return field.substr(1, field.size() - 2);
  return field;
}

void split(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  if (separator == any_blanks) line = trim(line);
  for (;;) {
    const std::size_t end = field_end(line, separator);
    fields.push_back(unquote(trim(line.substr(0, end))));
    if (end == line.size()) return;
    line.remove_prefix(end + 1);
    if (separator == any_blanks) line = trim(line);
  }
}

bool is_number(std::string_view field, Type type) {
  try {
    (void)parse_scalar(is_complex(type) ? Type::c128 : Type::f64, field);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

// A date or a misspelt number must not pass for a header and be dropped: names start with no digit, sign or point.
bool is_name(std::string_view field, Type type) {
  if (field.empty()) return true;
  const bool like_number = std::isdigit(static_cast<unsigned char>(field.front())) != 0 ||
                           std::string_view("+-.").find(field.front()) != std::string_view::npos;
  return !like_number && !is_number(field, type);
}

bool is_header(const std::vector<std::string_view>& fields, Type type) {
  const auto names = [type](std::string_view field) { return is_name(field, type); };
  return std::ranges::all_of(fields, names) && !std::ranges::all_of(fields, &std::string_view::empty);
}

struct Choice {
  std::size_t index = 0;
  bool header = false;  // the first line names the columns
};

// The column as a number counted from 1, if it is one that the table has.
std::optional<std::size_t> numbered_column(const std::string& column, std::size_t columns) {
  std::size_t number = 0;
  const char* const end = column.data() + column.size();
  const auto [stop, error] = std::from_chars(column.data(), end, number);
  if (error != std::errc{} || stop != end || number == 0 || number > columns) return std::nullopt;
  return number - 1;
}

Choice choose(const std::vector<std::string_view>& first, Type type, const std::string& column,
              const std::string& label) {
  const bool header = is_header(first, type);
  const auto known = [&] {
    return header ? fmt::format("a number from 1 to {} or one of: {}", first.size(), fmt::join(first, ", "))
                  : fmt::format("a number from 1 to {}", first.size());
  };
  if (column.empty()) {
    if (first.size() == 1) return {0, header};
    throw UsageError(fmt::format("{} has {} columns; choose one with --column, {}", label, first.size(), known()));
  }
  if (const auto index = numbered_column(column, first.size())) return {*index, header};
  if (const auto at = std::ranges::find(first, column); at != first.end()) {
    return {static_cast<std::size_t>(at - first.begin()), true};
  }
  throw UsageError(fmt::format("{} has no column '{}'; give --column {}", label, column, known()));
}

struct Place {
  const std::string& label;
  std::uint64_t line;
};

void append_number(std::string_view field, Type type, Place place, std::vector<std::byte>& items) {
  try {
    const Scalar value = parse_scalar(type, field);
    items.insert(items.end(), value.bytes.begin(), value.bytes.begin() + static_cast<std::ptrdiff_t>(size_of(type)));
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}, line {}: {}; correct it, or choose another --column or --type", place.label,
                                 place.line, error.what()));
  }
}

}  // namespace

std::vector<std::byte> parse_table(std::string_view text, Type type, const std::string& column,
                                   const std::string& label) {
  std::vector<std::byte> items;
  std::vector<std::string_view> fields;
  Lines lines(text);
  if (!lines.next()) return items;
  const char separator = find_separator(lines.line());
  split(lines.line(), separator, fields);
  const std::size_t columns = fields.size();
  const Choice choice = choose(fields, type, column, label);
  for (bool more = choice.header ? lines.next() : true; more; more = lines.next()) {
    split(lines.line(), separator, fields);
    if (fields.size() <= choice.index || (columns == 1 && fields.size() != 1)) {
      throw InputError(fmt::format("{}, line {}: {} fields where the first line has {}; correct the line", label,
                                   lines.number(), fields.size(), columns));
    }
    append_number(fields[choice.index], type, {label, lines.number()}, items);
  }
  return items;
}

std::string format_column(std::span<const std::byte> items, Type type) {
  std::string text;
  const std::size_t width = size_of(type);
  Scalar value;
  value.type = type;
  for (std::size_t at = 0; at < items.size(); at += width) {
    std::memcpy(value.bytes.data(), items.data() + at, width);
    text += to_string(value);
    text += '\n';
  }
  return text;
}

bool looks_like_text(std::span<const std::byte> bytes) noexcept {
  return std::ranges::all_of(bytes, [](std::byte b) {
    const auto code = std::to_integer<unsigned>(b);
    return (code >= 0x20 && code != 0x7f) || (code >= 0x09 && code <= 0x0d);
  });
}

}  // namespace upsweep::cli
