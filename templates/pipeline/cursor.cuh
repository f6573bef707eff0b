// A position in a ring of `size` phase barriers, and the parity of the phase that the barrier there is in.
#pragma once

#include "target/cuda.cuh"

template <int size>
struct Cursor {
  int at = 0;
  u32 parity = 0;

  __device__ __forceinline__ void advance() {
    if (++at == size) {
      at = 0;
      parity ^= 1;
    }
  }
};
