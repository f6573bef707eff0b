// The list of built-in schedules. A new schedule is declared here and added to the list in schedules.cpp.
#pragma once

namespace upsweep {

class Schedule;

const Schedule& scan_single_block();
const Schedule& scan_cluster();
const Schedule& scan_lookback();
const Schedule& scan_chained();
const Schedule& scan_all_aggregates();
const Schedule& scan_lookahead();
const Schedule& scan_reduce_then_scan();
const Schedule& scan_then_propagate();
const Schedule& scan_hillis_steele();
const Schedule& scan_row_blocks();
const Schedule& scan_row_groups();
const Schedule& scan_axis_blocks();
const Schedule& scan_axis_columns();
const Schedule& reduce_axis_columns();
const Schedule& scan_axis_lookahead();
const Schedule& scan_axis_panels();
const Schedule& scan_axis_pipeline();
const Schedule& reduce_axis_pipeline();
const Schedule& reduce_single_block();
const Schedule& reduce_last_block();
const Schedule& reduce_last_started();
const Schedule& reduce_ladder();
const Schedule& reduce_row_groups();
const Schedule& reduce_row_pieces();
const Schedule& reduce_axis_blocks();
const Schedule& reduce_axis_pieces();
const Schedule& reduce_axis_shares();
const Schedule& reduce_merge_path();
const Schedule& reduce_segment_pieces();
const Schedule& segment_groups();
const Schedule& independent_tiles();
const Schedule& sequential();

}  // namespace upsweep
