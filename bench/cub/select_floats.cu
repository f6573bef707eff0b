#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "bench/cub/select.cuh"

namespace upsweep_peer {

int select_floats(const Call& call) {
  if (is(call.type, "f32")) return select<float>(call);
  if (is(call.type, "f64")) return select<double>(call);
  if (is(call.type, "f16")) return select<__half>(call);
  if (is(call.type, "bf16")) return select<__nv_bfloat16>(call);
  return not_built;
}

}  // namespace upsweep_peer
