// out[i] = op(in[0], ..., in[i]).
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& inclusive_scan_entry() {
  return *new AlgorithmEntry{
      .name = "inclusive_scan",
      .aliases = {"inclusive"},
      .enumerator = Algorithm::inclusive_scan,
      .emission = Emission::dense,
      .has_words = true,
      .ports = dense_ports,
  };
}

}  // namespace upsweep
