// CUB's reduces of segments and scans of rows of equal length: sums, and maxima of some types.
//   reduces: DeviceSegmentedReduce of a fixed size, from CUB 3.1 on; with offsets before.
//   scans: DeviceScan by key, where the key of an item is the number of its row; of long rows DeviceSegmentedScan,
//   where CUB has it. CUB's scans of segments take a block for each, so that short ones take it many times as long.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>
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

// Where a row begins.
struct RowBegin {
  std::int64_t length;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * length; }
};

// The row of an item.
template <typename Index>
struct RowOf {
  Index length;
  __host__ __device__ Index operator()(Index item) const { return item / length; }
};

template <typename T, typename Op>
int reduce_rows(const Call& call, Op op) {
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  const auto rows = static_cast<std::int64_t>(call.rows);
#if CUB_VERSION >= 300100
  if (call.row_length <= 0x7fffffffu) {
    return cub::DeviceSegmentedReduce::Reduce(call.temporary, *call.bytes, in, out, rows,
                                              static_cast<int>(call.row_length), op, scalar<T>(call, 0),
                                              stream_of(call));
  }
#endif
  const auto begins = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                      RowBegin{static_cast<std::int64_t>(call.row_length)});
  return cub::DeviceSegmentedReduce::Reduce(call.temporary, *call.bytes, in, out, rows, begins, begins + 1, op,
                                            scalar<T>(call, 0), stream_of(call));
}

#if UPSWEEP_CUB_SEGMENTED_SCAN
template <typename T, typename Op>
int scan_long_rows(const Call& call, Op op) {
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  const auto rows = static_cast<std::int64_t>(call.rows);
  const auto begins = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                      RowBegin{static_cast<std::int64_t>(call.row_length)});
  if (is(call.algorithm, "inclusive_scan")) {
    return cub::DeviceSegmentedScan::InclusiveSegmentedScan(call.temporary, *call.bytes, in, out, begins, begins + 1,
                                                            rows, op, stream_of(call));
  }
  return cub::DeviceSegmentedScan::ExclusiveSegmentedScan(call.temporary, *call.bytes, in, out, begins, begins + 1,
                                                          rows, op, scalar<T>(call, 0), stream_of(call));
}
#endif

template <typename T, typename Op>
int scan_rows(const Call& call, Op op) {
#if UPSWEEP_CUB_SEGMENTED_SCAN
  constexpr std::uint64_t long_row = 2048;
  if (call.row_length >= long_row) return scan_long_rows<T>(call, op);
#endif
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  return with_count(call, [&](auto n) {
    using Index = decltype(n);
    const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<Index>(0),
                                                      RowOf<Index>{static_cast<Index>(call.row_length)});
    if (is(call.algorithm, "inclusive_scan")) {
      return cub::DeviceScan::InclusiveScanByKey(call.temporary, *call.bytes, keys, in, out, op, n,
                                                 cuda::std::equal_to<>{}, stream_of(call));
    }
    return cub::DeviceScan::ExclusiveScanByKey(call.temporary, *call.bytes, keys, in, out, op, scalar<T>(call, 0), n,
                                               cuda::std::equal_to<>{}, stream_of(call));
  });
}

template <typename T, typename Op>
int of_rows(const Call& call, Op op) {
  return is(call.algorithm, "reduce") ? reduce_rows<T>(call, op) : scan_rows<T>(call, op);
}

template <typename T>
int sums_of_rows(const Call& call) {
  return is(call.op, "plus") ? of_rows<T>(call, cuda::std::plus<T>{}) : not_built;
}

template <typename T>
int folds_of_rows(const Call& call) {
  return is(call.op, "maximum") ? of_rows<T>(call, cuda::maximum<T>{}) : sums_of_rows<T>(call);
}

}  // namespace

int rows(const Call& call) {
  if (is(call.type, "f32")) return folds_of_rows<float>(call);
  if (is(call.type, "i32")) return folds_of_rows<std::int32_t>(call);
  if (is(call.type, "i64")) return sums_of_rows<std::int64_t>(call);
  if (is(call.type, "f64")) return sums_of_rows<double>(call);
  return not_built;
}

}  // namespace upsweep_peer
