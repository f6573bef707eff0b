// CUB's reduces and scans of segments by offsets: sums, and maxima of some types. Its scans of segments take a block
// for each, where CUB has them.
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

#include "bench/cub/call.cuh"

#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>
#define UPSWEEP_CUB_SEGMENTED_SCAN 1
#else
#define UPSWEEP_CUB_SEGMENTED_SCAN 0
#endif

namespace upsweep_peer {
namespace {

template <typename T, typename Offset, typename Op>
int of_segments(const Call& call, Op op) {
  const T* const in = input<T>(call, 0);
  const Offset* const begins = input<Offset>(call, 1);
  T* const out = output<T>(call, 2);
  const auto segments = static_cast<std::int64_t>(call.rows);
  if (is(call.algorithm, "reduce")) {
    return cub::DeviceSegmentedReduce::Reduce(call.temporary, *call.bytes, in, out, segments, begins, begins + 1, op,
                                              scalar<T>(call, 0), stream_of(call));
  }
#if UPSWEEP_CUB_SEGMENTED_SCAN
  if (is(call.algorithm, "inclusive_scan")) {
    return cub::DeviceSegmentedScan::InclusiveSegmentedScan(call.temporary, *call.bytes, in, out, begins, begins + 1,
                                                            segments, op, stream_of(call));
  }
  return cub::DeviceSegmentedScan::ExclusiveSegmentedScan(call.temporary, *call.bytes, in, out, begins, begins + 1,
                                                          segments, op, scalar<T>(call, 0), stream_of(call));
#else
  return not_built;
#endif
}

template <typename T, typename Op>
int of_offsets(const Call& call, Op op) {
  if (is(call.key, "u32")) return of_segments<T, std::uint32_t>(call, op);
  return is(call.key, "u64") ? of_segments<T, std::uint64_t>(call, op) : not_built;
}

template <typename T>
int sums_of_segments(const Call& call) {
  return is(call.op, "plus") ? of_offsets<T>(call, cuda::std::plus<T>{}) : not_built;
}

template <typename T>
int folds_of_segments(const Call& call) {
  return is(call.op, "maximum") ? of_offsets<T>(call, cuda::maximum<T>{}) : sums_of_segments<T>(call);
}

}  // namespace

int segments(const Call& call) {
  if (is(call.type, "f32")) return folds_of_segments<float>(call);
  if (is(call.type, "i32")) return folds_of_segments<std::int32_t>(call);
  if (is(call.type, "f64")) return sums_of_segments<double>(call);
  return not_built;
}

}  // namespace upsweep_peer
