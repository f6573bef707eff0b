#include "bench/cub/scan_reduce.cuh"

namespace upsweep_peer {

int run_integers_8(const Call& call) {
  if (is(call.type, "i8")) return run_number<std::int8_t>(call);
  if (is(call.type, "u8")) return run_number<std::uint8_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
