#include "bench/cub/scan_reduce.cuh"

namespace upsweep_peer {

int run_floats(const Call& call) {
  if (is(call.type, "f32")) return run_number<float>(call);
  if (is(call.type, "f64")) return run_number<double>(call);
  return not_built;
}

}  // namespace upsweep_peer
