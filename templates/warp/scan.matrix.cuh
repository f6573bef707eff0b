// Inclusive scan over the first `active` lanes of a warp, in lane order; the others hold nothing and get nothing.
// By the matrix units (Dakkak, Li, Xiong, Gelado, Hwu, "Accelerating Reduction and Scan Using Tensor Core Units",
// 2019): the lower triangle of ones times the values. Sums of 32-bit integers, exactly: the matrix units multiply
// bytes, so each of the four bytes of the values is a column.
#pragma once

#include "parameters.cuh"
#include "target/cuda/matrix.cuh"

// Bytes `column` to `column` + 3 of row `row` of the triangle: as many ones as are not to the right of the diagonal.
__device__ __forceinline__ u32 triangle(int row, int column) {
  const int ones = row - column + 1;
  return ones <= 0 ? 0 : ones < 4 ? 0x01010101u >> (8 * (4 - ones)) : 0x01010101u;
}

// Rows first to first + 15 of the product, as the sums of all lower bytes: of row first + lane / 4, and of the row 8
// below, to lanes whose number is a multiple of 4.
__device__ __forceinline__ void scan_rows(int first, const u32 (&bytes)[2], u32 (&result)[2]) {
  const int row = first + lane_index() / 4, column = lane_index() % 4 * 4;
  const u32 ones[4] = {triangle(row, column), triangle(row + 8, column), triangle(row, column + 16),
                       triangle(row + 8, column + 16)};
  u32 sum[4] = {0, 0, 0, 0};
  multiply_bytes(ones, bytes, sum);
  // Lane 4 r has the columns of bytes 0 and 1, lane 4 r + 1 those of bytes 2 and 3.
  const int shift = lane_index() % 4 * 16;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const u32 own = shift < 32 ? (sum[2 * i] + (sum[2 * i + 1] << 8)) << shift : 0;
    result[i] = own + shuffle_down(own, 1);
  }
}

template <bool whole>
__device__ __forceinline__ Local warp_scan(Local value, int active) {
  const int lane = lane_index(), byte = lane / 4;
  const u32 own = whole || lane < active ? u32(value) : 0;
  // Byte `byte` of the values of lanes 4 t to 4 t + 3, and 16 + 4 t on, with t = lane % 4. There are four.
  u32 bytes[2] = {0, 0};
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const u32 other = shuffle(own, i / 4 * 16 + lane % 4 * 4 + i % 4);
    if (byte < 4) bytes[i / 4] |= (other >> (8 * byte) & 255u) << (8 * (i % 4));
  }
  u32 rows[4];
  u32 result[2];
  scan_rows(0, bytes, result);
  rows[0] = result[0];
  rows[1] = result[1];
  scan_rows(16, bytes, result);
  rows[2] = result[0];
  rows[3] = result[1];
  // Row 8 k + r is with lane 4 r.
  u32 inclusive = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const u32 of_eight = shuffle(rows[k], lane % 8 * 4);
    if (lane / 8 == k) inclusive = of_eight;
  }
  return whole || lane < active ? Local(inclusive) : value;
}
