// Products of small matrices of bytes by the matrix units, by all lanes of a warp; sm_80
#pragma once

#include "target/types.cuh"

// Adds the product of a (16 x 32 bytes) and b (32 x 8 bytes) to sum (16 x 8). Each lane has pieces of them (PTX ISA,
// "Matrix Fragments for mma.m16n8k32"). With g = lane / 4 and t = lane % 4, a has bytes 4 t to 4 t + 3 of row g and of
// row g + 8, then bytes 16 + 4 t on of these; b has rows 4 t to 4 t + 3 of column g, then rows 16 + 4 t on; and sum has
// columns 2 t and 2 t + 1 of row g, then of row g + 8.
__device__ __forceinline__ void multiply_bytes(const u32 (&a)[4], const u32 (&b)[2], u32 (&sum)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
