#include "bench/cub/problems.cuh"

namespace upsweep_peer {

int run_integers_32(const Call& call) {
  if (std::strcmp(call.type, "i32") == 0) return run_number<std::int32_t>(call);
  if (std::strcmp(call.type, "u32") == 0) return run_number<std::uint32_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
