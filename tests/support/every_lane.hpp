// Edits sources of schedules whose warps each do one thing for racecheck, which takes reads for unordered where one
// lane arrives for its warp (tests/gpu/racecheck_gpu_test.cpp).
#pragma once

#include <string>

#include "tests/support/editing_compiler.hpp"

namespace upsweep::test {

// In `axis_shares`, every lane of the warps that fold arrives for itself.
inline void let_every_lane_of_shares_arrive(std::string& text) {
  replace_once(text, "init_barrier(&shared.empty[stage], warps)",
               "init_barrier(&shared.empty[stage], warps * warp_size)");
  replace_once(text, "init_barrier(&shared.met, warps)", "init_barrier(&shared.met, warps * warp_size)");
  replace_once(text, "if (lane_index() == 0) arrive(barrier);", "arrive(barrier);");
}

// In `axis_lookahead`, every lane of all warps.
inline void let_every_lane_of_axes_arrive(std::string& text) {
  const auto each_lane = [&](const std::string& barrier, const std::string& warps) {
    replace_once(text, "init_barrier(&shared." + barrier + "[s], " + warps + ")",
                 "init_barrier(&shared." + barrier + "[s], " + warps + " * warp_size)");
  };
  each_lane("full", "1");
  each_lane("folded", "reducer_warps");
  each_lane("scanned", "worker_warps");
  for (const char* const by_exchange : {"published", "looked_ahead"}) each_lane(by_exchange, "exchange_warps");
  replace_once(text, "init_barrier(&shared.empty[s], 1 + exchange_warps)",
               "init_barrier(&shared.empty[s], (1 + exchange_warps) * warp_size)");
  replace_once(text, "if (lane_index() == 0) arrive(barrier);", "arrive(barrier);");
  replace_once(text, "  if (lane_index() > 0) return;\n  if (bytes == 0) {",
               "  if (lane_index() > 0) {\n    arrive(full);\n    return;\n  }\n  if (bytes == 0) {");
}

// In `axis_pipeline`, every lane of the workers and of the storers.
inline void let_every_lane_of_pipelines_arrive(std::string& text) {
  replace_once(text, "if (lane_index() == 0) arrive(&ring.empty[stage.at]);", "arrive(&ring.empty[stage.at]);");
  if (text.find("init_ring(arguments, storer_warps, ") == std::string::npos) {
    return replace_once(text, "init_ring(arguments, worker_warps, ", "init_ring(arguments, worker_warps * warp_size, ");
  }
  replace_once(text, "init_ring(arguments, storer_warps, ", "init_ring(arguments, storer_warps * warp_size, ");
  replace_once(text, "init_barrier(&shared.scanned[s], worker_warps)",
               "init_barrier(&shared.scanned[s], worker_warps * warp_size)");
  replace_once(text, "if (lane_index() == 0) arrive(&shared.scanned[stage.at]);", "arrive(&shared.scanned[stage.at]);");
}

// Where segments are marked, every lane of the fillers.
inline void let_every_lane_of_fillers_arrive(std::string& text) {
  replace_once(text, "init_barrier(&ring.full[s], fill_arrivals + 1)",
               "init_barrier(&ring.full[s], fill_arrivals + warp_size)");
  replace_once(text, "  warp_barrier();\n  if (lane_index() == 0) arrive(full);", "  warp_barrier();\n  arrive(full);");
  const bool has_shares = text.find("if (lane_index() == 0) arrive(&ring.full[stage.at]);") == std::string::npos;
  if (has_shares) {
    replace_once(text, "leave_stage_empty(full);\n      if (lane_index() == 0) arrive(full);",
                 "leave_stage_empty(full);\n      arrive(full);");
  } else {
    replace_once(text, "if (lane_index() == 0) arrive(&ring.full[stage.at]);", "arrive(&ring.full[stage.at]);");
  }
}

// In `lookahead` and `segment_pieces`, every lane of the workers and of the warps that load arrives for itself.
inline void let_every_lane_arrive(std::string& text) {
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  if (has("init_barrier(&shared.met, ")) return let_every_lane_of_shares_arrive(text);
  if (has("init_ring(arguments, ")) return let_every_lane_of_pipelines_arrive(text);
  if (has("init_barrier(&shared.scanned[s], ")) return let_every_lane_of_axes_arrive(text);
  const bool has_fillers = has("init_barrier(&ring.empty[s], ");
  if (!has_fillers && !has("init_barrier(&shared.empty[s], ")) return;
  const std::string ring = has_fillers ? "ring" : "shared";
  if (has_fillers) let_every_lane_of_fillers_arrive(text);
  for (const char* const barrier : {"empty", "folded"}) {
    const std::string init = "init_barrier(&" + ring + "." + barrier + "[s], worker_warps";
    replace_once(text, init + ")", init + " * warp_size)");
  }
  replace_once(text, "if (unreleased != nullptr && lane_index() == 0) arrive(unreleased);",
               "if (unreleased != nullptr) arrive(unreleased);");
  replace_once(text, "} else if (lane_index() == 0) {\n      arrive(own);", "} else {\n      arrive(own);");
  replace_once(text, "    arrive(&shared.folded[slot.at]);\n  }", "  }\n  arrive(&shared.folded[slot.at]);");
  if (!has("constexpr u32 fill_arrivals = 1;")) return;
  // Bulk loads: all lanes copy items that fill no vector, and then one of them arrives.
  replace_once(text, "constexpr u32 fill_arrivals = 1;", "constexpr u32 fill_arrivals = warp_size;");
  replace_once(text, "  if (lane_index() == 0) arrive(full);", "  arrive(full);");
  replace_once(text, "  __syncwarp();\n  if (lane_index() > 0) return;\n",
               "  __syncwarp();\n  if (lane_index() > 0) {\n    arrive(full);\n    return;\n  }\n");
}

}  // namespace upsweep::test
