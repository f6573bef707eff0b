#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& u8_entry() {
  return *new TypeEntry(integer_type<std::uint8_t>({
      .name = "u8",
      .aliases = {"uint8", "uint8_t", "unsigned char"},
      .enumerator = Type::u8,
      .spelling = "u8",
      .arithmetic = "u32",
      .comparison = "float",
      .npy = "u1",
  }));
}

}  // namespace upsweep
