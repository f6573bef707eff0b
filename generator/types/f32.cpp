#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& f32_entry() {
  return *new TypeEntry(floating_type<float>({
      .name = "f32",
      .aliases = {"float", "float32", "fp32"},
      .enumerator = Type::f32,
      .spelling = "float",
      .arithmetic = "float",
      .comparison = "float",
      .npy = "f4",
      .format = {.digits = 24, .least_exponent = -126, .greatest_exponent = 127},
  }));
}

}  // namespace upsweep
