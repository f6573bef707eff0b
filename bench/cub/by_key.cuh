// CUB's reductions by key for one type of keys, the operator and the type of the values chosen by name: plus, minimum
// and maximum of the numbers of 4 and 8 bytes.
#pragma once

#include <cub/device/device_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

#include "bench/cub/call.cuh"

namespace upsweep_peer {

// Arrays: keys, values, unique, aggregates, count. CUB compares keys by ==.
template <typename Key, typename Value, typename Op>
int by_key_with(const Call& call) {
  const Key* const keys = input<Key>(call, 0);
  const Value* const values = input<Value>(call, 1);
  Key* const unique = output<Key>(call, 2);
  Value* const aggregates = output<Value>(call, 3);
  std::uint64_t* const count = output<std::uint64_t>(call, 4);
  return with_count(call, [&](auto n) {
    return cub::DeviceReduce::ReduceByKey(call.temporary, *call.bytes, keys, unique, values, aggregates, count, Op{}, n,
                                          stream_of(call));
  });
}

template <typename Key, typename Value>
int by_key_of_values(const Call& call) {
  if (is(call.op, "plus")) return by_key_with<Key, Value, cuda::std::plus<Value>>(call);
  if (is(call.op, "minimum")) return by_key_with<Key, Value, cuda::minimum<Value>>(call);
  if (is(call.op, "maximum")) return by_key_with<Key, Value, cuda::maximum<Value>>(call);
  return not_built;
}

template <typename Key>
int by_key(const Call& call) {
  if (is(call.type, "i32")) return by_key_of_values<Key, std::int32_t>(call);
  if (is(call.type, "u32")) return by_key_of_values<Key, std::uint32_t>(call);
  if (is(call.type, "f32")) return by_key_of_values<Key, float>(call);
  if (is(call.type, "i64")) return by_key_of_values<Key, std::int64_t>(call);
  if (is(call.type, "u64")) return by_key_of_values<Key, std::uint64_t>(call);
  if (is(call.type, "f64")) return by_key_of_values<Key, double>(call);
  return not_built;
}

}  // namespace upsweep_peer
