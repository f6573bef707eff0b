// Values that wait in shared memory are folded by columns: a team of a warp's neighbouring lanes takes a column.
#pragma once

#include "operator/combine.value.cuh"
#include "parameters.cuh"

// Folds `parts` values for each of `columns` columns of each of `axes` axes, in the order of the parts, which is that
// in memory; the next part is `pitch` values behind. One lane for each column calls use(axis, column, total). Called by
// all threads of the block, beyond a barrier.
template <typename Use>
__device__ __forceinline__ void fold_parts(const Accumulator* values, int axes, int columns, int pitch, int parts,
                                           const Use& use) {
  const int all = axes * columns;
  int lanes = 1;
  while (lanes < warp_size && lanes < parts && 2 * lanes * all <= threads_per_block) lanes *= 2;
  const int each = (parts + lanes - 1) / lanes, active = (parts + each - 1) / each;
  const int place = thread_index() % lanes, teams = threads_per_block / lanes;
  for (int first = 0; first < all; first += teams) {
    const int number = first + thread_index() / lanes, axis = number / columns, column = number - axis * columns;
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
      if (has_parts && place % (2 * distance) == 0 && place + distance < active) total = combine(total, above);
    }
    if (has_parts && place == 0) use(axis, column, total);
  }
}
