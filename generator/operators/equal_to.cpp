// Whether an item equals the threshold. A NaN equals nothing, and -0 equals +0.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& equal_to_entry() {
  return *new OperatorEntry{
      .name = "equal_to",
      .aliases = {"eq", "=="},
      .enumerator = Operator::equal_to,
      .is_predicate = true,
      .cost = OperatorCost::comparison,
      .test_data = TestData::rare_nonzeros,  // which are equal to zero, or not
      .takes = is_number,
      .takes_text = "a type of numbers",
      .exact = [](Type) { return true; },
  };
}

}  // namespace upsweep
