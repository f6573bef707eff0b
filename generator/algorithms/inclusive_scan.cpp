// out[i] = op(in[0], ..., in[i]).
#include "generator/algorithm.hpp"

namespace upsweep {
namespace {

std::vector<Port> own_ports(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n}, {"out", problem.output, Direction::out, Extent::n}};
}

}  // namespace

const AlgorithmEntry& inclusive_scan_entry() {
  static const auto& entry = *new AlgorithmEntry{
      .name = "inclusive_scan",
      .aliases = {"inclusive"},
      .enumerator = Algorithm::inclusive_scan,
      .emission = Emission::dense,
      .has_words = true,
      .ports = own_ports,
  };
  return entry;
}

}  // namespace upsweep
