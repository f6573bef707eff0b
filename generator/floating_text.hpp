// Text to the floating types, each number rounded once, whatever the locale.
#pragma once

#include <string_view>

namespace upsweep {

enum class NumberText { read, none, too_large };

// Reads the number that `text` starts with into `value` and moves `text` behind it: an optional sign, then decimal
// digits with an optional point and exponent, hexadecimal ones after 0x with an optional binary exponent, inf, infinity
// or nan. T is f16, bf16, float or double. Rounds to nearest, ties to even; what is beyond the greatest number of the
// type is too large, what is nearer to zero than to any other becomes zero with its sign.
template <typename T>
[[nodiscard]] NumberText read_floating(std::string_view& text, T& value);

}  // namespace upsweep
