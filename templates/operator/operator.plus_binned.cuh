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
  for (int i = 0; i < bins; ++i) sum.add_to_bin(i, other.low[i], other.high[sum.is_wide ? i : 0]);
  sum.state |= other.state;
  return sum;
}
