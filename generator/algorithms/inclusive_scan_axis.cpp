// Along an axis: out[o, k, j] = op of the items [o, 0, j] up to [o, k, j].
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& inclusive_scan_axis_entry() {
  return *new AlgorithmEntry{
      .name = "inclusive_scan",
      .enumerator = Algorithm::inclusive_scan,
      .shape = Shape::axis,
      .hooks = "inclusive_scan",
      .emission = Emission::dense,
      .ports = dense_ports,
  };
}

}  // namespace upsweep
