// Whether an item is at least the threshold.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& greater_equal_entry() {
  return *new OperatorEntry{
      .name = "greater_equal",
      .aliases = {"ge", ">="},
      .enumerator = Operator::greater_equal,
      .is_predicate = true,
      .cost = OperatorCost::comparison,
      .takes = is_ordered,
      .takes_text = "a type that is not complex",
      .exact = [](Type) { return true; },
  };
}

}  // namespace upsweep
