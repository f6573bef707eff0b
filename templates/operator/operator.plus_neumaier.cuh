// Compensated sum (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974; also known
// as Kahan-Babuska): the error terms of all additions are added up on their own. The error of an addition is that of
// two_sum, which needs no branch on which of the two is greater.
#pragma once

#include "value/compensated.cuh"

template <typename Part>
__device__ __forceinline__ Compensated<Part> combine(const Compensated<Part>& a, const Compensated<Part>& b) {
  Part error;
  const Part sum = two_sum(a.sum, b.sum, error);
  return {sum, a.error + b.error + error};
}
