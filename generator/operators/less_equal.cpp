// Whether an item is at most the threshold.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& less_equal_entry() {
  return *new OperatorEntry{
      .name = "less_equal",
      .aliases = {"le", "<="},
      .enumerator = Operator::less_equal,
      .is_predicate = true,
      .cost = OperatorCost::comparison,
      .takes = is_ordered,
      .takes_text = "a type that is not complex",
      .exact = [](Type) { return true; },
  };
}

}  // namespace upsweep
