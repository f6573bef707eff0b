// Sums of complex numbers. CUB has no tuning for types of a caller's own: these are of 8 and of 16 bytes.
#include "bench/cub/scan_reduce.cuh"

namespace upsweep_peer {
namespace {

template <typename T>
struct alignas(2 * sizeof(T)) Complex {
  T real;
  T imaginary;
};

struct Plus {
  template <typename T>
  __host__ __device__ Complex<T> operator()(const Complex<T>& a, const Complex<T>& b) const {
    return {a.real + b.real, a.imaginary + b.imaginary};
  }
};

}  // namespace

int run_complex(const Call& call) {
  if (!is(call.op, "plus")) return not_built;
  if (is(call.type, "c64")) return scan_or_reduce<Complex<float>>(call, Plus{});
  if (is(call.type, "c128")) return scan_or_reduce<Complex<double>>(call, Plus{});
  return not_built;
}

}  // namespace upsweep_peer
