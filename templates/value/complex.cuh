// A complex value: the parts side by side, as in std::complex, and aligned to the whole, so that one access moves it.
#pragma once

#include "target/cuda.cuh"

template <typename Part>
struct alignas(2 * sizeof(Part)) Complex {
  Part real, imaginary;
  Complex() = default;
  __device__ __forceinline__ Complex(Part real, Part imaginary) : real(real), imaginary(imaginary) {}
  template <typename Real>
  __device__ __forceinline__ explicit Complex(Real value) : real(Part(value)), imaginary(0) {}
  template <typename Other>
  __device__ __forceinline__ explicit Complex(Complex<Other> value)
      : real(Part(value.real)), imaginary(Part(value.imaginary)) {}

  __device__ __forceinline__ Complex operator+(Complex b) const { return {real + b.real, imaginary + b.imaginary}; }
  __device__ __forceinline__ Complex operator*(Complex b) const {
    return {real * b.real - imaginary * b.imaginary, real * b.imaginary + imaginary * b.real};
  }
  __device__ __forceinline__ bool operator!=(Complex b) const { return real != b.real || imaginary != b.imaginary; }
};

using c64 = Complex<float>;

using c128 = Complex<double>;
