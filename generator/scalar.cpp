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
      break;
  }
  return use(double{});
}

// A small integer or infinity, in any of the types.
template <typename T>
Scalar from(double value) {
  if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) {
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

template <typename T>
Scalar parse_floating(Type type, std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const bool blank = copy.empty() || std::isspace(static_cast<unsigned char>(copy[0])) != 0;
  if constexpr (std::is_same_v<T, double>) {
    const double value = std::strtod(copy.c_str(), &end);
    if (blank || *end != '\0') refuse(type, text, "no number of type");
    return Scalar::of(value);
  } else {
    const double exact = std::strtod(copy.c_str(), &end);
    if (blank || *end != '\0') refuse(type, text, "no number of type");
    auto value = static_cast<float>(exact);
    if constexpr (!std::is_same_v<T, float>) value = round_to_odd(exact);
    return Scalar::of(T(value));
  }
}

}  // namespace

Scalar identity(Operator op, Type type) {
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
    } else if constexpr (std::is_same_v<T, double>) {
      return fmt::format("{}", value);
    } else {
      return fmt::format("{}", static_cast<float>(value));
    }
  });
}

}  // namespace upsweep
