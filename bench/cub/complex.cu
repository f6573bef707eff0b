// Sums of complex numbers of two doubles: a 16-byte type that CUB has no tuning for.
#include "bench/cub/problems.cuh"

namespace upsweep_peer {
namespace {

struct alignas(16) Complex {
  double real;
  double imaginary;
};

struct Plus {
  __host__ __device__ Complex operator()(const Complex& a, const Complex& b) const {
    return {a.real + b.real, a.imaginary + b.imaginary};
  }
};

}  // namespace

int run_complex(const Call& call) {
  if (std::strcmp(call.type, "c128") != 0 || std::strcmp(call.op, "plus") != 0) return not_built;
  return scan_or_reduce<Complex>(call, Plus{}, Complex{0, 0});
}

}  // namespace upsweep_peer
