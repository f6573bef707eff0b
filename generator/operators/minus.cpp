// a - b. Integers wrap. Not associative: (a - b) - c is not a - (b - c).
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

const OperatorEntry& minus_entry() {
  return *new OperatorEntry{
      .name = "minus",
      .aliases = {"subtract", "difference", "-"},
      .enumerator = Operator::minus,
      .cost = OperatorCost::addition,
      .test_data = TestData::sums,
      .takes = is_number,
      .takes_text = "a type of numbers",
      .strategy = [](Type type) { return std::string(is_complex(type) ? "minus_complex" : "minus"); },
  };
}

}  // namespace upsweep
