// Whether an item is less than the threshold.
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& less_entry() {
  return *new OperatorEntry{
      .name = "less",
      .aliases = {"lt", "<"},
      .enumerator = Operator::less,
      .is_predicate = true,
      .cost = OperatorCost::comparison,
      .takes = is_ordered,
      .takes_text = "a type that is not complex",
      .exact = [](Type) { return true; },
  };
}

}  // namespace upsweep
