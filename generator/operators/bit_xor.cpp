// Bitwise exclusive or.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& bit_xor_entry() {
  return *new OperatorEntry{
      .name = "bit_xor",
      .aliases = {"xor", "^"},
      .enumerator = Operator::bit_xor,
      .associative = true,
      .commutative = true,
      .cost = OperatorCost::addition,
      .test_data = TestData::any,
      .takes = is_integer,
      .takes_text = "an integer type",
      .exact = is_integer,
      .identity = zero_of,
      .has_redux = true,
  };
}

}  // namespace upsweep
