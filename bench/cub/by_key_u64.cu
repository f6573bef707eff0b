#include "bench/cub/by_key.cuh"

namespace upsweep_peer {

int by_key_u64(const Call& call) {
  return is(call.key, "u64") ? by_key<std::uint64_t>(call) : not_built;
}

}  // namespace upsweep_peer
