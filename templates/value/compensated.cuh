// A sum and its error term. The operator (operator.plus_kahan.cuh and others) says how they are kept.
#pragma once

#include "target/cuda.cuh"
#include "target/cuda/rounding.cuh"

// Aligned to the whole, so that one access moves it.
template <typename Part>
struct alignas(2 * sizeof(Part)) Compensated {
  Part sum;
  Part error;  // what is to be added to the sum

  Compensated() = default;
  __device__ __forceinline__ Compensated(Part sum, Part error) : sum(sum), error(error) {}

  // A number: an item, or the initial value. The error term is -0, which changes nothing that it is added to, so that
  // compilers leave out the addition.
  template <typename Number>
  __device__ __forceinline__ Compensated(Number number) : sum(Part(number)), error(Part(-0.0)) {}

  // The sum, rounded. A zero is +0, whatever the order of the items. The error term of an infinite sum means nothing.
  __device__ __forceinline__ operator Part() const {
    const Part total = add_rounded(sum, error) + Part(0);
    return is_nan(total) ? sum : total;
  }
};

// a + b, rounded; `error` becomes what rounding has taken away: TwoSum (Knuth, "The Art of Computer Programming",
// volume 2, section 4.2.2, theorem B).
template <typename Part>
__device__ __forceinline__ Part two_sum(Part a, Part b, Part& error) {
  const Part sum = add_rounded(a, b);
  const Part of_b = subtract_rounded(sum, a);
  const Part of_a = subtract_rounded(sum, of_b);
  error = add_rounded(subtract_rounded(a, of_a), subtract_rounded(b, of_b));
  return sum;
}

// The same in half the additions: exact where a is zero or |a| >= |b| (Dekker, "A Floating-Point Technique for
// Extending the Available Precision", 1971).
template <typename Part>
__device__ __forceinline__ Part fast_two_sum(Part a, Part b, Part& error) {
  const Part sum = add_rounded(a, b);
  error = subtract_rounded(b, subtract_rounded(sum, a));
  return sum;
}
