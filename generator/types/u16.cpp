#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& u16_entry() {
  return *new TypeEntry(integer_type<std::uint16_t>({
      .name = "u16",
      .aliases = {"uint16", "uint16_t", "unsigned short"},
      .enumerator = Type::u16,
      .spelling = "u16",
      .arithmetic = "u32",
      .comparison = "float",
      .npy = "u2",
  }));
}

}  // namespace upsweep
