#include "bench/cub/select.cuh"

namespace upsweep_peer {

int select_integers(const Call& call) {
  if (is(call.type, "i32")) return select<std::int32_t>(call);
  if (is(call.type, "u32")) return select<std::uint32_t>(call);
  if (is(call.type, "i64")) return select<std::int64_t>(call);
  if (is(call.type, "u64")) return select<std::uint64_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
