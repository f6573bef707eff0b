// CUB's adjacent differences. Differences of integers wrap, so that types of one size share their instantiations.
#include <cub/device/device_adjacent_difference.cuh>
#include <cuda/std/functional>

#include "bench/cub/call.cuh"

namespace upsweep_peer {
namespace {

// Arrays: in, out.
template <typename T>
int differences_of(const Call& call) {
  const T* const in = input<T>(call, 0);
  T* const out = output<T>(call, 1);
  return with_count(call, [&](auto n) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(call.temporary, *call.bytes, in, out, n,
                                                           cuda::std::minus<T>{}, stream_of(call));
  });
}

bool is_one_of(const char* name, const char* one, const char* other) {
  return is(name, one) || is(name, other);
}

}  // namespace

int adjacent_difference(const Call& call) {
  if (!is(call.op, "minus")) return not_built;
  if (is_one_of(call.type, "i8", "u8")) return differences_of<std::uint8_t>(call);
  if (is_one_of(call.type, "i16", "u16")) return differences_of<std::uint16_t>(call);
  if (is_one_of(call.type, "i32", "u32")) return differences_of<std::uint32_t>(call);
  if (is_one_of(call.type, "i64", "u64")) return differences_of<std::uint64_t>(call);
  if (is(call.type, "f32")) return differences_of<float>(call);
  if (is(call.type, "f64")) return differences_of<double>(call);
  return not_built;
}

}  // namespace upsweep_peer
