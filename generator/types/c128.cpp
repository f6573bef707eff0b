#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& c128_entry() {
  return *new TypeEntry(complex_type<std::complex<double>>({
      .name = "c128",
      .aliases = {"complex128", "complex<double>"},
      .enumerator = Type::c128,
      .spelling = "c128",
      .arithmetic = "c128",
      .comparison = "double",
      .file = "value/complex.cuh",
      .npy = "c16",
      .part = Type::f64,
      .format = {.digits = 53, .least_exponent = -1022, .greatest_exponent = 1023},
  }));
}

}  // namespace upsweep
