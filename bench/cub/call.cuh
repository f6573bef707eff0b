// What all translation units of the CUB library share: reading a call, and the list of the units. Each type is
// instantiated in a unit of a few, because every instantiation costs nvcc seconds.
#pragma once

#include <cstdint>
#include <cstring>

#include <cuda_runtime_api.h>

#include "bench/cub/interface.hpp"

namespace upsweep_peer {

using Call = UpsweepPeerCall;

inline constexpr int not_built = upsweep_peer_not_built;

inline bool is(const char* name, const char* other) {
  return std::strcmp(name, other) == 0;
}

// An array that is read; nullptr where only the temporary memory is asked for.
template <typename T>
const T* input(const Call& call, int index) {
  return call.arrays == nullptr ? nullptr : static_cast<const T*>(call.arrays[index]);
}

template <typename T>
T* output(const Call& call, int index) {
  return const_cast<T*>(input<T>(call, index));
}

template <typename T>
T scalar(const Call& call, int index) {
  T value{};
  if (call.scalars != nullptr) std::memcpy(static_cast<void*>(&value), call.scalars[index], sizeof value);
  return value;
}

inline cudaStream_t stream_of(const Call& call) {
  return static_cast<cudaStream_t>(call.stream);
}

// Calls with a count of 32 bits where it is enough, as most callers of CUB do: its indices have the count's width.
template <typename Run>
int with_count(const Call& call, Run run) {
  if (call.n <= 0x7fffffffu) return run(static_cast<std::int32_t>(call.n));
  return run(static_cast<std::int64_t>(call.n));
}

// One for each translation unit: not_built for the types of the others. Scans and reduces:
int run_integers_8(const Call& call);
int run_integers_16(const Call& call);
int run_integers_32(const Call& call);
int run_integers_64(const Call& call);
int run_floats_16(const Call& call);
int run_floats(const Call& call);
int run_complex(const Call& call);
// Reproducible sums:
int reproducible_sum(const Call& call);
// Selections:
int select_integers(const Call& call);
int select_integers_narrow(const Call& call);
int select_floats(const Call& call);
int select_flagged(const Call& call);
// Reductions by key, by the type of the keys:
int by_key_u32(const Call& call);
int by_key_u64(const Call& call);
int by_key_i32(const Call& call);
// Runs and indices:
int runs(const Call& call);
// Partitions:
int partition(const Call& call);
int three_way_partition(const Call& call);
// Adjacent differences:
int adjacent_difference(const Call& call);
// Scans by key:
int scan_by_key(const Call& call);
// Scans and reduces of rows:
int rows(const Call& call);
// Scans and reduces of segments:
int segments(const Call& call);

}  // namespace upsweep_peer
