// out[0] = op(initial, in[0], ..., in[n - 1]).
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& reduce_entry() {
  return *new AlgorithmEntry{
      .name = "reduce",
      .aliases = {"reduction"},
      .enumerator = Algorithm::reduce,
      .emission = Emission::at_end,
      .has_initial = true,
      .has_finish = true,
      .has_words = true,
      .ports = at_end_ports,
  };
}

}  // namespace upsweep
