// One column of numbers from a text table.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/types.hpp>

namespace upsweep::cli {

struct Table {
  std::vector<std::byte> items;
  std::string header;  // the first line, if its looks alone made it a header: worth saying, for it was left out
};

// The numbers of a column, each rounded or checked as parse_scalar does, as an array of the type. `column` is a number
// counted from 1 or a name in the first line, empty for the only one; `label` names the file in messages. The first
// line is a header if `column` is a name in it. It is also a header if no field looks like a number, and the chosen
// field starts with an ASCII letter and does not mark a missing value. Throws InputError, which names the line, for
// text that is not a number, for a line with more or fewer fields than the first, and for quotes that break RFC 4180.
// Throws UsageError if the table has no such column or two, or if it has several columns and none is named.
[[nodiscard]] Table parse_table(std::string_view text, Type type, const std::string& column, const std::string& label);

// One number a line.
[[nodiscard]] std::string format_column(std::span<const std::byte> items, Type type);

// Whether the bytes can be text: no control characters but tabs and line ends.
[[nodiscard]] bool looks_like_text(std::span<const std::byte> bytes) noexcept;

}  // namespace upsweep::cli
