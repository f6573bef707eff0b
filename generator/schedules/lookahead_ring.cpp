#include "generator/schedules/lookahead_ring.hpp"

#include <algorithm>
#include <optional>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/device_limits.hpp"
#include "generator/operator.hpp"
#include "generator/shape_defaults.hpp"
#include "generator/stage_ports.hpp"

namespace upsweep::lookahead {
namespace {

constexpr std::int64_t warp_size = 32;

// ---- what depends on the device
//
// Measured in green contexts of 8, 32 and 64 multiprocessors of an H200 and with all 132 (driver 580.159.04,
// 2026-11-26; sums of 2^26 items of i32 and i64; docs/notes/performance-notes.md). The fewer multiprocessors share the
// memory, the faster each can be: tiles take less time, and more of the ring must be left for tiles that are on their
// way. With reduce_ahead=4, these sums take 1.15 to 1.25 times as long in the contexts.

// Sixteen multiprocessors of an H100 have 210 GB/s each (those of an H200 306), and are few; 32 of an H200 have 153.
bool has_few_multiprocessors(const DeviceLimits& limits) {
  return bandwidth_each(limits) > 180;
}

// 36 GB/s each: 4; 75 and 150: 3; from 210 on: 2. The bounds lie between: geometric means of what was measured.
std::int64_t most_reduced_ahead(const DeviceLimits& limits) {
  return has_few_multiprocessors(limits) ? 2 : bandwidth_each(limits) > 52 ? 3 : 8;
}

// With 4 MiB and more of one array, sums of 2^22 to 2^28 items of i8, f16, i32 and i64 take 0.80 to 1.01 of the time of
// the other shapes in 8 and 16 multiprocessors, and 1.1 to 1.5 times as long in 32 and 64.
constexpr Shape shape_of_few_multiprocessors{10, 9, 5, 2};
constexpr Shape shape_of_arrays_in_few{14, 5, 6, 2};

// Selections from one array, where each multiprocessor could have more than 52 GB/s: 2^28 items of i32 take 0.82 of the
// time of the large shape in 32 multiprocessors, with vector stores, and 0.84 in 64.
constexpr Shape shape_of_fast_selections{16, 7, 4, 2};

// The fewest descriptors per lane with which the look-ahead warp sees a tile of each block at once.
std::int64_t states_for_all_blocks(const DeviceLimits& limits) {
  for (const std::int64_t states : {1, 2, 4, 5}) {
    if (states * warp_size >= limits.multiprocessors) return states;
  }
  return 8;
}

// ---- shapes that were measured

// What was best over all types, operators and kinds of scan on an H200 (docs/notes/performance-notes.md). Large tiles
// need rounds: what is loaded while what was loaded is worked on.
constexpr Shape small_shape{16, 3, 9, 3};
constexpr Shape middle_shape{12, 5, 7, 3};
constexpr Shape large_shape{12, 5, 7, 4};

// Sums of f64 with error terms: the publisher and look-ahead warps take long for each tile. 2^28 items take 1,123 us
// with this shape and 1,437 us with the one above; with {24, 3, 6, 3} 1,124 us (H200, driver 580.159.04, 2026-11-26).
constexpr Shape large_shape_of_wide_sums{16, 7, 4, 2};

// Selections from items of one byte have the most to do for each byte, and many warps hide it. With vector stores, 2^24
// items of i8, of which half are kept, take 15.7 us with the first shape and 18.2 us with the second; 2^28 items take
// 158 us and 154 us, and where none are kept 145 us and 137 us (H100, driver 580.159.04, 2026-11-26).
constexpr Shape shape_of_bytes{28, 3, 5, 2};
constexpr Shape large_shape_of_bytes{16, 5, 5, 2};

// Partitions into parts of items of 4 and 8 bytes: 2^28 items of i32 take 587 us in three parts and 772 us in two, and
// 665 us and 868 us with the large shape; in two parts of i64, 2^24 items take 111 us instead of 124 us (H200, driver
// 580.159.04, 2026-11-26, tuned, with two descriptors per lane, or four for i64).
constexpr Shape shape_of_three_parts{16, 5, 4, 2};
constexpr Shape shape_of_two_parts{12, 7, 4, 2};
constexpr Shape shape_of_two_wide_parts{8, 9, 5, 3};

std::optional<Shape> shape_of_parts(const Problem& problem) {
  if (!has_large_parts(problem)) return std::nullopt;
  if (parts_of(problem) == 2) return size_of(problem.input) == 4 ? shape_of_two_parts : shape_of_two_wide_parts;
  return size_of(problem.input) == 4 ? std::optional(shape_of_three_parts) : std::nullopt;
}

Shape shape_for(const Problem& problem, const DeviceLimits& limits) {
  const std::uint64_t megabytes = input_bytes(problem, problem.size) >> 20;
  if (const auto shape = shape_of_parts(problem)) return *shape;
  if (is_dense(problem) && has_few_multiprocessors(limits)) {
    if (is_single(problem) && megabytes >= 4) return shape_of_few_multiprocessors;
    if (megabytes >= 48) return shape_of_arrays_in_few;
  }
  if (packs_bytes(problem) && megabytes >= 96) return large_shape_of_bytes;
  if (selects_bytes(problem)) return shape_of_bytes;
  if (selects_fast(problem, limits)) return shape_of_fast_selections;
  if (is_compensated(problem) && value_size(problem) == 16 && megabytes >= 48) return large_shape_of_wide_sums;
  return megabytes < 8 ? small_shape : megabytes < 48 ? middle_shape : large_shape;
}

std::vector<Shape> shapes_for(const Problem& problem) {
  const std::uint64_t megabytes = input_bytes(problem, problem.size) >> 20;
  if (selects_bytes(problem)) return {shape_of_bytes, large_shape_of_bytes, small_shape, middle_shape};
  if (const auto shape = shape_of_parts(problem)) return {*shape, large_shape, {8, 9, 5, 3}, small_shape};
  if (megabytes < 8) return {small_shape, {8, 5, 8, 2}, middle_shape, {8, 3, 9, 3}};
  if (megabytes < 48) return {middle_shape, {14, 5, 5, 2}, small_shape, {8, 5, 8, 2}};
  return {large_shape, {8, 7, 8, 5}, small_shape, {10, 5, 9, 5}};
}

// Where stages hold several arrays: the first of these that leaves room for six stages, of about 32 KB. Selections by
// flags reach 0.93 to 0.98 of memcpy's rate with it (docs/measurements.md).
constexpr Shape shapes_of_ports[] = {{12, 5}, {16, 3}, {12, 3}, {8, 3}, {12, 1}, {8, 1}, {4, 1}, {2, 1}};

// Reductions by key have more to do for each item, and larger tiles are faster than more stages: the first that fits.
constexpr Shape shapes_by_key[] = {{8, 7, 4, 2}, {10, 5, 4, 2}, {8, 5, 4, 2}};

// The shapes of runs and of unique bytes are seeds: their default is emission by positions.
//
// Run-length encoding reads one array only, so that larger tiles fit. 2^28 items of u32 take 531 us with it and
// prefetch=none, and 619 us with the first of shapes_by_key (H100, driver 580.159.04, 2026-11-25). Tiles of narrow
// items are large in items as they are: 2^28 items of u8 take 483 us with the second shape, and 701 us with the first.
constexpr Shape shape_of_run_lengths{8, 11, 4, 2};
constexpr Shape shape_of_narrow_run_lengths{12, 3, 8, 5};

// Runs of at least two items (likewise, 2026-11-26; 2^24 items, runs of two on average): u32 takes 58.5 us with the
// first shape and bulk stores, and 84.8 us with the shape of run-length encoding and vector stores. u8 takes 54.1 us
// with the second one and `states_per_lane=1`, and 93.0 us before. For 2^28 items the shapes of run-length encoding are
// faster by 1 to 8%. Of u32, the third shape takes 601 us there for runs of eight and 528 us for runs of 10^5, and that
// of run-length encoding 655 us and 585 us (H200, driver 580.159.04, 2026-11-26).
constexpr Shape shape_of_nontrivial_runs{12, 5, 6, 3};
constexpr Shape shape_of_many_nontrivial_runs{12, 7, 4, 2};
constexpr Shape shape_of_narrow_nontrivial_runs{8, 3, 6, 3};

// Of 2^28 items (likewise): unique of u8 takes 363 us with this shape, and 426 us with the first of shapes_of_ports.
constexpr Shape shape_of_unique_bytes{16, 3, 9, 3};

// Scans of 8-byte values by keys of u32. An exclusive sum of f64 takes 1,332 us for 2^28 items and 94.6 us for 2^24
// with the first shape and vector stores, and 1,565 us and 107 us with the second and bulk stores (H200, driver
// 580.159.04, 2026-11-26, tuned). In segments, 2^19, 2^20 and 2^21 items of i64 take 11.6, 14.6 and 22.6 us with the
// first and 13.0, 18.9 and 30.3 us with the second (H100, driver 580.159.04, 2026-11-28).
constexpr Shape shape_of_wide_scans_by_key{8, 7, 5, 3};
constexpr Shape shape_of_few_wide_scans_by_key{12, 3, 8, 4};

// 2^20 items of f32 in segments of 16 and of 1,000 take 10.1 and 7.9 us so and 11.2 and 8.4 us otherwise, and 2^21
// items 13.0 and 10.5 us, and 13.2 and 10.1 us (H100, the same day).
constexpr Shape shape_of_few_segments_of_words{12, 3, 9, 5, 3};

// The columns of an axis as one sequence. A thread's items are whole rows, also of three items. Times in us (H200,
// driver 580.159.04, 2026-11-28):
//   f32, rows of 4   2^16   2^18   2^20   2^22   2^24   2^26     rows of 3   2^16   2^18   2^20   2^22   2^26
//   {8, 3, 9, 3}     4.05   4.73   8.48   18.0                               3.93   4.66   8.22   17.4
//   {8, 7, 7, 3}                   6.55   14.5   40.5   137
//   {12, 5, 7, 4}           5.31   7.67   14.2   40.4   137
//   {8, 9, 6, 3}                                                             4.57   4.77   6.31   12.9   135
//   {16, 3, 9, 3}                                                                                        152
constexpr Shape shape_of_few_rows{8, 3, 9, 3};
constexpr Shape shape_of_some_rows{8, 7, 7, 3};
constexpr Shape shape_of_rows_of_three{8, 9, 6, 3};

Shape shape_of_rows(const Problem& problem, Shape of_items) {
  const std::uint64_t megabytes = input_bytes(problem, problem.size) >> 20;
  Shape shape = megabytes < 2                       ? shape_of_few_rows
                : default_row_columns(problem) == 3 ? shape_of_rows_of_three
                : megabytes < 48                    ? shape_of_some_rows
                                                    : of_items;
  shape.row_columns = default_row_columns(problem);
  return shape;
}

bool scans_few_segments_of_words(const Problem& problem) {
  constexpr std::uint64_t few_bytes = 4 << 20, short_segment = 16;
  return is_scan_of_segments(problem) && problem.row_length >= short_segment && size_of(problem.input) == 4 &&
         size_of(problem.accumulator) == 4 && bytes_of(problem.size, problem.input) <= few_bytes;
}

bool has_registers(const Problem& problem, const Shape& shape, const DeviceLimits& limits) {
  return registers(problem, shape, Emit::vectorized) <=
         std::min<std::int64_t>(255, limits.registers_per_multiprocessor / shape.threads());
}

bool has_shared_memory(const Problem& problem, const Shape& shape, const DeviceLimits& limits,
                       Emit emission = Emit::vectorized) {
  return shared_bytes(problem, shape, emission) <= limits.shared_bytes_per_block;
}

// The shape with as many stages as fit, up to nine.
Shape with_stages(Shape shape, const Problem& problem, const DeviceLimits& limits) {
  shape.filler_warps = default_filler_warps(problem);
  for (shape.stages = 9;; --shape.stages) {
    shape.reduce_ahead = std::max<std::int64_t>(std::min<std::int64_t>(shape.stages - 3, 5), 0);
    if (shape.stages == 2 || has_shared_memory(problem, shape, limits)) return shape;
  }
}

// Whether runs, those of at least two items, are fastest with tiles as selections have them, if not emitted by
// positions.
bool takes_tiles_of_selections(const Problem& problem) {
  constexpr std::uint64_t many_bytes = 128 << 20;
  return entry_of(problem).fold == Fold::counted_values && entry_of(problem).result_distance > 1 &&
         input_bytes(problem, problem.size) < many_bytes;
}

std::vector<Shape> fitting_shapes(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::int64_t enough_stages = 6;
  std::vector<Shape> fitting;
  const auto add_if_it_fits = [&](Shape shape) {
    shape.filler_warps = default_filler_warps(problem);
    if (has_shared_memory(problem, shape, limits) && has_registers(problem, shape, limits)) fitting.push_back(shape);
  };
  const Fold fold = entry_of(problem).fold;
  const bool is_narrow = size_of(problem.input) < 4;
  if (takes_tiles_of_selections(problem)) {
    add_if_it_fits(is_narrow ? shape_of_narrow_nontrivial_runs : shape_of_nontrivial_runs);
  } else if (fold == Fold::counted_values) {
    if (tile_inputs(problem).size() == 1) {
      if (entry_of(problem).result_distance > 1 && !is_narrow) add_if_it_fits(shape_of_many_nontrivial_runs);
      add_if_it_fits(is_narrow ? shape_of_narrow_run_lengths : shape_of_run_lengths);
    }
    for (const Shape& shape : shapes_by_key) add_if_it_fits(shape);
  } else if (scans_wide_by_key(problem)) {
    if (has_large_wide_tiles(problem)) add_if_it_fits(shape_of_wide_scans_by_key);
    add_if_it_fits(shape_of_few_wide_scans_by_key);
  } else if (fold == Fold::counts && tiles::bytes_read_per_item(problem) == 1 && results_in_place(problem)) {
    add_if_it_fits(shape_of_unique_bytes);
  }
  for (const Shape& any : shapes_of_ports) {
    const Shape shape = with_stages(any, problem, limits);
    if (shape.worker_warps > 12 && tiles::local_layout(problem).size > 16) continue;  // values of 16 bytes would spill
    if (has_registers(problem, shape, limits) && shape.stages >= enough_stages) fitting.push_back(shape);
  }
  if (fitting.empty()) fitting.push_back(with_stages({1, 1}, problem, limits));
  return fitting;
}

// Gives up stages, then warps, then vectors, until the stages fit a block's shared memory.
Shape fitted(Shape shape, const Problem& problem, const DeviceLimits& limits, Emit emission) {
  const auto too_large = [&] { return !has_shared_memory(problem, shape, limits, emission); };
  constexpr std::int64_t fewest_ahead = 2;
  while (too_large() && shape.stages > fewest_ahead + 2) --shape.stages;
  shape.reduce_ahead = std::min(shape.reduce_ahead, shape.stages - 2);
  shape.filler_warps = std::min(shape.filler_warps, shape.stages);
  while (too_large() && shape.worker_warps > 2) shape.worker_warps -= shape.worker_warps > 16 ? 4 : 2;
  while (too_large() && shape.vectors_per_thread > 1) shape.vectors_per_thread -= 2;
  return shape;
}

}  // namespace

std::int64_t default_filler_warps(const Problem& problem) {
  constexpr std::uint64_t short_segment = 12;
  if (!has_segment_begins(problem)) return 0;
  return problem.row_length < short_segment ? 5 : 3;
}

bool is_single(const Problem& problem) {
  if (is_dense(problem)) return has_plain_items(problem);
  if (entry_of(problem).emission == Emission::parts) return true;
  const std::vector<Port> inputs = tile_inputs(problem);
  return is_compact(problem) && entry_of(problem).fold == Fold::counts && !entry_of(problem).with_index &&
         inputs.size() == 1 && inputs.front().previous_items == 0 && tile_outputs(problem).size() == 1;
}

bool selects_bytes(const Problem& problem) {
  constexpr std::uint64_t large = 8 << 20;
  // So many warps leave a thread 64 registers, which are too few for three parts.
  if (entry_of(problem).fold == Fold::part_counts) return false;
  return is_compact(problem) && is_single(problem) && size_of(problem.input) == 1 &&
         input_bytes(problem, problem.size) >= large;
}

bool packs_bytes(const Problem& problem) {
  return entry_of(problem).emission == Emission::compact && entry_of(problem).has_words &&
         entry_of(problem.op).is_built_in() && size_of(problem.input) == 1;
}

bool scans_wide_by_key(const Problem& problem) {
  return entry_of(problem).fold == Fold::flagged_values && size_of(problem.accumulator) == 8;
}

bool selects_fast(const Problem& problem, const DeviceLimits& limits) {
  return entry_of(problem).emission == Emission::compact && is_single(problem) && size_of(problem.input) >= 4 &&
         (input_bytes(problem, problem.size) >> 20) >= 48 && bandwidth_each(limits) > 52;
}

bool has_many_bytes(const Problem& problem) {
  constexpr std::uint64_t many_bytes = 96 << 20;
  return input_bytes(problem, problem.size) >= many_bytes;
}

bool has_large_wide_tiles(const Problem& problem) {
  return scans_wide_by_key(problem) && (has_many_bytes(problem) || is_scan_of_segments(problem));
}

bool has_large_parts(const Problem& problem) {
  constexpr std::uint64_t large = 48 << 20;
  const std::size_t bytes = size_of(problem.input);
  return entry_of(problem).emission == Emission::parts && (bytes == 4 || bytes == 8) &&
         input_bytes(problem, problem.size) >= large;
}

std::int64_t default_states_per_lane(const Problem& problem, const DeviceLimits& limits) {
  const std::int64_t all = states_for_all_blocks(limits);
  const AlgorithmEntry& entry = entry_of(problem);
  if (prefers_positions(problem)) {
    return std::min(states_for_positions(problem), all);
  }
  if (entry.fold == Fold::counted_values || selects_bytes(problem)) return std::min<std::int64_t>(2, all);
  if (scans_wide_by_key(problem) && !has_large_wide_tiles(problem)) return std::min<std::int64_t>(4, all);
  if (!has_large_parts(problem)) return all;
  return std::min<std::int64_t>(size_of(problem.input) == 4 ? 2 : parts_of(problem) == 2 ? 4 : 5, all);
}

Shape default_shape(const Problem& problem, const DeviceLimits& limits, bool by_positions) {
  Shape shape = by_positions         ? shape_for_positions(problem)
                : is_single(problem) ? shape_for(problem, limits)
                                     : fitting_shapes(problem, limits).front();
  if (is_scan_along_axis(problem)) shape = shape_of_rows(problem, shape);
  const bool is_of_few_words = scans_few_segments_of_words(problem);
  if (is_of_few_words) shape = shape_of_few_segments_of_words;
  shape.reduce_ahead = std::min(shape.reduce_ahead, most_reduced_ahead(limits));
  // It takes long until a stage is filled with segments: 2^26 items of f32 in segments of 64 take 222, 205 and 214 us
  // with 4, 3 and 2 (H100, driver 580.159.04, 2026-11-26). In segments of 4 and 8, they take 193 and 155 us with 3 and
  // 172 and 163 us with 2 (H200, the same day).
  if (has_segment_begins(problem) && !is_of_few_words) {
    constexpr std::uint64_t short_segment = 6;
    shape.reduce_ahead = std::min<std::int64_t>(shape.reduce_ahead, problem.row_length < short_segment ? 2 : 3);
  }
  return fitted(shape, problem, limits, by_positions ? Emit::positions : Emit::vectorized);
}

std::vector<Shape> seed_shapes(const Problem& problem) {
  // Of devices from sm_90 on.
  constexpr DeviceLimits usual_limits{.compute_capability = 90,
                                      .threads_per_block = 1024,
                                      .registers_per_multiprocessor = 65536,
                                      .shared_bytes_per_block = 227 * 1024};
  std::vector<Shape> shapes = is_single(problem) ? shapes_for(problem) : fitting_shapes(problem, usual_limits);
  for (Shape& shape : shapes) shape.row_columns = default_row_columns(problem);
  return shapes;
}

}  // namespace upsweep::lookahead
