#include "cli/count.hpp"

#include <charconv>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace upsweep::cli {

CLI::Option* whole_number(CLI::Option* option, std::uint64_t least, std::uint64_t most) {
  return option->check(CLI::Validator(
      [least, most](const std::string& text) -> std::string {
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (error == std::errc{} && stop == end && value >= least && value <= most) return {};
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
      },
      ""));
}

}  // namespace upsweep::cli
