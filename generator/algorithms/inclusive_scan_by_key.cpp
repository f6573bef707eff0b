// out[i] = op of the values from the first item of its run on, up to item i. Neighbouring items with equal keys are a
// run.
#include "generator/by_key.hpp"

namespace upsweep {
const AlgorithmEntry& inclusive_scan_by_key_entry() {
  return *new AlgorithmEntry{
      .name = "inclusive_scan_by_key",
      .aliases = {"inclusive_by_key", "scan_by_key"},
      .enumerator = Algorithm::inclusive_scan_by_key,
      .emission = Emission::dense,
      .ports = scan_by_key_ports,
      .validate = validate_by_key,
      .fold = Fold::flagged_values,
      .key = Type::u32,
      .test_data = by_key_data,
  };
}

}  // namespace upsweep
