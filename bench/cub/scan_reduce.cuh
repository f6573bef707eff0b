// CUB's scans and reduces on one type with one operator after another, chosen by name.
#pragma once

#include <thrust/iterator/reverse_iterator.h>
#include <type_traits>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

#include "bench/cub/call.cuh"

namespace upsweep_peer {

// The last value that is not zero; see include/upsweep/types.hpp.
struct LastNonzero {
  template <typename T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return b != T{} ? b : a;
  }
};

// Composes maps x -> m x + c, m in the high half of the word and c in the low half: first a, then b.
struct Affine {
  template <typename T>
  __host__ __device__ T operator()(T a, T b) const {
    constexpr int half = static_cast<int>(4 * sizeof(T));
    constexpr T low = static_cast<T>(~T{0}) >> half;
    const T m_a = a >> half, c_a = a & low, m_b = b >> half, c_b = b & low;
    return (m_b * m_a) << half | ((m_b * c_a + c_b) & low);
  }
};

// Scalars: the initial value, but of an inclusive scan none.
template <typename T, typename In, typename Out, typename Op>
int scan_of(const Call& call, bool inclusive, In in, Out out, Op op) {
  if (inclusive) {
    return with_count(call, [&](auto n) {
      return cub::DeviceScan::InclusiveScan(call.temporary, *call.bytes, in, out, op, n, stream_of(call));
    });
  }
  const T initial = scalar<T>(call, 0);
  return with_count(call, [&](auto n) {
    return cub::DeviceScan::ExclusiveScan(call.temporary, *call.bytes, in, out, op, initial, n, stream_of(call));
  });
}

// Arrays: in, out. Reverse scans are scans of reverse iterators; CUB has no other way.
template <typename T, typename Op>
int scan(const Call& call, Op op) {
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  if (is(call.algorithm, "inclusive_scan") || is(call.algorithm, "exclusive_scan")) {
    return scan_of<T>(call, is(call.algorithm, "inclusive_scan"), in, out, op);
  }
  if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, float>) {
    const bool inclusive = is(call.algorithm, "reverse_inclusive_scan");
    if (!inclusive && !is(call.algorithm, "reverse_exclusive_scan")) return not_built;
    return scan_of<T>(call, inclusive, thrust::reverse_iterator(in + call.n), thrust::reverse_iterator(out + call.n),
                      op);
  }
  return not_built;
}

template <typename T, typename Op>
int scan_or_reduce(const Call& call, Op op) {
  if (!is(call.algorithm, "reduce")) return scan<T>(call, op);
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  const T initial = scalar<T>(call, 0);
  return with_count(call, [&](auto n) {
    return cub::DeviceReduce::Reduce(call.temporary, *call.bytes, in, out, n, op, initial, stream_of(call));
  });
}

// The operators on a built-in type or on one of CUDA's 16-bit floating types.
template <typename T>
int run_number(const Call& call) {
  if (is(call.op, "plus")) return scan_or_reduce<T>(call, cuda::std::plus<T>{});
  if (is(call.op, "minimum")) return scan_or_reduce<T>(call, cuda::minimum<T>{});
  if (is(call.op, "maximum")) return scan_or_reduce<T>(call, cuda::maximum<T>{});
  if (is(call.op, "last_nonzero")) return scan<T>(call, LastNonzero{});
  if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>) {
    if (is(call.op, "affine")) return scan<T>(call, Affine{});
  }
  return not_built;
}

}  // namespace upsweep_peer
