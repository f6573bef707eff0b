// out[0] = op(initial, in[0], ..., in[n - 1]).
#include "generator/algorithm.hpp"

namespace upsweep {
namespace {

std::vector<Port> own_ports(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n}, {"out", problem.output, Direction::out, Extent::one}};
}

}  // namespace

const AlgorithmEntry& reduce_entry() {
  static const auto& entry = *new AlgorithmEntry{
      .name = "reduce",
      .aliases = {"reduction"},
      .enumerator = Algorithm::reduce,
      .emission = Emission::at_end,
      .has_initial = true,
      .has_finish = true,
      .has_words = true,
      .ports = own_ports,
  };
  return entry;
}

}  // namespace upsweep
