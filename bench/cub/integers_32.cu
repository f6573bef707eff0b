#include "bench/cub/scan_reduce.cuh"

namespace upsweep_peer {

int run_integers_32(const Call& call) {
  if (is(call.type, "i32")) return run_number<std::int32_t>(call);
  if (is(call.type, "u32")) return run_number<std::uint32_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
