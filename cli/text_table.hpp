// One column of numbers from a text table.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/types.hpp>

namespace upsweep::cli {

// The numbers of a column, each rounded or checked as parse_scalar does, as an array of the type. `column` is a number
// counted from 1 or a name in the header line, empty for the only one; `label` names the file in messages.
// Throws InputError naming the line for a text that is no number or a missing field, UsageError where the column is not
// in the table or is not named and there are several.
[[nodiscard]] std::vector<std::byte> parse_table(std::string_view text, Type type, const std::string& column,
                                                 const std::string& label);

// One number a line.
[[nodiscard]] std::string format_column(std::span<const std::byte> items, Type type);

// Whether the bytes can be text: no control characters but tabs and line ends.
[[nodiscard]] bool looks_like_text(std::span<const std::byte> bytes) noexcept;

}  // namespace upsweep::cli
