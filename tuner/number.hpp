// Values of types known at run time, as the reference computes with them: slow, plain, and nothing shared with the
// kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <upsweep/scalar.hpp>
#include <upsweep/types.hpp>

#include "generator/value_type.hpp"

namespace upsweep::tuner {

using Bytes = std::vector<std::byte>;

// An integer or a floating value, whichever the type that goes with it is.
struct Number {
  std::int64_t integer = 0;  // the value; of u64 the bits
  double floating = 0;       // every floating type's values are values of double; of complex types the real part
  double imaginary = 0;      // of complex types
};

[[nodiscard]] Number load_number(Type type, const std::byte* from);
// Integers lose their high bits, floating values are rounded to nearest.
void store_number(Type type, Number value, std::byte* to);
[[nodiscard]] Scalar to_scalar(Type type, Number value);

// As a kernel converts: integers wrap; to a 16-bit floating type it goes by way of f32; to a complex type without an
// imaginary part.
[[nodiscard]] Number convert(Number value, Type from, Type to);

// op(a, b) in the type, for operators that are exact on it.
[[nodiscard]] Number combine(Operator op, Type type, Number a, Number b);

// Of a floating type, or of a complex type's parts.
[[nodiscard]] FloatingFormat format_of(Type type);

}  // namespace upsweep::tuner
