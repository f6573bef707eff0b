// What a block of the schedule lookahead holds: shared memory and registers.
#include <cstdint>

#include "generator/algorithm.hpp"
#include "generator/schedules/lookahead_ring.hpp"
#include "generator/stage_ports.hpp"

namespace upsweep::lookahead {
namespace {

constexpr std::int64_t vector_bytes = 16;
constexpr std::int64_t spill_bytes = 32;  // of a warp and an end of the output
constexpr std::int64_t slack_bytes = 64;  // of a warp's piece of a part, before and behind it

// ResultStorage of templates/pipeline/results.*.cuh.
tiles::Layout results_storage(const Problem& problem, const Shape& shape, Emit emission) {
  constexpr std::int64_t position_bytes = 2;
  const std::int64_t items = shape.tile_items(problem);
  if (emission == Emit::positions) return tiles::struct_of({tiles::Layout{items * position_bytes, 128}});
  if (!is_single(problem)) return stage_ports::results_layout(problem, items, shape.worker_warps);
  if (entry_of(problem).emission == Emission::both_ends) return {shape.worker_warps * 2 * spill_bytes, spill_bytes};
  if (entry_of(problem).emission == Emission::parts) {
    return {shape.tile_bytes() + shape.worker_warps * parts_of(problem) * slack_bytes, spill_bytes};
  }
  if (results_in_place(problem)) return {};
  return {items * static_cast<std::int64_t>(size_of(problem.output)), 128};
}

}  // namespace

tiles::Layout local_layout(const Problem& problem, const Shape& shape) {
  if (shape.row_columns == 0) return tiles::local_layout(problem);
  return tiles::array_of(problem.accumulator, shape.row_columns);
}

bool results_in_place(const Problem& problem) {
  if (entry_of(problem).emission == Emission::parts) return false;
  return size_of(problem.input) == size_of(problem.output);
}

std::int64_t shared_bytes(const Problem& problem, const Shape& shape, Emit emission) {
  const std::int64_t slots = shape.reduce_ahead + 1;
  const tiles::Layout stage = is_single(problem) && emission != Emit::positions
                                  ? tiles::Layout{shape.tile_bytes(), 128}
                                  : stage_ports::stage_layout(problem, shape.tile_items(problem), shape.worker_warps);
  const std::int64_t warps = slots * shape.worker_warps;
  const tiles::Layout carries =
      shape.row_columns > 0 ? local_layout(problem, shape) : tiles::accumulator_layout(problem);
  const tiles::Layout ring = tiles::struct_of(
      {tiles::array_of(stage, shape.stages), results_storage(problem, shape, emission),
       tiles::array_of_words(8, 2 * shape.stages + 3 * slots), tiles::array_of(local_layout(problem, shape), warps),
       tiles::array_of(carries, warps), tiles::array_of_words(4, shape.stages + 1)});
  if (shape.filler_warps == 0) return ring.size;
  return tiles::struct_of(
             {ring, tiles::array_of_words(8, shape.stages), tiles::array_of_words(4, shape.stages), samples_layout()})
      .size;
}

tiles::Layout samples_layout() {
  constexpr std::int64_t offsets_bytes = 4096;
  return tiles::array_of_words(8, 1 + offsets_bytes / 8);
}

std::int64_t registers(const Problem& problem, const Shape& shape, Emit emission) {
  const auto words = (local_layout(problem, shape).size + 3) / 4;
  const std::int64_t items =
      shape.vectors_per_thread * vector_bytes / static_cast<std::int64_t>(size_of(problem.input));
  const std::int64_t kept_words = emission == Emit::positions    ? (items + 31) / 32
                                  : is_fold_of_segments(problem) ? 1
                                                                 : 0;
  return items * static_cast<std::int64_t>(tiles::bytes_read_per_item(problem)) / 4 +
         (words + kept_words) * (shape.reduce_ahead + 2) + 32;
}

}  // namespace upsweep::lookahead
