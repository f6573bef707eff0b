// Runs: pieces of an array at equal distances, such as the parts of rows that a tile has. They are loaded to a stage in
// shared memory by the vectors of 16 bytes that hold them, so that they may begin at any address.
#pragma once

#include "target/cuda.cuh"

// In a stage, a run begins as far behind a multiple of so many bytes as in memory: vectors here and there match, and
// bulk copies are a sixth slower otherwise.
constexpr int run_grid = 32;

struct Runs {
  u64 from;   // address of the first one
  u64 step;   // bytes from one to the next in memory
  int bytes;  // of each
  int count;
  int pitch;  // bytes from one to the next in a stage: a multiple of run_grid, if there are several
};

// Every `step`-th run, from number `first` on. In a stage, they begin first * pitch bytes behind the first of all runs.
__device__ __forceinline__ Runs every_run(const Runs& runs, int first, int step) {
  return {runs.from + u64(first) * runs.step, runs.step * u64(step), runs.bytes, (runs.count - first + step - 1) / step,
          runs.pitch * step};
}

// Addresses of the array. Nothing outside is loaded.
struct ArrayBytes {
  u64 begin, end;
};

// The whole vectors of the array that hold bytes of a run.
struct RunVectors {
  u8* to;
  const u8* from;
  int bytes;
};

__device__ __forceinline__ RunVectors vectors_of_run(u8* stage, const Runs& runs, int run, const ArrayBytes& array) {
  const u64 begin = runs.from + u64(run) * runs.step, end = begin + u64(runs.bytes);
  u64 first = begin / 16 * 16, last = (end + 15) / 16 * 16;
  if (first < array.begin) first += 16;
  if (last > array.end) last -= 16;
  if (last < first) last = first;
  u8* const to = stage + run * runs.pitch + int(begin % run_grid);
  return {to + int(i64(first - begin)), reinterpret_cast<const u8*>(first), int(last - first)};
}

// Copies the bytes of a run that no whole vector of the array holds: there are some at the ends of the array. By one
// lane.
__device__ __forceinline__ void copy_ends_of_run(const RunVectors& vectors, const Runs& runs, int run) {
  const u64 begin = runs.from + u64(run) * runs.step, end = begin + u64(runs.bytes);
  const u64 first = reinterpret_cast<u64>(vectors.from), last = first + u64(vectors.bytes);
  u8* const to = vectors.to - int(i64(first - begin));
  for (u64 at = begin; at < first && at < end; ++at) to[at - begin] = *reinterpret_cast<const u8*>(at);
  for (u64 at = last > begin ? last : begin; at < end; ++at) to[at - begin] = *reinterpret_cast<const u8*>(at);
}
