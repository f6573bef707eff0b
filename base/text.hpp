// Makes text from outside fit for messages: short, and without control characters.
#pragma once

#include <string>
#include <string_view>

namespace upsweep::base {

// The text with control characters as \x1b, and those of Unicode beyond ASCII (U+0080 to U+009F) as \x9b. Those of
// `kept` stay.
[[nodiscard]] std::string show_controls(std::string_view text, std::string_view kept = {},
                                        std::string_view escape = "\\x");

// The text, or the start of a long one and how long it is, with its control characters shown: a message stays one line
// that can be read.
[[nodiscard]] std::string clipped(std::string_view text);

}  // namespace upsweep::base
