// Reads environment variables.
#pragma once

#include <optional>
#include <string>

namespace upsweep::base {

// The variable's value; nothing if it is unset or empty, or if this process has more rights than its caller (setuid):
// they are not to be used for what the caller likes.
[[nodiscard]] std::optional<std::string> environment(const char* name);

}  // namespace upsweep::base
