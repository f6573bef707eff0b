#include "bench/cub/problems.cuh"

namespace upsweep_peer {

int run_floats(const Call& call) {
  if (std::strcmp(call.type, "f32") == 0) return run_number<float>(call);
  if (std::strcmp(call.type, "f64") == 0) return run_number<double>(call);
  return not_built;
}

}  // namespace upsweep_peer
