// out[i] = op(initial, in[0], ..., in[i - 1]).
#include "generator/algorithm.hpp"
#include "generator/algorithms/algorithms.hpp"

namespace upsweep {
namespace {

std::vector<Port> own_ports(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n}, {"out", problem.output, Direction::out, Extent::n}};
}

}  // namespace

const AlgorithmEntry& exclusive_scan_entry() noexcept {
  static constexpr AlgorithmEntry entry{.name = "exclusive_scan",
                                        .emission = Emission::dense,
                                        .has_initial = true,
                                        .has_finish = false,
                                        .ports = own_ports};
  return entry;
}

}  // namespace upsweep
