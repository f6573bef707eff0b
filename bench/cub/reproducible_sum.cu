// CUB's sums that have the same bits on every GPU: of f32 and f64, from CUB 3.1 on.
#include <cub/version.cuh>

#include "bench/cub/call.cuh"

#if CUB_VERSION >= 300100

#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>
#include <cub/device/device_reduce.cuh>
#include <cuda/std/execution>
#include <cuda/std/functional>
#include <cuda/stream_ref>

namespace upsweep_peer {
namespace {

// The call allocates its temporary memory in the stream's order: CUB has no other way.
template <typename T>
int sum(const Call& call) {
  if (call.temporary == nullptr) {
    *call.bytes = 0;
    return 0;
  }
  const auto environment = cuda::std::execution::env{
      cuda::stream_ref{stream_of(call)}, cuda::execution::require(cuda::execution::determinism::gpu_to_gpu)};
  return with_count(call, [&](auto n) {
    return cub::DeviceReduce::Reduce(input<T>(call, 0), output<T>(call, 1), n, cuda::std::plus<T>{}, scalar<T>(call, 0),
                                     environment);
  });
}

}  // namespace

int reproducible_sum(const Call& call) {
  if (!is(call.algorithm, "reduce")) return not_built;
  if (is(call.type, "f32")) return sum<float>(call);
  if (is(call.type, "f64")) return sum<double>(call);
  return not_built;
}

}  // namespace upsweep_peer

#else

namespace upsweep_peer {

int reproducible_sum(const Call&) {
  return not_built;
}

}  // namespace upsweep_peer

#endif
