// The ring of a pipeline along an axis: loader warps load panels tile by tile to its stages, and others use them.
#pragma once

#include "block/pipeline_panels.cuh"
#include "parameters.cuh"
#include "pipeline/cursor.cuh"
#include "pipeline/fill_runs.bulk.cuh"
#include "pipeline/phase.suspend.cuh"

struct PipelineRing {
  alignas(128) u8 stage[stages][stage_bytes + 2 * run_grid];
  Panels panels;
  PipelineTile tile[stages];
  PhaseBarrier full[stages];   // the rows of the stage have arrived
  PhaseBarrier empty[stages];  // the stage can be filled again
};

// By one thread. A stage is empty again when `users` arrivals were counted.
__device__ __forceinline__ void init_ring(const Arguments& arguments, u32 users, PipelineRing& ring) {
  for (int s = 0; s < stages; ++s) {
    init_barrier(&ring.full[s], run_arrivals * loader_warps);
    init_barrier(&ring.empty[s], users);
  }
  prepare_runs();
  if (arguments.columns > 0 && arguments.length > 0) ring.panels = panels_of(arguments);
}

// The loader warps, of which this is number `warp`. Tiles take every `step`-th stage, and the last one has no rows.
template <int step>
__device__ __forceinline__ void load_panels(const Arguments& arguments, int warp, PipelineRing& ring) {
  const Panels& panels = ring.panels;
  const u64 begin = reinterpret_cast<u64>(arguments.in);
  const ArrayBytes array{begin, begin + arguments.columns * arguments.length * sizeof(Input)};
  Cursor<stages / step> stage;
  bool is_used = false;  // whether each stage was filled before
  const auto load = [&](const PipelineTile& tile) {
    if (is_used) await_phase(&ring.empty[stage.at], stage.parity ^ 1);
    if (warp == 0 && lane_index() == 0) ring.tile[stage.at] = tile;
    const Runs own = every_run(runs_of(arguments, panels, tile, begin), warp, loader_warps);
    fill_runs(ring.stage[step * stage.at] + warp * panels.pitch, own, array, &ring.full[stage.at]);
    stage.advance();
    is_used |= stage.at == 0;
  };
  for (u64 panel = block_index(); panel < panels.all; panel += grid_size()) {
    PipelineTile tile = first_tile(arguments, panels, panel);
    for (u64 row = 0; row < arguments.length; row += u64(tile.rows)) {
      const u64 left = arguments.length - row;
      tile.rows = left < u64(panels.rows) ? int(left) : panels.rows;
      tile.begins = row == 0;
      tile.ends = u64(tile.rows) == left;
      load(tile);
      tile.first += u64(tile.rows) * arguments.inner;
    }
  }
  load(PipelineTile{});
}
