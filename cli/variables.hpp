// The environment variables that upsweep reads, for its manual.
#pragma once

#include <span>
#include <string_view>

namespace upsweep::cli {

struct VariableText {
  std::string_view name;
  std::string_view meaning;
};

// Those for users, and none of those for tests and for processes that upsweep itself starts.
[[nodiscard]] std::span<const VariableText> environment_variables() noexcept;

}  // namespace upsweep::cli
