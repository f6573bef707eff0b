#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "bench/cub/problems.cuh"

namespace upsweep_peer {

int run_floats_16(const Call& call) {
  if (std::strcmp(call.type, "f16") == 0) return run_number<__half>(call);
  if (std::strcmp(call.type, "bf16") == 0) return run_number<__nv_bfloat16>(call);
  return not_built;
}

}  // namespace upsweep_peer
