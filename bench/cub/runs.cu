// CUB's calls for runs and indices: unique, unique_by_key, run_length_encode, nontrivial_runs and nonzero. Items of
// integer types are compared bit by bit, so that types of one size share their instantiations.
#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

#include "bench/cub/select.cuh"

namespace upsweep_peer {
namespace {

// Arrays: in, out, count.
template <typename T>
int unique_of(const Call& call) {
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  std::uint64_t* const count = output<std::uint64_t>(call, 2);
  return with_count(call, [&](auto n) {
    return cub::DeviceSelect::Unique(call.temporary, *call.bytes, in, out, count, n, stream_of(call));
  });
}

// Arrays: keys, values, unique, out, count.
template <typename Value>
int unique_by_key_of(const Call& call) {
  using Key = std::uint32_t;
  const Key* const keys = input<Key>(call, 0);
  const Value* const values = input<Value>(call, 1);
  Key* const unique = output<Key>(call, 2);
  Value* const out = output<Value>(call, 3);
  std::uint64_t* const count = output<std::uint64_t>(call, 4);
  return with_count(call, [&](auto n) {
    return cub::DeviceSelect::UniqueByKey(call.temporary, *call.bytes, keys, values, unique, out, count, n,
                                          stream_of(call));
  });
}

// Arrays: in, unique, lengths, count.
template <typename T>
int run_length_encode_of(const Call& call) {
  const T* const in = input<T>(call, 0);
  T* const unique = output<T>(call, 1);
  std::uint32_t* const lengths = output<std::uint32_t>(call, 2);
  std::uint64_t* const count = output<std::uint64_t>(call, 3);
  return with_count(call, [&](auto n) {
    return cub::DeviceRunLengthEncode::Encode(call.temporary, *call.bytes, in, unique, lengths, count, n,
                                              stream_of(call));
  });
}

// Arrays: in, offsets, lengths, count.
template <typename T>
int nontrivial_runs_of(const Call& call) {
  const T* const in = input<T>(call, 0);
  std::uint32_t* const offsets = output<std::uint32_t>(call, 1);
  std::uint32_t* const lengths = output<std::uint32_t>(call, 2);
  std::uint64_t* const count = output<std::uint64_t>(call, 3);
  return with_count(call, [&](auto n) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(call.temporary, *call.bytes, in, offsets, lengths, count, n,
                                                      stream_of(call));
  });
}

// Arrays: in, out, count. Scalars: the threshold.
template <typename T>
int nonzero_of(const Call& call) {
  using Index = std::uint64_t;
  const T* const in = input<T>(call, 0);
  Index* const out = output<Index>(call, 1);
  Index* const count = output<Index>(call, 2);
  const Predicate<T, cuda::std::not_equal_to<T>> keeps{scalar<T>(call, 0)};
  return with_count(call, [&](auto n) {
    return cub::DeviceSelect::FlaggedIf(call.temporary, *call.bytes, thrust::counting_iterator<Index>(0), in, out,
                                        count, n, keeps, stream_of(call));
  });
}

bool is_one_of(const char* name, const char* one, const char* other) {
  return is(name, one) || is(name, other);
}

}  // namespace

int runs(const Call& call) {
  const bool counts_64 = is(call.accumulator, "u64");
  if (is(call.algorithm, "unique") && is(call.op, "equal_to") && counts_64) {
    if (is_one_of(call.type, "i8", "u8")) return unique_of<std::uint8_t>(call);
    if (is_one_of(call.type, "i16", "u16")) return unique_of<std::uint16_t>(call);
    if (is_one_of(call.type, "i32", "u32")) return unique_of<std::uint32_t>(call);
    if (is_one_of(call.type, "i64", "u64")) return unique_of<std::uint64_t>(call);
    if (is(call.type, "f32")) return unique_of<float>(call);
    if (is(call.type, "f64")) return unique_of<double>(call);
  }
  if (is(call.algorithm, "unique_by_key") && is(call.op, "equal_to") && counts_64 &&
      is_one_of(call.key, "u32", "i32")) {
    if (is_one_of(call.type, "i32", "u32") || is(call.type, "f32")) return unique_by_key_of<std::uint32_t>(call);
    if (is_one_of(call.type, "i64", "u64") || is(call.type, "f64")) return unique_by_key_of<std::uint64_t>(call);
  }
  if (is(call.algorithm, "run_length_encode") && is(call.op, "equal_to") && is(call.accumulator, "u32")) {
    if (is_one_of(call.type, "i8", "u8")) return run_length_encode_of<std::uint8_t>(call);
    if (is_one_of(call.type, "i32", "u32")) return run_length_encode_of<std::uint32_t>(call);
    if (is_one_of(call.type, "i64", "u64")) return run_length_encode_of<std::uint64_t>(call);
    if (is(call.type, "f32")) return run_length_encode_of<float>(call);
  }
  if (is(call.algorithm, "nontrivial_runs") && is(call.op, "equal_to") && is(call.accumulator, "u32")) {
    if (is_one_of(call.type, "i8", "u8")) return nontrivial_runs_of<std::uint8_t>(call);
    if (is_one_of(call.type, "i32", "u32")) return nontrivial_runs_of<std::uint32_t>(call);
    if (is(call.type, "f32")) return nontrivial_runs_of<float>(call);
  }
  if (is(call.algorithm, "nonzero") && is(call.op, "not_equal_to") && counts_64) {
    if (is_one_of(call.type, "i8", "u8")) return nonzero_of<std::uint8_t>(call);
    if (is_one_of(call.type, "i32", "u32")) return nonzero_of<std::uint32_t>(call);
    if (is(call.type, "f32")) return nonzero_of<float>(call);
    if (is(call.type, "f64")) return nonzero_of<double>(call);
  }
  return not_built;
}

}  // namespace upsweep_peer
