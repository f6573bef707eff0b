// CUB's device-wide algorithms on one type with one operator after another, chosen by name. Each type is instantiated
// in a translation unit of a few, because every instantiation costs nvcc seconds.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/limits>

namespace upsweep_peer {

struct Call {
  const char* algorithm;
  const char* op;
  const char* type;
  const void* in;
  void* out;
  std::uint64_t n;
  void* temporary;  // nullptr: only sets *bytes
  std::size_t* bytes;
  cudaStream_t stream;
};

// What the peer returns for a problem that it was not built for: cudaErrorInvalidValue, which CUB gives for no call
// that bench/contestants.cpp makes.
inline constexpr int not_built = 1;

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

// Calls with a count of 32 bits where it is enough, as most callers of CUB do: its indices have the count's width.
template <typename Run>
int with_count(const Call& call, Run run) {
  if (call.n <= 0x7fffffffu) return run(static_cast<std::int32_t>(call.n));
  return run(static_cast<std::int64_t>(call.n));
}

template <typename T, typename Op>
int scan(const Call& call, Op op, T identity) {
  const auto* in = static_cast<const T*>(call.in);
  auto* out = static_cast<T*>(call.out);
  if (std::strcmp(call.algorithm, "inclusive_scan") == 0) {
    return with_count(call, [&](auto n) {
      return cub::DeviceScan::InclusiveScan(call.temporary, *call.bytes, in, out, op, n, call.stream);
    });
  }
  if (std::strcmp(call.algorithm, "exclusive_scan") == 0) {
    return with_count(call, [&](auto n) {
      return cub::DeviceScan::ExclusiveScan(call.temporary, *call.bytes, in, out, op, identity, n, call.stream);
    });
  }
  return not_built;
}

template <typename T, typename Op>
int scan_or_reduce(const Call& call, Op op, T identity) {
  if (std::strcmp(call.algorithm, "reduce") != 0) return scan<T>(call, op, identity);
  const auto* in = static_cast<const T*>(call.in);
  auto* out = static_cast<T*>(call.out);
  return with_count(call, [&](auto n) {
    return cub::DeviceReduce::Reduce(call.temporary, *call.bytes, in, out, n, op, identity, call.stream);
  });
}

// The operators on a built-in type or on one of CUDA's 16-bit floating types.
template <typename T>
int run_number(const Call& call) {
  if (std::strcmp(call.op, "plus") == 0) return scan_or_reduce<T>(call, cuda::std::plus<T>{}, T{});
  if (std::strcmp(call.op, "minimum") == 0) {
    return scan_or_reduce<T>(call, cuda::minimum<T>{}, cuda::std::numeric_limits<T>::max());
  }
  if (std::strcmp(call.op, "maximum") == 0) {
    return scan_or_reduce<T>(call, cuda::maximum<T>{}, cuda::std::numeric_limits<T>::lowest());
  }
  if (std::strcmp(call.op, "last_nonzero") == 0) return scan<T>(call, LastNonzero{}, T{});
  if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>) {
    if (std::strcmp(call.op, "affine") == 0) return scan<T>(call, Affine{}, T{1} << (4 * sizeof(T)));
  }
  return not_built;
}

// One for each translation unit: not_built for the types of the others.
int run_integers_8(const Call& call);
int run_integers_16(const Call& call);
int run_integers_32(const Call& call);
int run_integers_64(const Call& call);
int run_floats_16(const Call& call);
int run_floats(const Call& call);
int run_complex(const Call& call);

}  // namespace upsweep_peer
