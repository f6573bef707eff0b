// Of each segment on its own: out[i] = op of the initial value and the items of the segment before item i.
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& exclusive_scan_segments_entry() {
  return *new AlgorithmEntry{
      .name = "exclusive_scan",
      .enumerator = Algorithm::exclusive_scan,
      .shape = Shape::segments,
      .hooks = "exclusive_scan_rows",
      .emission = Emission::dense,
      .has_initial = true,
      .ports = dense_segment_ports,
      .validate = validate_segments,
      .fold = Fold::flagged_values,
      .key = Type::u32,
  };
}

}  // namespace upsweep
