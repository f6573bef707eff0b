#include <upsweep/scalar.hpp>

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <upsweep/error.hpp>

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
  throw UsageError(fmt::format("'{}' is {} {}", text, why, name(type)));
}

template <typename T>
Scalar parse_integer(Type type, std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  const bool negative = digits.starts_with('-');
  int base = 10;
  std::string unprefixed(digits);
  if (const std::size_t at = negative ? 1 : 0; digits.substr(at, 2) == "0x" || digits.substr(at, 2) == "0X") {
    base = 16;
    unprefixed.erase(at, 2);
  }
  T value{};
  const auto [end, error] = std::from_chars(unprefixed.data(), unprefixed.data() + unprefixed.size(), value, base);
  if (error == std::errc::result_out_of_range) refuse(type, text, "out of the range of");
  if (error != std::errc{} || end != unprefixed.data() + unprefixed.size()) refuse(type, text, "no number of type");
  return Scalar::of(value);
}

// Rounds to a float so that rounding on to 16 bits gives what rounding once would have given: an inexact result has its
// last bit set (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
float round_to_odd(double exact) {
  auto value = static_cast<float>(exact);
  if (static_cast<double>(value) == exact || !std::isfinite(value)) return value;
  if (std::fabs(static_cast<double>(value)) > std::fabs(exact)) value = std::nextafterf(value, 0.0f);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | 1u);
}

// The number that `text` starts with; moves it behind. None, or one after blanks: refused.
double take_number(Type type, std::string_view whole, const char*& text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || std::isspace(static_cast<unsigned char>(*text)) != 0) refuse(type, whole, "no number of type");
  text = end;
  return value;
}

template <typename T>
Scalar parse_floating(Type type, std::string_view text) {
  const std::string copy(text);
  const char* rest = copy.c_str();
  const double exact = take_number(type, text, rest);
  if (*rest != '\0') refuse(type, text, "no number of type");
  if constexpr (std::is_same_v<T, double>) {
    return Scalar::of(exact);
  } else {
    auto value = static_cast<float>(exact);
    if constexpr (!std::is_same_v<T, float>) value = round_to_odd(exact);
    return Scalar::of(T(value));
  }
}

template <typename T>
Scalar parse_complex(Type type, std::string_view text) {
  using Part = typename T::value_type;
  std::string copy(text);
  if (copy.starts_with('(') && copy.ends_with(')')) copy = copy.substr(1, copy.size() - 2);
  const char* rest = copy.c_str();
  const auto ends_imaginary = [&] { return (*rest == 'i' || *rest == 'j') && rest[1] == '\0'; };
  const auto first = static_cast<Part>(take_number(type, text, rest));
  if (*rest == '\0') return Scalar::of(T(first));
  if (ends_imaginary()) return Scalar::of(T(0, first));
  if (*rest != '+' && *rest != '-') refuse(type, text, "no number of type");
  const auto second = static_cast<Part>(take_number(type, text, rest));
  if (!ends_imaginary()) refuse(type, text, "no number of type");
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
