#include "bench/cub/scan_reduce.cuh"

namespace upsweep_peer {

int run_integers_16(const Call& call) {
  if (is(call.type, "i16")) return run_number<std::int16_t>(call);
  if (is(call.type, "u16")) return run_number<std::uint16_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
