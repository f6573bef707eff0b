#include "bench/cub/by_key.cuh"

namespace upsweep_peer {

int by_key_u32(const Call& call) {
  return is(call.key, "u32") ? by_key<std::uint32_t>(call) : not_built;
}

}  // namespace upsweep_peer
