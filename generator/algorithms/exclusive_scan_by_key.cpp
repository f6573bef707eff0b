// out[i] = op of the initial value and the values from the first item of its run on, up to item i - 1. Neighbouring
// items with equal keys are a run.
#include "generator/by_key.hpp"

namespace upsweep {
const AlgorithmEntry& exclusive_scan_by_key_entry() {
  return *new AlgorithmEntry{
      .name = "exclusive_scan_by_key",
      .aliases = {"exclusive_by_key"},
      .enumerator = Algorithm::exclusive_scan_by_key,
      .emission = Emission::dense,
      .has_initial = true,
      .ports = scan_by_key_ports,
      .validate = validate_by_key,
      .fold = Fold::flagged_values,
      .key = Type::u32,
      .test_data = by_key_data,
  };
}

}  // namespace upsweep
