// Of each row on its own: out[i] = op of the initial value and the items from the first one of the row on, up to item
// i - 1.
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& exclusive_scan_rows_entry() {
  return *new AlgorithmEntry{
      .name = "exclusive_scan",
      .enumerator = Algorithm::exclusive_scan,
      .shape = Shape::rows,
      .hooks = "exclusive_scan_rows",
      .emission = Emission::dense,
      .has_initial = true,
      .ports = dense_ports,
      .fold = Fold::flagged_values,
  };
}

}  // namespace upsweep
