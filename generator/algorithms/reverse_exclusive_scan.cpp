// out[i] = op(initial, in[n - 1], ..., in[i + 1]).
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& reverse_exclusive_scan_entry() {
  return *new AlgorithmEntry{
      .name = "reverse_exclusive_scan",
      .aliases = {"reverse_exclusive"},
      .enumerator = Algorithm::reverse_exclusive_scan,
      .emission = Emission::dense,
      .reverse_of = Algorithm::exclusive_scan,
      .has_initial = true,
      .has_words = true,
      .ports = dense_ports,
  };
}

}  // namespace upsweep
