// Conversions of the 16-bit floating types, on bits: no compiler that we support has both as language types.
#include <bit>

#include <upsweep/types.hpp>

namespace upsweep {
namespace {

// Drops the low `count` bits of a magnitude, rounding to nearest, ties to even.
std::uint32_t round_off(std::uint32_t bits, int count) {
  const std::uint32_t half = (std::uint32_t{1} << (count - 1)) - 1;
  return (bits + half + (bits >> count & 1)) >> count;
}

}  // namespace

f16::f16(float value) noexcept {
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(all >> 16 & 0x8000);
  const std::uint32_t magnitude = all & 0x7fffffff;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000) {
    result = 0x7fff;  // the NaN that cvt.rn.f16.f32 gives
  } else if (magnitude >= 0x47800000) {
    result = 0x7c00;  // 2^16 and more: infinity
  } else if (magnitude >= 0x38800000) {
    result = round_off(magnitude - (112u << 23), 13);  // normal; a carry out of the mantissa raises the exponent
  } else if (magnitude >= 0x33000000) {
    const int shift = 126 - static_cast<int>(magnitude >> 23);  // subnormal: a multiple of 2^-24
    result = round_off((magnitude & 0x7fffff) | 0x800000, shift);
  }
  bits = static_cast<std::uint16_t>(result == 0x7fff ? result : sign | result);
}

f16::operator float() const noexcept {
  const std::uint32_t sign = std::uint32_t{bits} << 16 & 0x80000000;
  const std::uint32_t exponent = bits >> 10 & 0x1f;
  const std::uint32_t mantissa = bits & 0x3ff;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

bf16::bf16(float value) noexcept {
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
  const bool nan = (all & 0x7fffffff) > 0x7f800000;
  bits = static_cast<std::uint16_t>(nan ? all >> 16 | 0x40 : round_off(all, 16));
}

bf16::operator float() const noexcept {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

}  // namespace upsweep
