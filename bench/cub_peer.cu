// CUB, behind the C interface that bench/peer.hpp loads: sums and extrema of the common types.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <cub/cub.cuh>

namespace {

struct Call {
  const char* algorithm;
  const void* in;
  void* out;
  std::uint64_t n;
  void* temporary;
  std::size_t* bytes;
  cudaStream_t stream;
};

template <typename T, typename Op>
int run(const Call& call, Op op, T identity) {
  const auto* in = static_cast<const T*>(call.in);
  auto* out = static_cast<T*>(call.out);
  const auto n = static_cast<std::int64_t>(call.n);
  if (std::strcmp(call.algorithm, "inclusive_scan") == 0) {
    return cub::DeviceScan::InclusiveScan(call.temporary, *call.bytes, in, out, op, n, call.stream);
  }
  if (std::strcmp(call.algorithm, "exclusive_scan") == 0) {
    return cub::DeviceScan::ExclusiveScan(call.temporary, *call.bytes, in, out, op, identity, n, call.stream);
  }
  return cub::DeviceReduce::Reduce(call.temporary, *call.bytes, in, out, n, op, identity, call.stream);
}

template <typename T>
int run_type(const Call& call, const char* op) {
  if (std::strcmp(op, "plus") == 0) return run<T>(call, cuda::std::plus<T>{}, T{0});
  if (std::strcmp(op, "maximum") == 0) {
    return run<T>(call, cuda::maximum<T>{}, cuda::std::numeric_limits<T>::lowest());
  }
  return 1;
}

}  // namespace

extern "C" const char* upsweep_peer_name() {
  static char name[32];
  std::snprintf(name, sizeof name, "CUB %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  return name;
}

extern "C" int upsweep_peer_run(const char* algorithm, const char* op, const char* type, const void* in, void* out,
                                std::uint64_t n, void* temporary, std::size_t* bytes, void* stream) {
  const Call call{algorithm, in, out, n, temporary, bytes, static_cast<cudaStream_t>(stream)};
  if (std::strcmp(type, "i8") == 0) return run_type<std::int8_t>(call, op);
  if (std::strcmp(type, "i32") == 0) return run_type<std::int32_t>(call, op);
  if (std::strcmp(type, "i64") == 0) return run_type<std::int64_t>(call, op);
  if (std::strcmp(type, "f32") == 0) return run_type<float>(call, op);
  if (std::strcmp(type, "f64") == 0) return run_type<double>(call, op);
  return 1;
}
