// Reads and writes columns of numbers in text tables (CSV and the like).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/types.hpp>

namespace upsweep::cli {

// A column that is asked for, and the options that asked for it, for messages.
struct ColumnChoice {
  Type type = Type::i32;
  std::string column{};  // a number counted from 1 or a name in the first line; empty: the only one
  std::string option = "--column";
  std::string type_option = "--type";
};

struct Table {
  std::vector<std::vector<std::byte>> columns;  // the items of those that were asked for, in that order
  std::string header;  // the first line, if its looks alone made it a header: worth saying, for it was left out
};

// The numbers of some columns, each rounded or checked as parse_scalar does, as arrays of their types. `label` names
// the file in messages. The first line is a header if a column is chosen by a name in it. It is also a header if no
// field looks like a number, and all chosen fields start with an ASCII letter and do not mark a missing value. Throws
// InputError, which names the line, for text that is not a number, for a line with more or fewer fields than the first,
// and for quotes that break RFC 4180. Throws UsageError if the table has no such column or two, or if it has several
// columns and none is named.
[[nodiscard]] Table parse_table(std::string_view text, const std::vector<ColumnChoice>& choices,
                                const std::string& label);

// One number a line.
[[nodiscard]] std::string format_column(std::span<const std::byte> items, Type type);

// Numbers of one type that stand below each other in a table.
struct ColumnItems {
  std::span<const std::byte> items;
  Type type = Type::i32;
};
// One number of each column a line, the separator between them. All columns have as many items.
[[nodiscard]] std::string format_columns(std::span<const ColumnItems> columns, char separator);

// Whether the bytes can be text: no control characters but tabs and line ends.
[[nodiscard]] bool looks_like_text(std::span<const std::byte> bytes) noexcept;

}  // namespace upsweep::cli
