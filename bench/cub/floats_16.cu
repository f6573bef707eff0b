#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "bench/cub/scan_reduce.cuh"

namespace upsweep_peer {

int run_floats_16(const Call& call) {
  if (is(call.type, "f16")) return run_number<__half>(call);
  if (is(call.type, "bf16")) return run_number<__nv_bfloat16>(call);
  return not_built;
}

}  // namespace upsweep_peer
