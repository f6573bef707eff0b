// Values that wait in shared memory are folded by columns: a team of a warp's neighbouring lanes takes a column.
#pragma once

#include "operator/combine.value.cuh"
#include "parameters.cuh"

// Folds `parts` values for each of `columns` columns of each of `axes` axes, in the order of the parts, which is that
// in memory; the next part is `pitch` values behind. One lane for each column calls use(axis, column, total). Called by
// the first `threads` threads of the block, beyond a barrier.
template <int threads, typename Use>
__device__ __forceinline__ void fold_parts(const Accumulator* values, int axes, int columns, int pitch, int parts,
                                           const Use& use) {
  const int all = axes * columns;
  int bits = 0;  // 1 << bits lanes of each team
  while (bits < 5 && (1 << bits) < parts && all <= threads >> (bits + 1)) ++bits;
  const int lanes = 1 << bits, each = (parts + lanes - 1) >> bits, active = (parts + each - 1) / each;
  const int place = thread_index() & (lanes - 1), teams = threads >> bits;
  for (int first = 0; first < all; first += teams) {
    const int number = first + (thread_index() >> bits), axis = axes == 1 ? 0 : number / columns;
    const int column = number - axis * columns;
    const int begin = place * each, end = begin + each < parts ? begin + each : parts;
    const bool has_parts = number < all && begin < end;
    const Accumulator* const of_column = values + axis * parts * pitch + column;
    Accumulator total;
    if (has_parts) total = of_column[begin * pitch];
#pragma unroll 4
    for (int part = begin + 1; part < end; ++part) {
      if (has_parts) total = combine(total, of_column[part * pitch]);
    }
    for (int distance = 1; distance < lanes; distance *= 2) {
      const Accumulator above = shuffle_down(total, distance);
      if (has_parts && (place & (2 * distance - 1)) == 0 && place + distance < active) total = combine(total, above);
    }
    if (has_parts && place == 0) use(axis, column, total);
  }
}
