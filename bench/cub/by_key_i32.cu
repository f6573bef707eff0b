#include "bench/cub/by_key.cuh"

namespace upsweep_peer {

int by_key_i32(const Call& call) {
  return is(call.key, "i32") ? by_key<std::int32_t>(call) : not_built;
}

}  // namespace upsweep_peer
