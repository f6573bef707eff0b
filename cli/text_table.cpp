#include "cli/text_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>
#include <upsweep/scalar.hpp>

#include "cli/count.hpp"
#include "cli/delimited.hpp"
#include "generator/quote.hpp"

namespace upsweep::cli {
namespace {

bool is_number(std::string_view field, Type type) {
  try {
    (void)parse_scalar(is_complex(type) ? Type::c128 : Type::f64, field);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

// A date or a misspelt number must not pass for a name and be dropped: those start with a digit, sign or point.
bool may_be_name(std::string_view field, Type type) {
  if (field.empty()) return true;
  const bool like_number = std::isdigit(static_cast<unsigned char>(field.front())) != 0 ||
                           std::string_view("+-.").find(field.front()) != std::string_view::npos;
  return !like_number && !is_number(field, type);
}

// What tables have in place of a number that is missing.
bool is_missing(std::string_view field) {
  constexpr std::array<std::string_view, 8> marks = {"na", "n/a", "n.a.", "null", "nil", "none", "nd", "missing"};
  std::string lower(field);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(marks, lower) != marks.end();
}

// A field is surely a name if it starts with an ASCII letter. Digits and signs of other scripts ("１", "−5") do not
// make a name.
bool is_surely_name(std::string_view field, Type type) {
  if (field.empty() || is_missing(field)) return false;
  const auto first = static_cast<unsigned char>(field.front());
  return first < 0x80 && (std::isalpha(first) != 0 || first == '_') && !is_number(field, type);
}

// Whether the first line is a header though no column was chosen by a name in it. What would be dropped as a name is
// the chosen field, so that one must be beyond doubt; an empty name (of an index, say) needs another beside it.
bool is_header(std::span<const std::string> fields, std::size_t chosen, Type type) {
  if (!std::ranges::all_of(fields, [type](const auto& field) { return may_be_name(field, type); })) return false;
  if (!fields[chosen].empty()) return is_surely_name(fields[chosen], type);
  return std::ranges::any_of(fields, [type](const auto& field) { return is_surely_name(field, type); });
}

struct Choice {
  std::size_t index = 0;
  bool header = false;   // the first line names the columns
  bool guessed = false;  // it does by its looks, not by --column
};

// The column as a number counted from 1, if it is one that the table has.
std::optional<std::size_t> numbered_column(const std::string& column, std::size_t columns) {
  std::size_t number = 0;
  const char* const end = column.data() + column.size();
  const auto [stop, error] = std::from_chars(column.data(), end, number);
  if (error != std::errc{} || stop != end || number == 0 || number > columns) return std::nullopt;
  return number - 1;
}

// What --column takes; names where the first line looks like some.
std::string known_columns(std::span<const std::string> first, Type type) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (is_header(first, i, type)) {
      std::vector<std::string> names;
      for (const std::string& name : first) names.push_back(clipped(name));
      return fmt::format("a number from 1 to {} or one of: {}", first.size(), fmt::join(names, ", "));
    }
  }
  return fmt::format("a number from 1 to {}", first.size());
}

Choice choose(std::span<const std::string> first, Type type, const std::string& column, const std::string& label) {
  if (column.empty() && first.size() != 1) {
    throw UsageError(fmt::format("{} has {} columns; choose one with --column: {}", label, first.size(),
                                 known_columns(first, type)));
  }
  if (const auto index = column.empty() ? 0 : numbered_column(column, first.size())) {
    const bool header = is_header(first, *index, type);
    return {*index, header, header};
  }
  const auto at = std::ranges::find(first, column);
  if (at == first.end()) {
    throw UsageError(fmt::format("{} has no column '{}'; choose one with --column: {}", label, clipped(column),
                                 known_columns(first, type)));
  }
  if (std::find(at + 1, first.end(), column) != first.end()) {
    throw UsageError(fmt::format("{} has several columns named '{}'; choose one by its number, from 1 to {}", label,
                                 clipped(column), first.size()));
  }
  return {static_cast<std::size_t>(at - first.begin()), true, false};
}

// Numbers of one column, appended one by one.
class Column {
 public:
  Column(Type type, std::size_t index, const std::string& label) : type_(type), index_(index), label_(label) {}

  void append(const DelimitedText& text, std::string_view advice) {
    try {
      const Scalar value = parse_scalar(type_, text.fields()[index_]);
      const auto size = static_cast<std::ptrdiff_t>(size_of(type_));
      items_.insert(items_.end(), value.bytes.begin(), value.bytes.begin() + size);
    } catch (const UsageError& error) {
      throw InputError(fmt::format("{}, line {}: {}; {}", label_, text.line(), error.what(), advice));
    }
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(items_); }

 private:
  Type type_;
  std::size_t index_;
  const std::string& label_;
  std::vector<std::byte> items_;
};

void check_width(const DelimitedText& text, std::size_t columns, const std::string& label) {
  if (text.fields().size() == columns) return;
  throw InputError(
      fmt::format("{}, line {}: the line has {}, but the first line has {}; correct the line, or quote fields "
                  "that contain separators",
                  label, text.line(), counted(text.fields().size(), "field"), columns));
}

}  // namespace

Table parse_table(std::string_view text, Type type, const std::string& column, const std::string& label) {
  constexpr std::string_view advice = "correct it, or choose another --column or --type";
  DelimitedText table(text, label);
  if (!table.next()) return {};
  const std::size_t columns = table.fields().size();
  const Choice choice = choose(table.fields(), type, column, label);
  Column items(type, choice.index, label);
  Table read;
  if (choice.guessed) read.header = fmt::format("{}", fmt::join(table.fields(), ", "));
  if (!choice.header)
    items.append(table, fmt::format("{}; if the line is a header, choose the column by name", advice));
  while (table.next()) {
    check_width(table, columns, label);
    items.append(table, advice);
  }
  read.items = items.take();
  return read;
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
