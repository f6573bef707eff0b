// Sum of two reproducible sums in bins.
#pragma once

#include "value/binned.cuh"

template <typename Part, int bins, int first_exponent, int end_exponent>
__device__ __forceinline__ Binned<Part, bins, first_exponent, end_exponent> combine(
    const Binned<Part, bins, first_exponent, end_exponent>& a,
    const Binned<Part, bins, first_exponent, end_exponent>& b) {
  auto sum = a, other = b;
  sum.raise(other.rank());
  other.raise(sum.rank());
#pragma unroll
  for (int b = 0; b < bins; ++b) sum.add_to_bin(b, other.low[b], other.high[sum.is_wide ? b : 0]);
  sum.state |= other.state;
  return sum;
}
