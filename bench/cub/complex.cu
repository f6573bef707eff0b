// Sums of complex numbers. CUB has no tuning for types of a caller's own: these are of 8 and of 16 bytes.
#include "bench/cub/problems.cuh"

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
  if (std::strcmp(call.op, "plus") != 0) return not_built;
  if (std::strcmp(call.type, "c64") == 0) return scan_or_reduce<Complex<float>>(call, Plus{}, {0, 0});
  if (std::strcmp(call.type, "c128") == 0) return scan_or_reduce<Complex<double>>(call, Plus{}, {0, 0});
  return not_built;
}

}  // namespace upsweep_peer
