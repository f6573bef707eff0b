#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& i32_entry() {
  return *new TypeEntry(integer_type<std::int32_t>({
      .name = "i32",
      .aliases = {"int32", "int32_t", "int"},
      .enumerator = Type::i32,
      .spelling = "i32",
      .arithmetic = "u32",
      .comparison = "float",
      .npy = "i4",
  }));
}

}  // namespace upsweep
