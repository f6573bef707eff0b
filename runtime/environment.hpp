// Environment variables.
#pragma once

#include <optional>
#include <string>

namespace upsweep::runtime {

// The variable's value; nothing if it is unset or empty.
[[nodiscard]] std::optional<std::string> environment(const char* name);

}  // namespace upsweep::runtime
