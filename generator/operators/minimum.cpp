// The lesser of two values. Floating-point: IEEE 754-2019 minimum.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& minimum_entry() {
  return *new OperatorEntry{
      .name = "minimum",
      .aliases = {"min"},
      .enumerator = Operator::minimum,
      .associative = true,
      .commutative = true,
      .cost = OperatorCost::extremum,
      .test_data = TestData::falling,
      .takes = is_ordered,
      .takes_text = "a type that is not complex",
      .exact = is_ordered,
      .identity = most_of,
      .strategy = [](Type type) { return is_floating(type) ? "minimum_floating" : "minimum"; },
      .native = [](Type type) { return is_half(type) || type == Type::f32; },
      .has_redux = true,
      .packed_16x2 = "minimum",
  };
}

}  // namespace upsweep
