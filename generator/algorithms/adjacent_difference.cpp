// out[0] = in[0], and out[i] = op(in[i], in[i - 1]). Each result depends on two items alone, so that the operator need
// not be associative.
#include "generator/algorithm.hpp"

namespace upsweep {
namespace {

std::vector<Port> difference_arrays(const Problem& problem) {
  return {{.name = "in", .type = problem.input, .previous_items = 1},
          {"out", problem.output, Direction::out, Extent::n}};
}

}  // namespace

const AlgorithmEntry& adjacent_difference_entry() {
  return *new AlgorithmEntry{
      .name = "adjacent_difference",
      .aliases = {"difference", "subtract_left"},
      .enumerator = Algorithm::adjacent_difference,
      .emission = Emission::dense,
      .ports = difference_arrays,
      .validate = validate_combination,
      .fold = Fold::none,
      .usual_operator = Operator::minus,
  };
}

}  // namespace upsweep
