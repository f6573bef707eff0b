// The greater of two values. Floating-point: IEEE 754-2019 maximum.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& maximum_entry() {
  return *new OperatorEntry{
      .name = "maximum",
      .aliases = {"max"},
      .enumerator = Operator::maximum,
      .associative = true,
      .commutative = true,
      .cost = OperatorCost::extremum,
      .test_data = TestData::rising,
      .takes = is_ordered,
      .takes_text = "a type that is not complex",
      .exact = is_ordered,
      .identity = least_of,
      .strategy = [](Type type) { return is_floating(type) ? "maximum_floating" : "maximum"; },
      .native = [](Type type) { return is_half(type) || type == Type::f32; },
      .has_redux = true,
      .packed_16x2 = "maximum",
  };
}

}  // namespace upsweep
