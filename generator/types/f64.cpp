#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& f64_entry() {
  return *new TypeEntry(floating_type<double>({
      .name = "f64",
      .aliases = {"double", "float64", "fp64"},
      .enumerator = Type::f64,
      .spelling = "double",
      .arithmetic = "double",
      .comparison = "double",
      .npy = "f8",
      .format = {.digits = 53, .least_exponent = -1022, .greatest_exponent = 1023},
  }));
}

}  // namespace upsweep
