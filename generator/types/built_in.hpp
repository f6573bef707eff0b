// What the entries of built-in types have in common: values of the C++ type, as scalars and as text.
#pragma once

#include <complex>

#include "generator/value_type.hpp"

namespace upsweep {

// Fill in what follows from the C++ type. `described.name` and `described.enumerator` must be there.
template <typename T>
[[nodiscard]] TypeEntry integer_type(TypeEntry described);
template <typename T>
[[nodiscard]] TypeEntry floating_type(TypeEntry described);
template <typename T>
[[nodiscard]] TypeEntry complex_type(TypeEntry described);

}  // namespace upsweep
