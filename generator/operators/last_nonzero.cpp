// b if b is not 0, otherwise a. Does not commute.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& last_nonzero_entry() {
  return *new OperatorEntry{
      .name = "last_nonzero",
      .enumerator = Operator::last_nonzero,
      .associative = true,
      .cost = OperatorCost::carry,
      .test_data = TestData::rare_nonzeros,
      .takes = is_number,
      .takes_text = "a type of numbers",
      .exact = is_number,
      .identity = zero_of,
  };
}

}  // namespace upsweep
