// What the schedules along an axis have in common: how threads take columns, and panels of these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "generator/assemble.hpp"
#include "generator/launch_values.hpp"
#include "generator/parameter.hpp"
#include "generator/space.hpp"
#include "generator/tile_parameters.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep::axis_panels {

extern const CountParameter columns_per_thread;
extern const CountParameter items_per_thread;
extern const CountParameter panel_width;

struct ColumnValues : LaunchValues {
  std::int64_t threads_per_block = 256;
  std::int64_t columns_per_thread = 1;
  std::int64_t items_per_thread = 8;
  std::int64_t minimum_blocks = 1;
  std::int64_t blocks_per_multiprocessor = 8;

  template <typename Self, typename Visitor>
  static void visit_columns(Self& values, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.columns_per_thread, axis_panels::columns_per_thread);
    visitor(values.items_per_thread, axis_panels::items_per_thread);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
  }
};

// Columns of all items that are expected: sequences that are scanned or folded, each on its own.
[[nodiscard]] std::uint64_t expected_columns(const Problem& problem) noexcept;

// The most columns whose items of a row have at most so many bytes and fill a vector; at least one.
[[nodiscard]] std::int64_t columns_of_bytes(const Problem& problem, std::int64_t bytes);
// The most rows of so many columns that have at most so many bytes: a power of two, from 1 to 32.
[[nodiscard]] std::int64_t rows_of_bytes(const Problem& problem, std::int64_t columns, std::int64_t bytes);

// PanelValues of templates/block/axis_panel.cuh.
[[nodiscard]] tiles::Layout values_storage(const Problem& problem, const ColumnValues& values);

// The violations of all schedules along an axis.
[[nodiscard]] std::vector<std::string> violations(const Problem& problem, const ColumnValues& values,
                                                  const DeviceLimits& limits, std::int64_t shared_bytes,
                                                  const char* shared_bytes_from =
                                                      "threads_per_block or "
                                                      "columns_per_thread");
// Adds a violation if panels are wider than a block has threads.
void check_width(std::vector<std::string>& violations, const char* parameter, std::int64_t width,
                 const ColumnValues& values);
[[nodiscard]] std::vector<Constraint> constraints(const std::string& capability = {});
[[nodiscard]] Constraint width_constraint();

// Parameter block and launch.
[[nodiscard]] Recipe recipe(const Problem& problem, const ColumnValues& values, const char* kernel);

}  // namespace upsweep::axis_panels
