// The schedules that rows, axes and segments get by default.
#pragma once

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

// Whether blocks that scan whole columns alone load wide rows item by item.
[[nodiscard]] bool has_wide_uneven_axes(const Problem& problem);
[[nodiscard]] const char* default_scan_along_axis(const Problem& problem, const DeviceLimits& limits,
                                                  bool has_lookahead);
[[nodiscard]] const char* default_fold_along_axis(const Problem& problem, const DeviceLimits& limits);

}  // namespace upsweep
