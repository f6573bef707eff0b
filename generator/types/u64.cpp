#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& u64_entry() {
  return *new TypeEntry(integer_type<std::uint64_t>({
      .name = "u64",
      .aliases = {"uint64", "uint64_t", "unsigned long long"},
      .enumerator = Type::u64,
      .spelling = "u64",
      .arithmetic = "u64",
      .comparison = "float",
      .npy = "u8",
  }));
}

}  // namespace upsweep
