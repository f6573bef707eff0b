// out[i] = op(in[0], ..., in[i]).
#include "generator/algorithm.hpp"
#include "generator/algorithms/algorithms.hpp"

namespace upsweep {
namespace {

std::vector<Port> own_ports(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n}, {"out", problem.output, Direction::out, Extent::n}};
}

}  // namespace

const AlgorithmEntry& inclusive_scan_entry() noexcept {
  static constexpr AlgorithmEntry entry{.name = "inclusive_scan",
                                        .emission = Emission::dense,
                                        .has_initial = false,
                                        .has_finish = false,
                                        .ports = own_ports};
  return entry;
}

}  // namespace upsweep
