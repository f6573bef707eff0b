// A barrier of the whole grid. All blocks must run at the same time (a cooperative launch).
#pragma once

#include "parameters.cuh"

// Global memory that outlives the launch. Zero before the first one; each launch leaves it ready for the next.
struct alignas(128) Workspace {
  u32 arrived;  // blocks at the present barrier
  u32 passed;   // barriers of all launches so far; wraps
};

// All threads of the grid arrive; what each wrote to global memory before is seen by the others after.
__device__ __forceinline__ void grid_barrier(Workspace* workspace) {
  block_barrier();
  if (thread_index() == 0) {
    const u32 passed = load_relaxed(&workspace->passed);  // does not change before this block has arrived
    const u32 arrived = add_acquire_release(&workspace->arrived, 1);
    if (arrived >= grid_size()) abort_kernel();  // another launch uses the workspace at the same time
    if (arrived == grid_size() - 1) {
      store_relaxed(&workspace->arrived, 0u);
      store_release(&workspace->passed, passed + 1);
    } else {
      while (load_acquire(&workspace->passed) == passed) wait_nanoseconds(100);
    }
  }
  block_barrier();
}
