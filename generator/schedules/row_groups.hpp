// The parameters of schedules in which a group of threads takes each row, or each segment.
#pragma once

#include "generator/parameter.hpp"

namespace upsweep::row_groups {

extern const CountParameter threads_per_row;
extern const CountParameter threads_per_segment;
extern const CountParameter items_per_thread;
extern const CountParameter loads_per_thread;
extern const CountParameter rows_per_group;

constexpr std::int64_t warp_lanes = 32;

// Why so many threads of so large a block are no group; empty if they are. `parameter`: its name.
[[nodiscard]] std::vector<std::string> group_violations(const char* parameter, std::int64_t of_group,
                                                        std::int64_t of_block);
[[nodiscard]] Constraint group_constraint(const char* parameter);

}  // namespace upsweep::row_groups
