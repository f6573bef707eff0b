// Configs of segments with small tiles, and lengths of segments around these.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/context.hpp>
#include <upsweep/problem.hpp>

#include "tests/support/segments.hpp"

namespace upsweep::test {

inline const ContextOptions of_segments_tests{.device = "host", .database = "none", .record_wanted = false};

inline const Layout layouts_of_segments[] = {{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}};

struct ScheduleOfSegments {
  const char* name;
  Problem problem;
  Config config;
};

inline void PrintTo(const ScheduleOfSegments& schedule, std::ostream* out) {
  *out << to_string(schedule.problem) << " " << to_json(schedule.config);
}

// Sizes around a tile and of several.
inline std::vector<std::vector<std::uint64_t>> lengths_around(std::uint64_t tile) {
  std::vector<std::vector<std::uint64_t>> all{{},
                                              {0},
                                              {1},
                                              {0, 0, 0},
                                              {tile},
                                              {tile - 1, 1, tile},
                                              {tile, 0, 0, tile + 1},
                                              {0, 2 * tile + 3, 0},
                                              {1, 5 * tile, 2, 0, 7},
                                              {tile - 1, 3 * tile, 5},  // begins with a share
                                              std::vector<std::uint64_t>(2 * tile + 1, 1),
                                              std::vector<std::uint64_t>(3 * tile, 0)};
  // More offsets at one place than a tile marks one by one, with items around them.
  std::vector<std::uint64_t> crowded(9 * tile, 0);
  crowded[0] = crowded[5 * tile] = crowded.back() = tile / 2 + 1;
  for (std::uint64_t i = 0; i < tile / 8; ++i) crowded[5 * tile + 20 * i] = 1;
  all.push_back(crowded);
  // Thousands of empty segments at one item at the begin, between items and at the end: tiles share them out.
  std::vector<std::uint64_t> runs(5000, 0);
  for (const std::uint64_t items : {tile + 3, std::uint64_t{1}, 2 * tile, std::uint64_t{0}, 3 * tile - 1}) {
    runs.push_back(items);
    runs.resize(runs.size() + (items == 2 * tile ? 4100 : 2), 0);
  }
  runs.resize(runs.size() + 4500, 0);
  all.push_back(runs);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) all.push_back(mixed_lengths(4 * tile + 11, seed));
  return all;
}

inline Config merge_path(int threads_per_block, int items_per_thread, const char* load = "warp_transpose") {
  return {"merge_path",
          {{"threads_per_block", threads_per_block},
           {"items_per_thread", items_per_thread},
           {"load", load},
           {"blocks_per_multiprocessor", 4}}};  // shares of one tile
}

inline const Problem affine_segments = segments_of_type(Algorithm::exclusive_scan, Operator::affine, Type::u64);
inline const Problem affine_sums = segments_of_type(Algorithm::reduce, Operator::affine, Type::u64);
// A ring with hardly any stage more than tiles that are folded ahead, and more fillers than these.
inline const Config lookahead_of_segments{
    "lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 1}, {"stages", 4}, {"reduce_ahead", 1}}};
inline const Config lookahead_of_bytes{
    "lookahead",
    {{"worker_warps", 1}, {"vectors_per_thread", 3}, {"stages", 6}, {"reduce_ahead", 3}, {"fill", "async"}}};
inline const Config segment_pieces{
    "segment_pieces",
    {{"worker_warps", 2}, {"vectors_per_thread", 1}, {"stages", 4}, {"reduce_ahead", 1}, {"filler_warps", 3}}};
inline const Config segment_pieces_of_bytes{"segment_pieces",
                                            {{"worker_warps", 1},
                                             {"vectors_per_thread", 3},
                                             {"stages", 3},
                                             {"reduce_ahead", 1},
                                             {"filler_warps", 1},
                                             {"fill", "async"},
                                             {"blocks_per_multiprocessor", 2}}};
// Groups of several lanes; a group has room for a tenth of a tile of others.
inline const Config segment_groups{"segment_groups",
                                   {{"threads_per_block", 64},
                                    {"threads_per_segment", 4},
                                    {"items_per_thread", 3},
                                    {"blocks_per_multiprocessor", 1}}};  // which go on from batch to batch
inline const Config segment_threads{"segment_groups",
                                    {{"threads_per_block", 32}, {"threads_per_segment", 1}, {"items_per_thread", 5}}};
inline const Config segment_blocks{"segment_groups",
                                   {{"threads_per_block", 64}, {"threads_per_segment", 64}, {"items_per_thread", 2}}};
// A few helpers for blocks with several batches each; a piece has 128 items of 8 bytes.
inline const Config shared_segment_groups{"segment_groups",
                                          {{"threads_per_block", 64},
                                           {"threads_per_segment", 4},
                                           {"items_per_thread", 3},
                                           {"blocks_per_multiprocessor", 4},
                                           {"blocks_per_helper", 4},
                                           {"piece_kibibytes", 1}}};
inline const Config shared_segment_threads{"segment_groups",
                                           {{"threads_per_block", 32},
                                            {"threads_per_segment", 1},
                                            {"items_per_thread", 5},
                                            {"blocks_per_multiprocessor", 4},
                                            {"blocks_per_helper", 8},
                                            {"piece_kibibytes", 1}}};
inline const Config shared_segment_blocks{"segment_groups",
                                          {{"threads_per_block", 64},
                                           {"threads_per_segment", 64},
                                           {"items_per_thread", 2},
                                           {"blocks_per_multiprocessor", 4},
                                           {"blocks_per_helper", 4},
                                           {"piece_kibibytes", 1}}};
inline const Config lookback_of_segments{"lookback", {{"threads_per_block", 64}, {"items_per_thread", 5}}};

}  // namespace upsweep::test
