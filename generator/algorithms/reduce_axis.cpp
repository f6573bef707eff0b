// Along an axis: out[o, j] = op of the initial value and the items [o, 0, j], [o, 1, j] and so on.
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& reduce_axis_entry() {
  return *new AlgorithmEntry{
      .name = "reduce",
      .enumerator = Algorithm::reduce,
      .shape = Shape::axis,
      .hooks = "reduce",
      .emission = Emission::indexed,
      .has_initial = true,
      .has_finish = true,
      .ports = row_ports,
  };
}

}  // namespace upsweep
