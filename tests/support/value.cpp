#include "tests/support/value.hpp"

#include <complex>
#include <cstring>

namespace upsweep::test {
namespace {

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(static_cast<void*>(&value), from, sizeof(T));
  return value;
}

}  // namespace

Value read(Type type, const std::byte* from) {
  switch (type) {
    case Type::i8:
      return {static_cast<std::uint64_t>(std::int64_t{load<std::int8_t>(from)}), 0};
    case Type::u8:
      return {load<std::uint8_t>(from), 0};
    case Type::i16:
      return {static_cast<std::uint64_t>(std::int64_t{load<std::int16_t>(from)}), 0};
    case Type::u16:
      return {load<std::uint16_t>(from), 0};
    case Type::i32:
      return {static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(from)}), 0};
    case Type::u32:
      return {load<std::uint32_t>(from), 0};
    case Type::i64:
    case Type::u64:
      return {load<std::uint64_t>(from), 0};
    case Type::f16:
      return {0, static_cast<float>(load<f16>(from))};
    case Type::bf16:
      return {0, static_cast<float>(load<bf16>(from))};
    case Type::f32:
      return {0, load<float>(from)};
    case Type::f64:
      return {0, load<double>(from)};
    case Type::c64:
      return {0, load<float>(from), load<float>(from + 4)};
    case Type::c128:
      break;
  }
  return {0, load<double>(from), load<double>(from + 8)};
}

void write(Type type, Value value, std::byte* to) {
  const auto put = [&](auto narrowed) { std::memcpy(to, static_cast<const void*>(&narrowed), sizeof narrowed); };
  switch (type) {
    case Type::f16:
      return put(f16(static_cast<float>(value.real)));
    case Type::bf16:
      return put(bf16(static_cast<float>(value.real)));
    case Type::f32:
      return put(static_cast<float>(value.real));
    case Type::f64:
      return put(value.real);
    case Type::c64:
      return put(std::complex(static_cast<float>(value.real), static_cast<float>(value.imaginary)));
    case Type::c128:
      return put(std::complex(value.real, value.imaginary));
    default:
      std::memcpy(to, &value.integer, size_of(type));  // little-endian: the low bytes are the value modulo 2^bits
  }
}

}  // namespace upsweep::test
