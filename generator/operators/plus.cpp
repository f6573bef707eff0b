// a + b. Integers wrap.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& plus_entry() {
  return *new OperatorEntry{
      .name = "plus",
      .aliases = {"sum", "add", "+"},
      .enumerator = Operator::plus,
      .associative = true,
      .commutative = true,
      .cost = OperatorCost::addition,
      .test_data = TestData::sums,
      .takes = is_number,
      .takes_text = "a type of numbers",
      .exact = is_integer,
      .identity = zero_of,
      .native = is_half,
      .has_redux = true,
      .adds_bytes = true,
  };
}

}  // namespace upsweep
