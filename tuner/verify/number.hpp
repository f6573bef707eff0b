// Reads and writes single values of a type that is known at run time, for test data.
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

// Of a floating type, or of a complex type's parts.
[[nodiscard]] FloatingFormat format_of(Type type);

}  // namespace upsweep::tuner
