// Goes round a ring of `size` phase barriers: which one is next, and the parity of the phase it is in.
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
