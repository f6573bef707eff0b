// Bitwise and.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& bit_and_entry() {
  return *new OperatorEntry{
      .name = "bit_and",
      .aliases = {"and", "&"},
      .enumerator = Operator::bit_and,
      .associative = true,
      .commutative = true,
      .cost = OperatorCost::addition,
      .test_data = TestData::bits_cleared,
      .takes = is_integer,
      .takes_text = "an integer type",
      .exact = is_integer,
      .identity = ones_of,
      .has_redux = true,
  };
}

}  // namespace upsweep
