#include "generator/types/built_in.hpp"

namespace upsweep {

const TypeEntry& i64_entry() {
  return *new TypeEntry(integer_type<std::int64_t>({
      .name = "i64",
      .aliases = {"int64", "int64_t", "long long"},
      .enumerator = Type::i64,
      .spelling = "i64",
      .arithmetic = "u64",
      .comparison = "float",
      .npy = "i8",
  }));
}

}  // namespace upsweep
