// The result of an item that is kept is the item. The fold of the items before it is not used.
#pragma once

#include "parameters.cuh"

template <typename Fold>
__device__ __forceinline__ Result result_of(const Item& item, const Fold&) {
  return {item.in};
}
