#include "generator/floating_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <upsweep/types.hpp>

namespace upsweep {
namespace {

// A number as its text has it, without sign and 0x.
struct Magnitude {
  std::string_view text;
  bool hex = false;
};

// d . d d d ... times 10, or two for hexadecimal digits, to the exponent. No zeros at either end of the digits.
struct Digits {
  std::string digits;
  std::int64_t exponent = 0;
};

// A whole number; of one that is too long, one that is large enough and leaves room to add the length of a text.
std::int64_t read_exponent(std::string_view text) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4;
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) value = text.starts_with('-') ? -most : most;
  return std::clamp(value, -most, most);
}

Digits digits_of(const Magnitude& number) {
  const std::size_t mark = std::min(number.text.find_first_of(number.hex ? "pP" : "eE"), number.text.size());
  const std::string_view mantissa = number.text.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  Digits found{std::string(mantissa.substr(0, point)), 0};
  found.digits += mantissa.substr(std::min(point + 1, mantissa.size()));
  const std::size_t zeros = std::min(found.digits.find_first_not_of('0'), found.digits.size());
  found.digits.erase(0, zeros);
  found.digits.erase(found.digits.find_last_not_of('0') + 1);
  found.exponent = (static_cast<std::int64_t>(point) - 1 - static_cast<std::int64_t>(zeros)) * (number.hex ? 4 : 1);
  if (mark < number.text.size()) found.exponent += read_exponent(number.text.substr(mark + 1));
  return found;
}

// Rounded to float or double; none if it is too large, which from_chars does not tell from too small.
template <typename T>
std::optional<T> nearest(const Magnitude& number) {
  T value{};
  const auto format = number.hex ? std::chars_format::hex : std::chars_format::general;
  const char* const end = number.text.data() + number.text.size();
  const auto [stop, error] = std::from_chars(number.text.data(), end, value, format);
  if (error != std::errc::result_out_of_range) return value;
  if (digits_of(number).exponent > 0) return std::nullopt;
  return T{};
}

// Rounds to a float so that rounding on to 16 bits gives what rounding once would have given: an inexact result has its
// last bit set (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
float round_to_odd(double exact) {
  auto value = static_cast<float>(exact);
  if (static_cast<double>(value) == exact || !std::isfinite(value)) return value;
  if (std::fabs(static_cast<double>(value)) > std::fabs(exact)) value = std::nextafterf(value, 0.0f);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | 1u);
}

// The same of hexadecimal digits to a double: 13 of them, all bits but one of which are kept in full.
double round_to_odd(const Digits& hex) {
  constexpr std::size_t kept = 13;
  const std::string_view digits = std::string_view(hex.digits).substr(0, kept);
  std::uint64_t mantissa = 0;
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), mantissa, 16);
  if (hex.digits.size() > kept) mantissa |= 1;
  const auto behind_point = 4 * (static_cast<std::int64_t>(digits.size()) - 1);
  return std::ldexp(static_cast<double>(mantissa),
                    static_cast<int>(std::clamp<std::int64_t>(hex.exponent - behind_point, -2000, 2000)));
}

// The order of a decimal text and a double that has so few bits that 150 digits hold it: half the least bf16 has 94.
int compare(const Magnitude& number, double value) {
  std::array<char, 200> text{};
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 150).ptr;
  const Digits one = digits_of(number), other = digits_of({{text.data(), end}});
  if (one.exponent != other.exponent) return one.exponent < other.exponent ? -1 : 1;
  return one.digits.compare(other.digits);
}

// Halfway between two neighbours of f16 or bf16, which a double holds exactly. Infinity counts as what comes after the
// greatest number.
template <typename T>
double halfway(T below, T above) {
  T before = below;
  --before.bits;
  const double low = static_cast<float>(below);
  const double high = std::isinf(static_cast<float>(above)) ? 2 * low - static_cast<float>(before)
                                                            : static_cast<double>(static_cast<float>(above));
  return (low + high) / 2;
}

// Of f16 and bf16. The nearest double, rounded on, is right unless it lies halfway between two of the type: then the
// text decides on which side it is.
template <typename T>
T round_decimal(const Magnitude& number, double value) {
  const T below(round_to_odd(std::nextafter(value, 0.0)));
  const T above(round_to_odd(std::nextafter(value, std::numeric_limits<double>::infinity())));
  const T rounded(round_to_odd(value));
  if (below.bits == above.bits || value != halfway(below, above)) return rounded;
  const int order = compare(number, value);
  return order < 0 ? below : order > 0 ? above : rounded;
}

template <typename T>
std::optional<T> round(const Magnitude& number) {
  if constexpr (std::is_floating_point_v<T>) {
    return nearest<T>(number);
  } else {
    const std::optional<double> value = nearest<double>(number);
    if (!value) return std::nullopt;
    if (!std::isfinite(*value)) return T(static_cast<float>(*value));
    const T rounded = number.hex ? T(round_to_odd(round_to_odd(digits_of(number)))) : round_decimal<T>(number, *value);
    if (std::isinf(static_cast<float>(rounded))) return std::nullopt;
    return rounded;
  }
}

template <typename T>
T negated(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return -value;
  } else {
    return T(-static_cast<float>(value));
  }
}

// The number that a text without a sign starts with; an empty one if it starts with none.
Magnitude find_magnitude(std::string_view text) {
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hex) text.remove_prefix(2);
  // from_chars takes a sign, and after 0x inf and nan too.
  const bool digit = !text.empty() && std::isxdigit(static_cast<unsigned char>(text[0])) != 0;
  if (text.starts_with('-') || (hex && !digit && !text.starts_with('.'))) return {};
  // That of libstdc++ 12 takes two signs of a hexadecimal exponent too: there the number ends before the exponent.
  if (hex) text = text.substr(0, std::min(text.find("p+-"), text.find("P+-")));
  double value = 0;
  const auto format = hex ? std::chars_format::hex : std::chars_format::general;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (error == std::errc::invalid_argument) return {};
  return {text.substr(0, static_cast<std::size_t>(stop - text.data())), hex};
}

}  // namespace

template <typename T>
NumberText read_floating(std::string_view& text, T& value) {
  const bool negative = text.starts_with('-');
  const Magnitude number = find_magnitude(negative || text.starts_with('+') ? text.substr(1) : text);
  if (number.text.empty()) return NumberText::none;
  const std::optional<T> magnitude = round<T>(number);
  if (!magnitude) return NumberText::too_large;
  value = negative ? negated(*magnitude) : *magnitude;
  text.remove_prefix(static_cast<std::size_t>(number.text.data() + number.text.size() - text.data()));
  return NumberText::read;
}

template NumberText read_floating(std::string_view&, f16&);
template NumberText read_floating(std::string_view&, bf16&);
template NumberText read_floating(std::string_view&, float&);
template NumberText read_floating(std::string_view&, double&);

}  // namespace upsweep
