// Bitwise or.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& bit_or_entry() {
  return *new OperatorEntry{
      .name = "bit_or",
      .aliases = {"or", "|"},
      .enumerator = Operator::bit_or,
      .associative = true,
      .commutative = true,
      .cost = OperatorCost::addition,
      .test_data = TestData::bits_set,
      .takes = is_integer,
      .takes_text = "an integer type",
      .exact = is_integer,
      .identity = zero_of,
      .has_redux = true,
  };
}

}  // namespace upsweep
