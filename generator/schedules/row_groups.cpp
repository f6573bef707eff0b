#include "generator/schedules/row_groups.hpp"

namespace upsweep::row_groups {

constinit const CountParameter threads_per_row{
    "threads_per_row",
    "Number of threads that take a row together: up to 32, or all threads of the block.",
    {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}};

constinit const CountParameter threads_per_segment{
    "threads_per_segment",
    "Number of threads that take a segment together: up to 32, or all threads of the block.",
    {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}};

constinit const CountParameter items_per_thread{"items_per_thread",
                                                "Number of items that each thread loads of a segment at a time.",
                                                {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32}};

constinit const CountParameter loads_per_thread{
    "loads_per_thread", "Number of vectors of 16 bytes that each thread loads of a row at a time.", {1, 2, 3, 4, 6, 8}};

constinit const CountParameter rows_per_group{"rows_per_group",
                                              "Number of rows that each group of threads loads at the same time. "
                                              "Reduces of short rows that are not aligned to 16 "
                                              "bytes go through shared memory: there, each thread loads "
                                              "`rows_per_group` x `loads_per_thread` vectors at the same "
                                              "time, at least two.",
                                              {1, 2, 3, 4, 6, 8}};

std::vector<std::string> group_violations(const char* parameter, std::int64_t of_group, std::int64_t of_block) {
  if (of_group <= warp_lanes || of_group == of_block) return {};
  return {fmt::format("groups: {}={} is more than a warp and not the block's {} threads; use at most 32, or {}",
                      parameter, of_group, of_block, of_block)};
}

Constraint group_constraint(const char* parameter) {
  return {"groups", fmt::format("`{}` is at most 32 and divides `threads_per_block`, or it equals it.", parameter)};
}

}  // namespace upsweep::row_groups
