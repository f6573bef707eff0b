// Whether an item differs from the threshold. A NaN differs from everything, and -0 equals +0.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& not_equal_to_entry() {
  return *new OperatorEntry{
      .name = "not_equal_to",
      .aliases = {"ne", "!="},
      .enumerator = Operator::not_equal_to,
      .is_predicate = true,
      .cost = OperatorCost::comparison,
      .test_data = TestData::rare_nonzeros,  // which are equal to zero, or not
      .takes = is_number,
      .takes_text = "a type of numbers",
      .exact = [](Type) { return true; },
  };
}

}  // namespace upsweep
