// CUB's partitions: the items that are less than the threshold go in front.
#include <cub/device/device_partition.cuh>

#include "bench/cub/select.cuh"

namespace upsweep_peer {
namespace {

// Arrays: in, out, count. Scalars: the threshold.
template <typename T>
int partition_of(const Call& call) {
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  std::uint64_t* const count = output<std::uint64_t>(call, 2);
  const Predicate<T, cuda::std::less<T>> goes_in_front{scalar<T>(call, 0)};
  return with_count(call, [&](auto n) {
    return cub::DevicePartition::If(call.temporary, *call.bytes, in, out, count, n, goes_in_front, stream_of(call));
  });
}

}  // namespace

int partition(const Call& call) {
  if (!is(call.op, "less") || !is(call.accumulator, "u64")) return not_built;
  if (is(call.type, "i8")) return partition_of<std::int8_t>(call);
  if (is(call.type, "i16")) return partition_of<std::int16_t>(call);
  if (is(call.type, "i32")) return partition_of<std::int32_t>(call);
  if (is(call.type, "i64")) return partition_of<std::int64_t>(call);
  if (is(call.type, "f32")) return partition_of<float>(call);
  return not_built;
}

}  // namespace upsweep_peer
