// Of each segment on its own: out[segment] = op of the initial value and the items of the segment.
#include "generator/algorithm.hpp"

namespace upsweep {
const AlgorithmEntry& reduce_segments_entry() {
  return *new AlgorithmEntry{
      .name = "reduce",
      .enumerator = Algorithm::reduce,
      .shape = Shape::segments,
      .hooks = "reduce_segments",
      .emission = Emission::indexed,
      .has_initial = true,
      .has_finish = true,
      .ports = segment_ports,
      .validate = validate_segments,
      .fold = Fold::flagged_values,
      .key = Type::u32,
  };
}

}  // namespace upsweep
