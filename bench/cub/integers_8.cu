#include "bench/cub/problems.cuh"

namespace upsweep_peer {

int run_integers_8(const Call& call) {
  if (std::strcmp(call.type, "i8") == 0) return run_number<std::int8_t>(call);
  if (std::strcmp(call.type, "u8") == 0) return run_number<std::uint8_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
