// Compact emission to several arrays: each warp gathers its own results where its items were and writes them as one
// piece. Items of an array begin anywhere within 32 bytes, so of a warp's bytes of a part, only those are written that
// no 32 aligned bytes share with a neighbour's; the last 32 of them are left, too: the next warp reads the item before
// its first one there. Results without room wait in the warp's spill.
#pragma once

#include "parameters.cuh"
#include "pipeline/parts.cuh"

template <typename T>
constexpr u32 spill_items = part_grid / sizeof(T);

template <typename T>
constexpr u32 gathered_items = u32(warp_places) - spill_items<T>;

template <typename T>
struct Spill {
  T result[spill_items<T>];
};
