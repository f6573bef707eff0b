#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& u32_entry() {
  return *new TypeEntry(integer_type<std::uint32_t>({
      .name = "u32",
      .aliases = {"uint32", "uint32_t", "uint", "unsigned", "unsigned int"},
      .enumerator = Type::u32,
      .spelling = "u32",
      .arithmetic = "u32",
      .comparison = "float",
      .npy = "u4",
  }));
}

}  // namespace upsweep
