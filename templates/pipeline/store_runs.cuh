// Stores runs from a stage, where they lie as in memory: whole sectors of 32 bytes by bulk stores, and the bytes before
// and behind them in smaller pieces.
#pragma once

#include "parameters.cuh"
#include "pipeline/bulk_store.keep.cuh"
#include "thread/axis_columns.cuh"
#include "thread/runs.cuh"

// The bytes of a run before its first whole sector, in whole sectors, and behind them.
struct RunSectors {
  int head, middle, tail;
};

__device__ __forceinline__ RunSectors sectors_of_run(u64 to, int bytes) {
  const int head = int((run_grid - to % run_grid) % run_grid);
  if (head >= bytes) return {bytes, 0, 0};
  const int tail = (bytes - head) % run_grid;
  return {head, bytes - head - tail, tail};
}

template <int bytes>
__device__ __forceinline__ void store_piece(u8* to, const u8* from) {
  *reinterpret_cast<Vector<bytes>*>(to) = *reinterpret_cast<const Vector<bytes>*>(from);
}

// Stores fewer bytes than a sector has in pieces of 1, 2, 4, 8 and 16. The least piece comes first before a sector, and
// the largest behind one.
template <int size>
__device__ __forceinline__ void store_edge(u8* to, const u8* from, int bytes, bool is_head) {
  if (bytes & size) {
    const int at = is_head ? bytes & (size - 1) : bytes & ~(2 * size - 1);
    store_piece<size>(to + at, from + at);
  }
  if constexpr (size < 16) store_edge<2 * size>(to, from, bytes, is_head);
}

// By one warp. The bytes lie in the stage as fill_runs would place them.
__device__ __forceinline__ void store_runs(const u8* stage, const Runs& runs) {
  const auto address_of = [&](int run) { return runs.from + u64(run) * runs.step; };
  const auto staged = [&](int run) { return stage + run * runs.pitch + int(address_of(run) % run_grid); };
  for (int run = lane_index(); run < runs.count; run += warp_size) {
    u8* const to = reinterpret_cast<u8*>(address_of(run));
    const RunSectors sectors = sectors_of_run(address_of(run), runs.bytes);
    if (sectors.middle > 0) begin_bulk_store(to + sectors.head, staged(run) + sectors.head, u32(sectors.middle));
    if (sectors.head < runs.bytes) continue;
    for (int i = 0; i < runs.bytes / int(sizeof(Output)); ++i) {
      reinterpret_cast<Output*>(to)[i] = reinterpret_cast<const Output*>(staged(run))[i];
    }
  }
  for (int i = lane_index(); i < 2 * runs.count; i += warp_size) {
    const int run = i / 2;
    const bool is_head = i % 2 == 0;
    const RunSectors sectors = sectors_of_run(address_of(run), runs.bytes);
    if (sectors.head == runs.bytes) continue;
    const int behind = is_head ? 0 : sectors.head + sectors.middle;
    store_edge<1>(reinterpret_cast<u8*>(address_of(run)) + behind, staged(run) + behind,
                  is_head ? sectors.head : sectors.tail, is_head);
  }
}
