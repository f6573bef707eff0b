// The schedules that rows, axes and segments get by default.
#pragma once

#include <cstdint>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

// Whether `row_blocks` scans these rows faster than `lookahead`.
[[nodiscard]] bool has_some_wide_rows(const Problem& problem) noexcept;
[[nodiscard]] const char* default_fold_of_rows(const Problem& problem, const DeviceLimits& limits);

// Whether groups of threads take segments on their own.
[[nodiscard]] bool has_few_items_of_segments(const Problem& problem);
// Whether items are scanned by look-ahead although there are few.
[[nodiscard]] bool looks_ahead_in_few_segments(const Problem& problem) noexcept;
[[nodiscard]] const char* default_fold_of_segments(const Problem& problem, const DeviceLimits& limits);

// Whether the memory is so fast that the instructions of a schedule count.
[[nodiscard]] bool has_fast_memory(const DeviceLimits& limits) noexcept;
// Whether the memory is fast, and rows of words or of double words along an axis are several whole vectors.
[[nodiscard]] bool has_even_axes_in_fast_memory(const Problem& problem, const DeviceLimits& limits);
// Vectors of so many bytes that all columns are.
[[nodiscard]] std::uint64_t vectors_of_columns(const Problem& problem, std::uint64_t bytes);
// How many threads that scan columns alone keep a fast memory busy.
[[nodiscard]] std::uint64_t threads_for_columns(const DeviceLimits& limits) noexcept;

// Whether blocks fold columns fastest if each thread has one: rows do not fill vectors, and axes are not short.
[[nodiscard]] bool folds_single_columns(const Problem& problem, const DeviceLimits& limits);

// Whether the schedule axis_pipeline has panels for at least half of the multiprocessors, and these panels are not
// narrow. Each row of a panel takes about 50 ns, however few bytes it has. Faster memories were not measured.
[[nodiscard]] bool has_panels_for_all(const Problem& problem, const DeviceLimits& limits);

// The most bytes of a value for each column of a row that tiles of the schedule lookahead exchange.
inline constexpr std::uint64_t most_row_bytes = 16;
// Whether the columns of an axis can be scanned as one sequence of rows: they are those of one array, and few, as far
// as the problem tells, and rows have few bytes.
[[nodiscard]] bool has_few_columns(const Problem& problem) noexcept;
// How many columns that schedule scans so: 0 unless the shape is `axis`, and 2 where the problem does not tell.
[[nodiscard]] std::int64_t default_row_columns(const Problem& problem) noexcept;

// Whether blocks that scan whole columns alone load wide rows item by item.
[[nodiscard]] bool has_wide_uneven_axes(const Problem& problem);
// Whether these schedules take a problem, on a device that they are fast on.
struct ScansAlongAxis {
  bool lookahead, axis_lookahead, axis_pipeline;
};
[[nodiscard]] const char* default_scan_along_axis(const Problem& problem, const DeviceLimits& limits,
                                                  const ScansAlongAxis& has);
// `has_pipeline`: whether the schedule axis_pipeline takes the problem, on a device that it is fast on.
[[nodiscard]] const char* default_fold_along_axis(const Problem& problem, const DeviceLimits& limits,
                                                  bool has_pipeline);

}  // namespace upsweep
