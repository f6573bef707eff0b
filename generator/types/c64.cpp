#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& c64_entry() {
  return *new TypeEntry(complex_type<std::complex<float>>({
      .name = "c64",
      .aliases = {"complex64", "complex<float>"},
      .enumerator = Type::c64,
      .spelling = "c64",
      .arithmetic = "c64",
      .comparison = "float",
      .file = "value/complex.cuh",
      .npy = "c8",
      .part = Type::f32,
      .format = {.digits = 24, .least_exponent = -126, .greatest_exponent = 127},
  }));
}

}  // namespace upsweep
