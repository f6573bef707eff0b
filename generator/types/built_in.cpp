#include "generator/types/built_in.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/floating_text.hpp"

namespace upsweep {
namespace {

template <typename T>
constexpr bool is_complex = false;
template <typename Part>
constexpr bool is_complex<std::complex<Part>> = true;

// A small integer or infinity, in any of the types.
template <typename T>
Scalar from(double value) {
  if constexpr (is_complex<T>) {
    return Scalar::of(T(static_cast<typename T::value_type>(value)));
  } else if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) {
    return Scalar::of(static_cast<T>(value));
  } else {
    return Scalar::of(T(static_cast<float>(value)));
  }
}

[[noreturn]] void refuse(const std::string& type, std::string_view text, const char* why) {
  throw UsageError(fmt::format("'{}' is {} {}", base::clipped(text), why, type));
}

template <typename T>
Scalar parse_integer(const std::string& type, std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view magnitude = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const bool hex = magnitude.starts_with("0x") || magnitude.starts_with("0X");
  if (hex) magnitude.remove_prefix(2);
  if (magnitude.starts_with('-')) refuse(type, text, "not a number of type");  // from_chars would take it
  const std::string digits = (negative ? "-" : "") + std::string(magnitude);
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) refuse(type, text, "out of the range of");
  if (error != std::errc{} || end != digits.data() + digits.size()) refuse(type, text, "not a number of type");
  return Scalar::of(value);
}

// The number that `text` starts with; moves it behind.
template <typename T>
T take_number(const std::string& type, std::string_view whole, std::string_view& text) {
  T value{};
  const NumberText found = read_floating(text, value);
  if (found == NumberText::too_large) refuse(type, whole, "out of the range of");
  if (found == NumberText::none) refuse(type, whole, "not a number of type");
  return value;
}

template <typename T>
Scalar parse_floating(const std::string& type, std::string_view text) {
  std::string_view rest = text;
  const auto value = take_number<T>(type, text, rest);
  if (!rest.empty()) refuse(type, text, "not a number of type");
  return Scalar::of(value);
}

template <typename T>
Scalar parse_complex(const std::string& type, std::string_view text) {
  using Part = typename T::value_type;
  std::string_view rest = text;
  if (rest.starts_with('(') && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);
  const auto ends_imaginary = [&] { return rest == "i" || rest == "j"; };
  const auto first = take_number<Part>(type, text, rest);
  if (rest.empty()) return Scalar::of(T(first));
  if (ends_imaginary()) return Scalar::of(T(0, first));
  if (!rest.starts_with('+') && !rest.starts_with('-')) refuse(type, text, "not a number of type");
  const auto second = take_number<Part>(type, text, rest);
  if (!ends_imaginary()) refuse(type, text, "not a number of type");
  return Scalar::of(T(first, second));
}

template <typename Part>
bool is_positive_zero(Part value) {
  return value == 0 && !std::signbit(value);
}

template <typename Part>
std::string complex_text(std::complex<Part> value) {
  if (is_positive_zero(value.imag())) return fmt::format("{}", value.real());
  if (is_positive_zero(value.real())) return fmt::format("{}i", value.imag());
  return fmt::format("{}{:+}i", value.real(), value.imag());
}

template <typename T>
T value_of(const Scalar& scalar) {
  T value;
  std::memcpy(static_cast<void*>(&value), scalar.bytes.data(), sizeof(T));
  return value;
}

template <typename T>
TypeEntry described_as(TypeEntry entry, Kind kind) {
  entry.size = entry.alignment = sizeof(T);
  entry.kind = kind;
  entry.zero = from<T>(0);
  entry.one = from<T>(1);
  return entry;
}

}  // namespace

template <typename T>
TypeEntry integer_type(TypeEntry described) {
  TypeEntry entry =
      described_as<T>(std::move(described), std::is_signed_v<T> ? Kind::signed_integer : Kind::unsigned_integer);
  entry.least = Scalar::of(std::numeric_limits<T>::min());
  entry.most = Scalar::of(std::numeric_limits<T>::max());
  entry.ones = Scalar::of(static_cast<T>(~T{0}));
  entry.parse = [type = entry.name](std::string_view text) { return parse_integer<T>(type, text); };
  entry.text = [](const Scalar& scalar) { return std::to_string(value_of<T>(scalar)); };
  return entry;
}

template <typename T>
TypeEntry floating_type(TypeEntry described) {
  TypeEntry entry = described_as<T>(std::move(described), Kind::floating);
  entry.least = from<T>(-std::numeric_limits<double>::infinity());
  entry.most = from<T>(std::numeric_limits<double>::infinity());
  entry.ones = entry.zero;
  entry.parse = [type = entry.name](std::string_view text) { return parse_floating<T>(type, text); };
  entry.text = [](const Scalar& scalar) {
    using Printed = std::conditional_t<std::is_same_v<T, double>, double, float>;
    return fmt::format("{}", static_cast<Printed>(value_of<T>(scalar)));
  };
  return entry;
}

template <typename T>
TypeEntry complex_type(TypeEntry described) {
  TypeEntry entry = described_as<T>(std::move(described), Kind::complex);
  entry.least = entry.most = entry.ones = entry.zero;
  entry.parse = [type = entry.name](std::string_view text) { return parse_complex<T>(type, text); };
  entry.text = [](const Scalar& scalar) { return complex_text(value_of<T>(scalar)); };
  return entry;
}

template TypeEntry integer_type<std::int8_t>(TypeEntry);
template TypeEntry integer_type<std::uint8_t>(TypeEntry);
template TypeEntry integer_type<std::int16_t>(TypeEntry);
template TypeEntry integer_type<std::uint16_t>(TypeEntry);
template TypeEntry integer_type<std::int32_t>(TypeEntry);
template TypeEntry integer_type<std::uint32_t>(TypeEntry);
template TypeEntry integer_type<std::int64_t>(TypeEntry);
template TypeEntry integer_type<std::uint64_t>(TypeEntry);
template TypeEntry floating_type<f16>(TypeEntry);
template TypeEntry floating_type<bf16>(TypeEntry);
template TypeEntry floating_type<float>(TypeEntry);
template TypeEntry floating_type<double>(TypeEntry);
template TypeEntry complex_type<std::complex<float>>(TypeEntry);
template TypeEntry complex_type<std::complex<double>>(TypeEntry);

}  // namespace upsweep
