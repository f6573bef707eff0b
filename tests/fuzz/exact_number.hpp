// A second opinion on what a text rounds to: read with 113 bits, then rounded once, in integers.
#pragma once

#include <cfenv>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include <upsweep/types.hpp>

namespace upsweep::fuzz {

#if LDBL_MANT_DIG == 113
using Wide = long double;
extern "C" Wide upsweep_fuzz_read_wide(const char* text, char** end) __asm__("strtold");
#else
__extension__ typedef __float128 Wide;
extern "C" Wide upsweep_fuzz_read_wide(const char* text, char** end) __asm__("strtof128");
#endif
__extension__ typedef unsigned __int128 WideBits;

// Bits of the significand, exponent of the smallest value above 0, and exponent from which on there is infinity.
struct Precision {
  int bits, smallest, infinity;
};

inline Precision precision_of(Type type) {
  switch (part_of(type)) {
    case Type::f16:
      return {11, -24, 16};
    case Type::bf16:
      return {8, -133, 128};
    case Type::f32:
      return {24, -149, 128};
    default:
      return {53, -1074, 1024};
  }
}

// The number that `text` starts with, towards zero, its last bit set if bits were lost: rounding it on to at most 111
// bits is rounding once (Boldo and Melquiond, 2008). With where it ends.
inline std::pair<Wide, const char*> read_to_odd(const char* text) {
  const int mode = std::fegetround();
  char* end = nullptr;
  std::fesetround(FE_UPWARD);
  const Wide up = upsweep_fuzz_read_wide(text, &end);
  std::fesetround(FE_DOWNWARD);
  const Wide down = upsweep_fuzz_read_wide(text, &end);
  std::fesetround(mode);
  if (up == down || up != up) return {up, end};
  Wide nearer_zero = down < 0 ? up : down;
  WideBits bits = 0;
  std::memcpy(&bits, &nearer_zero, sizeof bits);
  bits |= 1;
  std::memcpy(&nearer_zero, &bits, sizeof bits);
  return {nearer_zero, end};
}

// To nearest, ties to even.
inline double rounded(Wide value, Precision precision) {
  constexpr int fraction_bits = 112, bias = 16383;
  WideBits bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const bool negative = (bits >> 127) != 0;
  const int exponent = static_cast<int>(bits >> fraction_bits) & 0x7fff;
  const WideBits fraction = bits & ((WideBits{1} << fraction_bits) - 1);
  const double sign = negative ? -1.0 : 1.0;
  if (exponent == 0x7fff) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * 0.0;  // below every type's smallest value by far
  const WideBits significand = fraction | WideBits{1} << fraction_bits;
  const int lowest = exponent - bias - fraction_bits;  // exponent of its last bit
  const int kept = std::max(exponent - bias - precision.bits + 1, precision.smallest);
  const int dropped = kept - lowest;
  if (dropped > fraction_bits + 1) return sign * 0.0;
  const WideBits half = WideBits{1} << (dropped - 1);
  const WideBits rest = significand & (2 * half - 1);
  WideBits result = significand >> dropped;
  if (rest > half || (rest == half && (result & 1) != 0)) ++result;
  const double magnitude = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(result)), kept);
  return sign * (magnitude >= std::ldexp(1.0, precision.infinity - 1) * 2.0 ? INFINITY : magnitude);
}

}  // namespace upsweep::fuzz
