// Text from outside in messages.
#pragma once

#include <string>
#include <string_view>

namespace upsweep {

// The text, or the start of a long one and how long it is: a message stays one line that can be read.
[[nodiscard]] std::string clipped(std::string_view text);

}  // namespace upsweep
