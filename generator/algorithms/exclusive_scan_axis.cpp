// Along an axis: out[o, k, j] = op of the initial value and the items [o, 0, j] up to [o, k - 1, j].
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& exclusive_scan_axis_entry() {
  return *new AlgorithmEntry{
      .name = "exclusive_scan",
      .enumerator = Algorithm::exclusive_scan,
      .shape = Shape::axis,
      .hooks = "exclusive_scan",
      .emission = Emission::dense,
      .has_initial = true,
      .ports = dense_ports,
  };
}

}  // namespace upsweep
