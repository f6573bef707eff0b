// Which of a number of items, or of rows, one of several threads takes.
#pragma once

#include "parameters.cuh"

// Of `Count`: an integer type.
template <typename Count>
struct Share {
  Count first, count;
  Count step;
  int active;  // threads that have any: the lowest
};

// The share of thread `part` of `parts`: every so many-th item, so that neighbouring threads load neighbouring ones at
// a time; or, if items must be combined in their order, neighbouring ones. `may_be_none`: whether `all` may be 0.
template <bool may_be_none, typename Count>
__device__ __forceinline__ Share<Count> share_of(Count all, int part, int parts) {
  const Count at = Count(part), each = (all + Count(parts) - 1) / Count(parts);
  if (in_order) {
    const Count first = at * each;
    const Count count = first >= all ? 0 : all - first < each ? all - first : each;
    return {first, count, 1, may_be_none && each == 0 ? 0 : int((all + each - 1) / each)};
  }
  const Count count = at < all ? (all - at + Count(parts) - 1) / Count(parts) : 0;
  return {at, count, Count(parts), all < Count(parts) ? int(all) : parts};
}
