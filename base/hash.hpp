// The hash of a text, for keys and names of files.
#pragma once

#include <string>
#include <string_view>

namespace upsweep::base {

// 128 bits of XXH3, as 32 hexadecimal digits.
[[nodiscard]] std::string hash(std::string_view text);

}  // namespace upsweep::base
