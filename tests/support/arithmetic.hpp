// Arithmetic on values of types known at run time: slow, plain, and nothing shared with the kernels.
#pragma once

#include <upsweep/types.hpp>

#include "tuner/verify/number.hpp"

namespace upsweep::test {

using tuner::Number;

// As a kernel converts: integers wrap; to a 16-bit floating type it goes by way of f32; to a complex type without an
// imaginary part.
[[nodiscard]] Number convert(Number value, Type from, Type to);

// Whether every association of the operator gives the same bits: all but floating plus and multiplies.
[[nodiscard]] bool is_exact(Operator op, Type type) noexcept;

// op(a, b) in the type, for operators that are exact on it.
[[nodiscard]] Number combine(Operator op, Type type, Number a, Number b);

}  // namespace upsweep::test
