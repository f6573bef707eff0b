#include "bench/cub/scan_reduce.cuh"

namespace upsweep_peer {

int run_integers_64(const Call& call) {
  if (is(call.type, "i64")) return run_number<std::int64_t>(call);
  if (is(call.type, "u64")) return run_number<std::uint64_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
