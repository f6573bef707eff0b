// a * b. Integers wrap.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& multiplies_entry() {
  return *new OperatorEntry{
      .name = "multiplies",
      .aliases = {"product", "prod", "mul", "multiply", "*"},
      .enumerator = Operator::multiplies,
      .associative = true,
      .commutative = true,
      .cost = OperatorCost::product,
      .test_data = TestData::products,
      .takes = is_number,
      .takes_text = "a type of numbers",
      .exact = is_integer,
      .identity = one_of,
      .native = is_half,
  };
}

}  // namespace upsweep
