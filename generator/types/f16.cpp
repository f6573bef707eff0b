#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& f16_entry() {
  return *new TypeEntry(floating_type<f16>({
      .name = "f16",
      .aliases = {"half", "float16", "fp16", "__half"},
      .enumerator = Type::f16,
      .spelling = "f16",
      .arithmetic = "float",
      .comparison = "float",
      .file = "value/f16.cuh",
      .npy = "f2",
      .format = {.digits = 11, .least_exponent = -14, .greatest_exponent = 15},
  }));
}

}  // namespace upsweep
