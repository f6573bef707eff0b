#include "cli/size.hpp"

#include <bit>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::cli {
namespace {

constexpr std::string_view suffixes = "KMGT";  // the i-th stands for 2^(10 (i + 1))

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw UsageError(
      fmt::format("size '{}' {}; write it as 1048576, 1M (K, M, G, T: powers of 1024) or 2^20", text, why));
}

// Digits only: from_chars would stop at the first other character.
std::uint64_t parse_digits(std::string_view digits, std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range) refuse(text, "does not fit in 64 bits");
  if (error != std::errc{} || stop != end) refuse(text, "is not a number of items");
  return value;
}

std::optional<int> suffix_exponent(char letter) {
  const char upper = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  const std::size_t at = suffixes.find(upper);
  if (at == std::string_view::npos) return std::nullopt;
  return 10 * (static_cast<int>(at) + 1);
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  if (text.empty()) refuse(text, "is empty");
  if (text.starts_with("2^")) {
    const std::uint64_t exponent = parse_digits(text.substr(2), text);
    if (exponent > 63) refuse(text, "does not fit in 64 bits");
    return std::uint64_t{1} << exponent;
  }
  const std::optional<int> exponent = suffix_exponent(text.back());
  if (!exponent) return parse_digits(text, text);
  const std::uint64_t count = parse_digits(text.substr(0, text.size() - 1), text);
  if (count > std::numeric_limits<std::uint64_t>::max() >> *exponent) refuse(text, "does not fit in 64 bits");
  return count << *exponent;
}

std::string format_size(std::uint64_t size) {
  if (size >= 1024 && std::has_single_bit(size)) return fmt::format("2^{}", std::countr_zero(size));
  for (std::size_t at = suffixes.size(); at-- > 0;) {
    const std::uint64_t unit = std::uint64_t{1} << (10 * (at + 1));
    if (size >= unit && size % unit == 0) return fmt::format("{}{}", size / unit, suffixes[at]);
  }
  return fmt::format("{}", size);
}

}  // namespace upsweep::cli
