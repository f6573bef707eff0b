#include "bench/cub/select.cuh"

namespace upsweep_peer {

int select_integers_narrow(const Call& call) {
  if (is(call.type, "i8")) return select<std::int8_t>(call);
  if (is(call.type, "u8")) return select<std::uint8_t>(call);
  if (is(call.type, "i16")) return select<std::int16_t>(call);
  if (is(call.type, "u16")) return select<std::uint16_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
