// CUB's scans by key: sums of the numbers of 4 and 8 bytes. Sums of signed and unsigned integers have the same bits.
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "bench/cub/call.cuh"

namespace upsweep_peer {
namespace {

// Arrays: keys, values, out. Scalars: the initial value, of exclusive scans. CUB compares keys by ==.
template <typename Key, typename Value>
int scan_by_key_of(const Call& call) {
  const Key* const keys = input<Key>(call, 0);
  const Value* const values = input<Value>(call, 1);
  Value* const out = output<Value>(call, 2);
  const cuda::std::plus<Value> plus{};
  return with_count(call, [&](auto n) {
    if (is(call.algorithm, "inclusive_scan_by_key")) {
      return cub::DeviceScan::InclusiveScanByKey(call.temporary, *call.bytes, keys, values, out, plus, n,
                                                 cuda::std::equal_to<>{}, stream_of(call));
    }
    return cub::DeviceScan::ExclusiveScanByKey(call.temporary, *call.bytes, keys, values, out, plus,
                                               scalar<Value>(call, 0), n, cuda::std::equal_to<>{}, stream_of(call));
  });
}

template <typename Key>
int scan_by_key_of_keys(const Call& call) {
  if (is(call.type, "i32") || is(call.type, "u32")) return scan_by_key_of<Key, std::uint32_t>(call);
  if (is(call.type, "i64") || is(call.type, "u64")) return scan_by_key_of<Key, std::uint64_t>(call);
  if (is(call.type, "f32")) return scan_by_key_of<Key, float>(call);
  if (is(call.type, "f64")) return scan_by_key_of<Key, double>(call);
  return not_built;
}

}  // namespace

int scan_by_key(const Call& call) {
  if (!is(call.op, "plus")) return not_built;
  if (is(call.key, "u32") || is(call.key, "i32")) return scan_by_key_of_keys<std::uint32_t>(call);
  return not_built;
}

}  // namespace upsweep_peer
