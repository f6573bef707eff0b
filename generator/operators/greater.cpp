// Whether an item is greater than the threshold.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& greater_entry() {
  return *new OperatorEntry{
      .name = "greater",
      .aliases = {"gt", ">"},
      .enumerator = Operator::greater,
      .is_predicate = true,
      .cost = OperatorCost::comparison,
      .takes = is_ordered,
      .takes_text = "a type that is not complex",
      .exact = [](Type) { return true; },
  };
}

}  // namespace upsweep
