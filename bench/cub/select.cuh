// CUB's selections of items of one type, the predicate and the type of the count chosen by name.
#pragma once

#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

#include "bench/cub/call.cuh"

namespace upsweep_peer {

// Whether the comparison holds for an item and the threshold, in this order.
template <typename T, typename Comparison>
struct Predicate {
  T threshold;
  __host__ __device__ bool operator()(const T& item) const { return Comparison{}(item, threshold); }
};

// Arrays: in, out, count. Scalars: the threshold.
template <typename T, typename Count, typename Comparison>
int select_with(const Call& call) {
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  Count* const count = output<Count>(call, 2);
  const Predicate<T, Comparison> keeps{scalar<T>(call, 0)};
  return with_count(call, [&](auto n) {
    return cub::DeviceSelect::If(call.temporary, *call.bytes, in, out, count, n, keeps, stream_of(call));
  });
}

template <typename T, typename Count>
int select_and_count(const Call& call) {
  if (is(call.op, "less")) return select_with<T, Count, cuda::std::less<T>>(call);
  if (is(call.op, "less_equal")) return select_with<T, Count, cuda::std::less_equal<T>>(call);
  if (is(call.op, "greater")) return select_with<T, Count, cuda::std::greater<T>>(call);
  if (is(call.op, "greater_equal")) return select_with<T, Count, cuda::std::greater_equal<T>>(call);
  if (is(call.op, "equal_to")) return select_with<T, Count, cuda::std::equal_to<T>>(call);
  if (is(call.op, "not_equal_to")) return select_with<T, Count, cuda::std::not_equal_to<T>>(call);
  return not_built;
}

template <typename T>
int select(const Call& call) {
  if (is(call.accumulator, "u64")) return select_and_count<T, std::uint64_t>(call);
  if (is(call.accumulator, "u32")) return select_and_count<T, std::uint32_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
