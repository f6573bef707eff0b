// Sum of two double-double numbers (Dekker, "A Floating-Point Technique for Extending the Available Precision", 1971,
// add2, with the error of the addition by two_sum): the error term is at most half a unit in the last place of the sum.
#pragma once

#include "value/compensated.cuh"

template <typename Part>
__device__ __forceinline__ Compensated<Part> combine(const Compensated<Part>& a, const Compensated<Part>& b) {
  Part error, rest;
  const Part rounded = two_sum(a.sum, b.sum, error);
  error = a.error + b.error + error;
  // What comes behind an infinite sum must not become a NaN by its error term.
  const Part sum = fast_two_sum(rounded, is_finite(error) ? error : Part(0), rest);
  return {sum, rest};
}
