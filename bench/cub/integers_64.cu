#include "bench/cub/problems.cuh"

namespace upsweep_peer {

int run_integers_64(const Call& call) {
  if (std::strcmp(call.type, "i64") == 0) return run_number<std::int64_t>(call);
  if (std::strcmp(call.type, "u64") == 0) return run_number<std::uint64_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
