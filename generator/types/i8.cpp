#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& i8_entry() {
  return *new TypeEntry(integer_type<std::int8_t>({
      .name = "i8",
      .aliases = {"int8", "int8_t", "signed char"},
      .enumerator = Type::i8,
      .spelling = "i8",
      .arithmetic = "u32",
      .comparison = "float",
      .npy = "i1",
  }));
}

}  // namespace upsweep
