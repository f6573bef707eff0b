#include "base/size.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"

namespace upsweep::base {
namespace {

constexpr std::string_view suffixes = "KMGT";  // the i-th stands for 2^(10 (i + 1))

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw UsageError(fmt::format("size '{}' {}; write it as 1048576, 1M (K, M, G, T: powers of 1024), 2^20 or 1e6",
                               clipped(text), why));
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

// 1e6 and 1.5e6, where that is a whole number. None: the text is not of this form.
std::optional<std::uint64_t> parse_scientific(std::string_view text) {
  const std::size_t letter = text.find_first_of("eE");
  if (letter == text.npos) return std::nullopt;
  const std::string_view mantissa = text.substr(0, letter);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::string_view fraction = mantissa.substr(std::min(point + 1, mantissa.size()));
  std::string digits(mantissa.substr(0, point));
  std::uint64_t exponent = parse_digits(text.substr(letter + 1), text);
  if (digits.empty() || (point < mantissa.size() && fraction.empty())) refuse(text, "is not a number of items");
  digits += fraction;
  if (exponent < fraction.size()) refuse(text, "is not a whole number");
  if (parse_digits(digits, text) == 0) return 0;
  exponent -= fraction.size();
  constexpr std::uint64_t most_digits = 20;  // of 64 bits
  if (exponent > most_digits) refuse(text, "does not fit in 64 bits");
  return parse_digits(digits.append(exponent, '0'), text);
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
  if (const std::optional<std::uint64_t> size = parse_scientific(text)) return *size;
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

std::string format_items(std::uint64_t size) {
  return format_size(size) + (size == 1 ? " item" : " items");
}

std::vector<std::uint64_t> parse_sizes(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> sizes;
  for (const std::string& text : texts) {
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) {
      sizes.push_back(parse_size(text));
      continue;
    }
    const std::uint64_t first = parse_size(text.substr(0, dots)), last = parse_size(text.substr(dots + 2));
    if (!std::has_single_bit(first) || !std::has_single_bit(last) || first > last) {
      throw UsageError(
          fmt::format("'{}' is not a range of sizes: give two powers of two, the smaller first, for example 2^10..2^30",
                      clipped(text)));
    }
    for (std::uint64_t size = first; size <= last && size != 0; size *= 2) sizes.push_back(size);
  }
  return sizes;
}

}  // namespace upsweep::base
