// Of each segment on its own: out[i] = op of the items from the first one of the segment on, up to item i.
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& inclusive_scan_segments_entry() {
  return *new AlgorithmEntry{
      .name = "inclusive_scan",
      .enumerator = Algorithm::inclusive_scan,
      .shape = Shape::segments,
      .hooks = "inclusive_scan_rows",
      .emission = Emission::dense,
      .ports = dense_segment_ports,
      .validate = validate_segments,
      .fold = Fold::flagged_values,
      .key = Type::u32,
  };
}

}  // namespace upsweep
