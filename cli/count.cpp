#include "cli/count.hpp"

#include <charconv>

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

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace upsweep::cli
