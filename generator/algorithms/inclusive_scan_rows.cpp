// Of each row on its own: out[i] = op of the items from the first one of the row on, up to item i.
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& inclusive_scan_rows_entry() {
  return *new AlgorithmEntry{
      .name = "inclusive_scan",
      .enumerator = Algorithm::inclusive_scan,
      .shape = Shape::rows,
      .hooks = "inclusive_scan_rows",
      .emission = Emission::dense,
      .ports = dense_ports,
      .fold = Fold::flagged_values,
  };
}

}  // namespace upsweep
