// The parameters of schedules in which a group of threads takes each row.
#pragma once

#include "generator/parameter.hpp"

namespace upsweep::row_groups {

extern const CountParameter threads_per_row;
extern const CountParameter loads_per_thread;
extern const CountParameter rows_per_group;

constexpr std::int64_t warp_lanes = 32;

// Why so many threads of so large a block are no group; empty if they are.
[[nodiscard]] std::vector<std::string> group_violations(std::int64_t of_row, std::int64_t of_block);
[[nodiscard]] Constraint group_constraint();

}  // namespace upsweep::row_groups
