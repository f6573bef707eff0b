// CUB's partitions into three parts: the items that are less than the threshold, of the others those that are less than
// the second threshold, and the rest.
#include <cub/device/device_partition.cuh>

#include "bench/cub/select.cuh"

namespace upsweep_peer {
namespace {

// Where the numbers of items of the first two parts go. CUB does not write that of the rest.
struct Counts {
  std::uint64_t* first;
  std::uint64_t* second;
  __host__ __device__ std::uint64_t& operator[](int part) const { return part == 0 ? *first : *second; }
};

// Arrays: in, first, second, rest, and their counts. Scalars: the thresholds.
template <typename T>
int three_way_partition_of(const Call& call) {
  const T* const in = input<T>(call, 0);
  T* const first = output<T>(call, 1);
  T* const second = output<T>(call, 2);
  T* const rest = output<T>(call, 3);
  const Counts counts{output<std::uint64_t>(call, 4), output<std::uint64_t>(call, 5)};
  const Predicate<T, cuda::std::less<T>> is_first{scalar<T>(call, 0)}, is_second{scalar<T>(call, 1)};
  return with_count(call, [&](auto n) {
    return cub::DevicePartition::If(call.temporary, *call.bytes, in, first, second, rest, counts, n, is_first,
                                    is_second, stream_of(call));
  });
}

}  // namespace

int three_way_partition(const Call& call) {
  if (!is(call.op, "less") || !is(call.accumulator, "u64")) return not_built;
  if (is(call.type, "i8")) return three_way_partition_of<std::int8_t>(call);
  if (is(call.type, "i16")) return three_way_partition_of<std::int16_t>(call);
  if (is(call.type, "i32")) return three_way_partition_of<std::int32_t>(call);
  if (is(call.type, "i64")) return three_way_partition_of<std::int64_t>(call);
  if (is(call.type, "f32")) return three_way_partition_of<float>(call);
  return not_built;
}

}  // namespace upsweep_peer
