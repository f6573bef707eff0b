#include "bench/cub/problems.cuh"

namespace upsweep_peer {

int run_integers_16(const Call& call) {
  if (std::strcmp(call.type, "i16") == 0) return run_number<std::int16_t>(call);
  if (std::strcmp(call.type, "u16") == 0) return run_number<std::uint16_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
