// Edits sources of the schedules lookahead and axis_shares for racecheck, which takes reads for unordered where one
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

// In `lookahead`, every lane of the workers and of the loader arrives for itself.
inline void let_every_lane_arrive(std::string& text) {
  if (text.find("arrive_as_warp") != std::string::npos) let_every_lane_of_shares_arrive(text);
  if (text.find("shared.empty[s]") == std::string::npos) return;
  replace_once(text, "init_barrier(&shared.empty[s], worker_warps)",
               "init_barrier(&shared.empty[s], worker_warps * warp_size)");
  replace_once(text, "if (unreleased != nullptr && lane_index() == 0) arrive(unreleased);",
               "if (unreleased != nullptr) arrive(unreleased);");
  replace_once(text, "} else if (lane_index() == 0) {\n      arrive(own);", "} else {\n      arrive(own);");
  replace_once(text, "init_barrier(&shared.folded[s], worker_warps)",
               "init_barrier(&shared.folded[s], worker_warps * warp_size)");
  replace_once(text, "    arrive(&shared.folded[slot.at]);\n  }", "  }\n  arrive(&shared.folded[slot.at]);");
  if (text.find("constexpr u32 fill_arrivals = 1;") == std::string::npos) return;
  // Bulk loads: all lanes copy items that fill no vector, and then one of them arrives.
  replace_once(text, "constexpr u32 fill_arrivals = 1;", "constexpr u32 fill_arrivals = warp_size;");
  replace_once(text, "  if (lane_index() == 0) arrive(full);", "  arrive(full);");
  replace_once(text, "  __syncwarp();\n  if (lane_index() > 0) return;\n",
               "  __syncwarp();\n  if (lane_index() > 0) {\n    arrive(full);\n    return;\n  }\n");
}

}  // namespace upsweep::test
