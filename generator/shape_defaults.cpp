#include "generator/shape_defaults.hpp"

#include <algorithm>
#include <cstdint>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/device_limits.hpp"
#include "generator/schedule.hpp"
#include "generator/shape.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
// 2^20, 2^21 and 2^22 items of i64 in rows of 64 take 7.4, 16.8 and 32.1 us in blocks and 12.5, 19.5 and 32.6 us by
// lookahead, and in rows of 1,024 7.7, 16.1 and 30.7 us and 12.6, 19.6 and 32.6 us; 2^21 of f32 in rows of 64 10.8 and
// 9.2 us (H100, driver 580.159.04, 2026-11-28).
bool has_some_wide_rows(const Problem& problem) noexcept {
  constexpr std::uint64_t shortest_row = 16, short_row = 1 << 10, some_bytes = 16 << 20;
  return problem.shape == Shape::rows && size_of(problem.input) == 8 && size_of(problem.accumulator) == 8 &&
         problem.row_length >= shortest_row && problem.row_length <= short_row &&
         bytes_of(problem.size, problem.input) <= some_bytes;
}

// A few lanes, a warp or a block for each row, as long as all multiprocessors have several rows. 2^26 items of f32 take
// 90 us in 512 rows, 91 us in 256, 109 us in 128 and 168 us in 64 rows so, and 90 to 92 us in pieces (H100,
// 2026-11-26).
const char* default_fold_of_rows(const Problem& problem, const DeviceLimits& limits) {
  constexpr std::uint64_t short_row = 16 << 10, rows_each = 4;
  const std::uint64_t multiprocessors = multiprocessors_of(limits);
  const bool is_short = bytes_of(problem.row_length, problem.input) < short_row;
  return is_short || rows_of(problem, problem.size) >= rows_each * multiprocessors ? "row_groups" : "row_pieces";
}

// Segments that groups of threads take on their own, without a search. A long one makes its block late, but not by much
// where there are few items in all: half of 2^14 and 2^16 items of f32 in one segment are reduced in 6.2 and 21 us so,
// by merge_path in 7.8 and 10 us, and scanned in 12 and 42 us. With lengths around 64, 2^16 items are reduced in 3.5 us
// so and in 8.6 us by merge_path, and 2^12 items are scanned in 2.6 us, by lookback in 3.3 us (H100, driver 580.159.04,
// 2026-11-27).
bool has_few_items_of_segments(const Problem& problem) {
  constexpr std::uint64_t few_items_to_fold = 1 << 16, few_items_to_scan = 1 << 13, long_segment = 1 << 11;
  const bool folds = is_fold_of_segments(problem);
  const std::uint64_t short_segment = folds ? 2 : 8;  // below, most segments are empty, or a few are long for a group
  return problem.size <= (folds ? few_items_to_fold : few_items_to_scan) && problem.row_length >= short_segment &&
         problem.row_length <= long_segment;
}

// 2^19 and 2^20 items of f32 in segments of 16 take 8.5 and 10.1 us so and 7.9 and 10.2 us by lookback, and in segments
// of 1,000 6.7 and 7.9 us and 7.0 and 9.2 us; 2^20 of f16 10.3 and 7.8 us, and 9.4 and 8.4 us. 2^19 of i64 take 11.6
// and 9.8 us and 13.5 and 11.7 us (H100, driver 580.159.04, 2026-11-28).
bool looks_ahead_in_few_segments(const Problem& problem) noexcept {
  constexpr std::uint64_t enough_bytes = 4 << 20, short_segment = 16;
  const std::size_t item = size_of(problem.input);
  return is_scan_of_segments(problem) && problem.row_length >= short_segment && (item == 4 || item == 8) &&
         size_of(problem.accumulator) == item && bytes_of(problem.size, problem.input) >= enough_bytes;
}

// Stages of shared memory, where there are enough tiles to fill them. Items take so long (us) by merge_path and by
// segment_pieces (H100, driver 580.159.04, 2026-11-28; merge_path with large tiles, and 2^21 items of f16 take 13.2 and
// 11.7 us in small ones):
//            segments of 16   segments of 1,024
//   f32 2^22   18.8, 20.6        14.4, 14.9
//   f32 2^23   29.6, 29.1        20.6, 22.0
//   f16 2^21   13.8, 20.7        15.6, 13.1
//   f16 2^22   22.4, 21.9        19.3, 14.5
//   f16 2^23   31.7, 26.6        24.8, 17.7
//   i64 2^20   12.2, 14.8        12.8, 12.3
//   i64 2^21   17.4, 17.1        14.9, 14.3
//   i64 2^22   27.2, 24.4        22.5, 19.8
// 2^24 items of f32 in segments of 16 take 49.3 and 37.7 us, and 2^20, 2^22 and 2^24 items of i8 in segments of
// 64 10.1, 15.1 and 30.9 us by merge_path and 13.0, 18.9 and 24.3 us by segment_pieces.
const char* default_fold_of_segments(const Problem& problem, const DeviceLimits& limits) {
  if (has_few_items_of_segments(problem)) return "segment_groups";
  const std::size_t item = size_of(problem.input);
  constexpr std::uint64_t short_segment = 16;  // shorter ones were not measured with so few items
  const std::uint64_t large = item == 4 || item > 8 || problem.row_length < short_segment ? 48 << 20
                              : item == 2                                                 ? 8 << 20
                                                                                          : 16 << 20;
  const bool is_large = limits.compute_capability >= 90 && bytes_of(problem.size, problem.input) >= large;
  return is_large && find_schedule(problem, "segment_pieces").supports(problem) ? "segment_pieces" : "merge_path";
}

}  // namespace upsweep
