#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& bf16_entry() {
  return *new TypeEntry(floating_type<bf16>({
      .name = "bf16",
      .aliases = {"bfloat16", "__nv_bfloat16"},
      .enumerator = Type::bf16,
      .spelling = "bf16",
      .arithmetic = "float",
      .comparison = "float",
      .file = "value/bf16.cuh",
      .format = {.digits = 8, .least_exponent = -126, .greatest_exponent = 127},
  }));
}

}  // namespace upsweep
