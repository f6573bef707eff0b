// out[i] = op(in[n - 1], ..., in[i]).
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& reverse_inclusive_scan_entry() {
  return *new AlgorithmEntry{
      .name = "reverse_inclusive_scan",
      .aliases = {"reverse_inclusive"},
      .enumerator = Algorithm::reverse_inclusive_scan,
      .emission = Emission::dense,
      .reverse_of = Algorithm::inclusive_scan,
      .has_words = true,
      .ports = dense_ports,
  };
}

}  // namespace upsweep
