#include "generator/schedules/schedules.hpp"

#include "generator/entries.hpp"

namespace upsweep {

std::vector<const Schedule*> built_in_schedules() {
  return {&scan_single_block(),    &scan_cluster(),          &segment_groups(),      &scan_lookback(),
          &scan_chained(),         &scan_all_aggregates(),   &scan_lookahead(),      &scan_reduce_then_scan(),
          &scan_then_propagate(),  &scan_hillis_steele(),    &scan_row_blocks(),     &scan_row_groups(),
          &reduce_single_block(),  &reduce_last_block(),     &reduce_last_started(), &reduce_ladder(),
          &reduce_row_groups(),    &reduce_row_pieces(),     &scan_axis_pipeline(),  &scan_axis_columns(),
          &scan_axis_blocks(),     &scan_axis_panels(),      &scan_axis_lookahead(), &reduce_axis_columns(),
          &reduce_axis_pipeline(), &reduce_axis_blocks(),    &reduce_axis_pieces(),  &reduce_axis_shares(),
          &reduce_merge_path(),    &reduce_segment_pieces(), &independent_tiles(),   &sequential()};
}

}  // namespace upsweep
