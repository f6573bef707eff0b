#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& i16_entry() {
  return *new TypeEntry(integer_type<std::int16_t>({
      .name = "i16",
      .aliases = {"int16", "int16_t", "short"},
      .enumerator = Type::i16,
      .spelling = "i16",
      .arithmetic = "u32",
      .comparison = "float",
      .npy = "i2",
  }));
}

}  // namespace upsweep
