// Products of small matrices of bytes, by all lanes of a warp.
#pragma once

#include "target/host/threads.cuh"
#include "target/host/warp.cuh"
#include "target/types.cuh"

// The sum of the products of the bytes of two words.
__device__ __forceinline__ u32 multiply_word(u32 a, u32 b) {
  u32 sum = 0;
  for (int byte = 0; byte < 4; ++byte) sum += (a >> (8 * byte) & 255u) * (b >> (8 * byte) & 255u);
  return sum;
}

// As target/cuda/matrix.cuh says: the lanes exchange their pieces.
__device__ __forceinline__ void multiply_bytes(const u32 (&a)[4], const u32 (&b)[2], u32 (&sum)[4]) {
  const int group = lane_index() / 4, column = lane_index() % 4 * 2;
  for (int half = 0; half < 2; ++half) {
    for (int t = 0; t < 4; ++t) {
      const u32 upper = shuffle(a[2 * half], group * 4 + t), lower = shuffle(a[2 * half + 1], group * 4 + t);
      const u32 left = shuffle(b[half], column * 4 + t), right = shuffle(b[half], column * 4 + 4 + t);
      sum[0] += multiply_word(upper, left);
      sum[1] += multiply_word(upper, right);
      sum[2] += multiply_word(lower, left);
      sum[3] += multiply_word(lower, right);
    }
  }
}
