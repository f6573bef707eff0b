#include <upsweep/scalar.hpp>

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/floating_text.hpp"
#include "generator/quote.hpp"

namespace upsweep {
namespace {

// Calls `use` with a value of the C++ type behind a Type.
template <typename Use>
auto visit_type(Type type, Use use) {
  switch (type) {
    case Type::i8:
      return use(std::int8_t{});
    case Type::u8:
      return use(std::uint8_t{});
    case Type::i16:
      return use(std::int16_t{});
    case Type::u16:
      return use(std::uint16_t{});
    case Type::i32:
      return use(std::int32_t{});
    case Type::u32:
      return use(std::uint32_t{});
    case Type::i64:
      return use(std::int64_t{});
    case Type::u64:
      return use(std::uint64_t{});
    case Type::f16:
      return use(f16{});
    case Type::bf16:
      return use(bf16{});
    case Type::f32:
      return use(float{});
    case Type::f64:
      return use(double{});
    case Type::c64:
      return use(std::complex<float>{});
    case Type::c128:
      break;
  }
  return use(std::complex<double>{});
}

template <typename T>
constexpr bool is_complex_v = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// A small integer or infinity, in any of the types.
template <typename T>
Scalar from(double value) {
  if constexpr (is_complex_v<T>) {
    return Scalar::of(T(static_cast<typename T::value_type>(value)));
  } else if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) {
    return Scalar::of(static_cast<T>(value));
  } else {
    return Scalar::of(T(static_cast<float>(value)));
  }
}

template <typename T>
Scalar extreme(bool greatest) {
  if constexpr (std::is_integral_v<T>) {
    return Scalar::of(greatest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min());
  } else {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return from<T>(greatest ? infinity : -infinity);
  }
}

template <typename T>
Scalar all_ones() {
  if constexpr (std::is_integral_v<T>) {
    return Scalar::of(static_cast<T>(~T{0}));
  } else {
    return from<T>(0);
  }
}

[[noreturn]] void refuse(Type type, std::string_view text, const char* why) {
  throw UsageError(fmt::format("'{}' is {} {}", clipped(text), why, name(type)));
}

template <typename T>
Scalar parse_integer(Type type, std::string_view text) {
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
T take_number(Type type, std::string_view whole, std::string_view& text) {
  T value{};
  const NumberText found = read_floating(text, value);
  if (found == NumberText::too_large) refuse(type, whole, "out of the range of");
  if (found == NumberText::none) refuse(type, whole, "not a number of type");
  return value;
}

template <typename T>
Scalar parse_floating(Type type, std::string_view text) {
  std::string_view rest = text;
  const auto value = take_number<T>(type, text, rest);
  if (!rest.empty()) refuse(type, text, "not a number of type");
  return Scalar::of(value);
}

template <typename T>
Scalar parse_complex(Type type, std::string_view text) {
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

}  // namespace

Scalar identity(Operator op, Type type) {
  validate(op, type);
  return visit_type(type, [&]<typename T>(T) {
    switch (op) {
      case Operator::multiplies:
        return from<T>(1);
      case Operator::minimum:
        return extreme<T>(true);
      case Operator::maximum:
        return extreme<T>(false);
      case Operator::bit_and:
        return all_ones<T>();
      case Operator::affine: {
        Scalar map = from<T>(0);
        map.bytes[size_of(type) / 2] = std::byte{1};  // little-endian: m = 1 in the high half
        return map;
      }
      default:
        return from<T>(0);
    }
  });
}

Scalar parse_scalar(Type type, std::string_view text) {
  return visit_type(type, [&]<typename T>(T) {
    if constexpr (std::is_integral_v<T>) {
      return parse_integer<T>(type, text);
    } else if constexpr (is_complex_v<T>) {
      return parse_complex<T>(type, text);
    } else {
      return parse_floating<T>(type, text);
    }
  });
}

std::string to_string(const Scalar& scalar) {
  return visit_type(scalar.type, [&]<typename T>(T value) -> std::string {
    std::memcpy(static_cast<void*>(&value), scalar.bytes.data(), sizeof(T));
    if constexpr (std::is_integral_v<T>) {
      return std::to_string(value);
    } else if constexpr (is_complex_v<T>) {
      return complex_text(value);
    } else if constexpr (std::is_same_v<T, double>) {
      return fmt::format("{}", value);
    } else {
      return fmt::format("{}", static_cast<float>(value));
    }
  });
}

}  // namespace upsweep
