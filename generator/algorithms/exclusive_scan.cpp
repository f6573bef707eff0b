// out[i] = op(initial, in[0], ..., in[i - 1]).
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& exclusive_scan_entry() {
  return *new AlgorithmEntry{
      .name = "exclusive_scan",
      .aliases = {"exclusive"},
      .enumerator = Algorithm::exclusive_scan,
      .emission = Emission::dense,
      .has_initial = true,
      .has_words = true,
      .ports = dense_ports,
  };
}

}  // namespace upsweep
