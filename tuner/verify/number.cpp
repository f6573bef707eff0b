#include "tuner/verify/number.hpp"

#include <cstring>

namespace upsweep::tuner {
namespace {

// Keeps the low bits that the integer type has.
std::int64_t wrap(Type type, std::int64_t value) {
  const int unused = 64 - 8 * static_cast<int>(size_of(type));
  const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
  return is_signed(type) ? static_cast<std::int64_t>(high) >> unused : static_cast<std::int64_t>(high >> unused);
}

template <typename T>
T read_as(const std::byte* from) {
  T value;
  std::memcpy(static_cast<void*>(&value), from, sizeof(T));
  return value;
}

}  // namespace

Number load_number(Type type, const std::byte* from) {
  switch (type) {
    case Type::f16:
      return {.floating = static_cast<double>(static_cast<float>(read_as<f16>(from)))};
    case Type::bf16:
      return {.floating = static_cast<double>(static_cast<float>(read_as<bf16>(from)))};
    case Type::f32:
      return {.floating = static_cast<double>(read_as<float>(from))};
    case Type::f64:
      return {.floating = read_as<double>(from)};
    case Type::c64:
      return {.floating = static_cast<double>(read_as<float>(from)),
              .imaginary = static_cast<double>(read_as<float>(from + sizeof(float)))};
    case Type::c128:
      return {.floating = read_as<double>(from), .imaginary = read_as<double>(from + sizeof(double))};
    default:
      break;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, size_of(type));  // every platform of a CUDA device is little-endian
  return {.integer = wrap(type, static_cast<std::int64_t>(bits))};
}

void store_number(Type type, Number value, std::byte* to) {
  const Scalar scalar = to_scalar(type, value);
  std::memcpy(to, scalar.bytes.data(), size_of(type));
}

Scalar to_scalar(Type type, Number value) {
  switch (type) {
    case Type::f16:
      return Scalar::of(f16(static_cast<float>(value.floating)));
    case Type::bf16:
      return Scalar::of(bf16(static_cast<float>(value.floating)));
    case Type::f32:
      return Scalar::of(static_cast<float>(value.floating));
    case Type::f64:
      return Scalar::of(value.floating);
    case Type::c64:
      return Scalar::of(std::complex(static_cast<float>(value.floating), static_cast<float>(value.imaginary)));
    case Type::c128:
      return Scalar::of(std::complex(value.floating, value.imaginary));
    default:
      break;
  }
  Scalar scalar;
  scalar.type = type;
  std::memcpy(scalar.bytes.data(), &value.integer, size_of(type));
  return scalar;
}

FloatingFormat format_of(Type type) {
  return entry_of(type).format;
}

}  // namespace upsweep::tuner
