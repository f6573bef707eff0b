#include "cli/text_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>
#include <upsweep/scalar.hpp>

#include "base/text.hpp"
#include "cli/count.hpp"
#include "cli/delimited.hpp"
#include "cli/plain_text.hpp"

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
  return std::ranges::find(marks, lower(field)) != marks.end();
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
  bool guessed = false;  // it does by its looks, not by the option
};

// The column as a number counted from 1, if it is one that the table has.
std::optional<std::size_t> numbered_column(const std::string& column, std::size_t columns) {
  std::size_t number = 0;
  const char* const end = column.data() + column.size();
  const auto [stop, error] = std::from_chars(column.data(), end, number);
  if (error != std::errc{} || stop != end || number == 0 || number > columns) return std::nullopt;
  return number - 1;
}

// What the option takes; names where the first line looks like some.
std::string known_columns(std::span<const std::string> first, Type type) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (is_header(first, i, type)) {
      std::vector<std::string> names;
      for (const std::string& name : first) names.push_back(base::clipped(name));
      return fmt::format("a number from 1 to {} or one of: {}", first.size(), fmt::join(names, ", "));
    }
  }
  return fmt::format("a number from 1 to {}", first.size());
}

Choice choose(std::span<const std::string> first, const ColumnChoice& asked, const std::string& label) {
  const std::string& column = asked.column;
  const Type type = asked.type;
  if (column.empty() && first.size() != 1 && asked.option.empty()) {
    throw InputError(fmt::format("{} has {} columns, but one is read: write one number per line", label, first.size()));
  }
  if (column.empty() && first.size() != 1) {
    throw UsageError(fmt::format("{} has {} columns; choose one with {}: {}", label, first.size(), asked.option,
                                 known_columns(first, type)));
  }
  if (const auto index = column.empty() ? 0 : numbered_column(column, first.size())) {
    const bool header = is_header(first, *index, type);
    return {*index, header, header};
  }
  const auto at = std::ranges::find(first, column);
  if (at == first.end()) {
    throw UsageError(fmt::format("{} has no column '{}'; choose one with {}: {}", label, base::clipped(column),
                                 asked.option, known_columns(first, type)));
  }
  if (std::find(at + 1, first.end(), column) != first.end()) {
    throw UsageError(fmt::format("{} has several columns named '{}'; choose one by its number, from 1 to {}", label,
                                 base::clipped(column), first.size()));
  }
  return {static_cast<std::size_t>(at - first.begin()), true, false};
}

// Numbers of one column, appended one by one.
class Column {
 public:
  Column(const ColumnChoice& asked, std::size_t index, const std::string& label)
      : asked_(asked), index_(index), label_(label) {}

  // may_be_header: worth saying of a text that is not a number.
  void append(const DelimitedText& text, bool may_be_header = false) {
    try {
      const Scalar value = parse_scalar(asked_.type, text.fields()[index_]);
      const auto size = static_cast<std::ptrdiff_t>(size_of(asked_.type));
      items_.insert(items_.end(), value.bytes.begin(), value.bytes.begin() + size);
    } catch (const UsageError& error) {
      const bool has_option = !asked_.option.empty();  // to choose a column
      throw InputError(
          fmt::format("{}, line {}: {}; correct it, or choose another {}{}{}{}", label_, text.line(), error.what(),
                      asked_.option, has_option ? " or " : "", asked_.type_option,
                      may_be_header && has_option ? "; if the line is a header, choose the column by name" : ""));
    }
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(items_); }

 private:
  const ColumnChoice& asked_;
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

Table parse_table(std::string_view text, const std::vector<ColumnChoice>& choices, const std::string& label) {
  DelimitedText table(text, label);
  if (!table.next()) return {std::vector<std::vector<std::byte>>(choices.size()), {}};
  const std::size_t width = table.fields().size();
  bool named = false, looks_like_header = true;
  std::vector<Column> columns;
  for (const ColumnChoice& asked : choices) {
    const Choice choice = choose(table.fields(), asked, label);
    named = named || (choice.header && !choice.guessed);
    looks_like_header = looks_like_header && choice.header;
    columns.emplace_back(asked, choice.index, label);
  }
  Table read;
  if (!named && looks_like_header) read.header = fmt::format("{}", fmt::join(table.fields(), ", "));
  if (!named && !looks_like_header) {
    for (Column& column : columns) column.append(table, true);
  }
  while (table.next()) {
    check_width(table, width, label);
    for (Column& column : columns) column.append(table);
  }
  for (Column& column : columns) read.columns.push_back(column.take());
  return read;
}

std::string format_columns(std::span<const ColumnItems> columns, char separator) {
  std::string text;
  const std::size_t rows = columns.empty() ? 0 : columns[0].items.size() / size_of(columns[0].type);
  Scalar value;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t width = size_of(columns[i].type);
      value.type = columns[i].type;
      std::memcpy(value.bytes.data(), columns[i].items.data() + row * width, width);
      text += to_string(value);
      text += i + 1 < columns.size() ? separator : '\n';
    }
  }
  return text;
}

std::string format_column(std::span<const std::byte> items, Type type) {
  const ColumnItems column{items, type};
  return format_columns({&column, 1}, ',');
}

bool looks_like_text(std::span<const std::byte> bytes) noexcept {
  return std::ranges::all_of(bytes, [](std::byte b) {
    const auto code = std::to_integer<unsigned>(b);
    return (code >= 0x20 && code != 0x7f) || (code >= 0x09 && code <= 0x0d);
  });
}

}  // namespace upsweep::cli
