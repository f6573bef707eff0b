// Composition of maps x -> m x + c. Does not commute.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

namespace {

bool takes_type(Type type) {
  return type == Type::u32 || type == Type::u64;
}

// m = 1 in the high half, c = 0.
Scalar identity_map(Type type) {
  Scalar map = zero_of(type);
  map.bytes[size_of(type) / 2] = std::byte{1};  // little-endian
  return map;
}

}  // namespace

const OperatorEntry& affine_entry() {
  return *new OperatorEntry{
      .name = "affine",
      .enumerator = Operator::affine,
      .associative = true,
      .cost = OperatorCost::product,
      .test_data = TestData::affine_maps,
      .takes = takes_type,
      .takes_text = "u32 or u64",
      .exact = takes_type,
      .identity = identity_map,
  };
}

}  // namespace upsweep
