// What the schedules axis_blocks of scans and of reduces have in common: each block has panels of whole columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generator/described_schedule.hpp"
#include "generator/schedules/axis_panels.hpp"
#include "generator/schedules/reduce_tiles.hpp"
#include "generator/tile_parameters.hpp"

namespace upsweep::axis_blocks {

struct Values : axis_panels::ColumnValues {
  std::int64_t panel_width = 4;
  tiles::Prefetch prefetch = tiles::Prefetch::none;

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_columns(values, visitor);
    visitor(values.blocks_per_multiprocessor, reduce_tiles::blocks_per_multiprocessor);
    visitor(values.panel_width, axis_panels::panel_width);
    visitor(values.prefetch, tiles::prefetch);
    LaunchValues::visit(values, problem, visitor);
  }
};

class Schedule : public DescribedSchedule<Values> {
 public:
  using DescribedSchedule::DescribedSchedule;

  [[nodiscard]] std::string_view tile_unit() const noexcept override { return "column"; }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem& problem) const override;

 protected:
  [[nodiscard]] std::vector<std::string> check(const Problem& problem, const Values& values,
                                               const DeviceLimits& limits) const override;
  // Parameter block, storage and launch.
  [[nodiscard]] static Recipe recipe_of(const Problem& problem, const Values& values, const char* kernel);
};

}  // namespace upsweep::axis_blocks
