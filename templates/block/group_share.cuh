// Which rows a group of a block's threads folds.
#pragma once

#include "parameters.cuh"

// Which of `rows` rows a group folds: every so many-th one, so that the groups load neighbouring ones at a time; or, if
// items must be combined in their order, `each` neighbouring ones, which are enough for all.
struct Share {
  int first, count;
  int step;
  int active;  // groups that have rows
};

__device__ __forceinline__ Share share_of(int rows, int group, int groups, int each) {
  if (in_order) {
    const int first = group * each;
    const int count = first >= rows ? 0 : rows - first < each ? rows - first : each;
    return {first, count, 1, (rows + each - 1) / each};
  }
  const int count = group < rows ? (rows - group + groups - 1) / groups : 0;
  return {group, count, groups, rows < groups ? rows : groups};
}
