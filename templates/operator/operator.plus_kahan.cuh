// Compensated sum (Kahan, "Further Remarks on Reducing Truncation Errors", 1965): the error term is added to the next
// item, before the item is added to the sum. Two sums are added with their error terms.
#pragma once

#include "value/compensated.cuh"

template <typename Part>
__device__ __forceinline__ Compensated<Part> combine(const Compensated<Part>& a, const Compensated<Part>& b) {
  Part sum, error;
  if (is_negative_zero(b.error)) {  // b is an item; compilers know where
    sum = fast_two_sum(a.sum, add_rounded(b.sum, a.error), error);
  } else {
    sum = two_sum(a.sum, b.sum, error);
    error = a.error + b.error + error;
  }
  // What comes behind an infinite sum must not become a NaN by its error term.
  return {sum, is_finite(error) ? error : Part(0)};
}
