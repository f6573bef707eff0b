// Measures the host time of a planned call, beside that of the plainest launch through the driver.
#pragma once

#include <vector>

#include "bench/compare.hpp"

namespace upsweep::bench {

// The host's time to add a call to a stream, in turn: `upsweep` is Plan::run, `empty_kernel` a bare cuLaunchKernel of
// an empty kernel with as many arguments (one block, its context current). Throws UsageError on the host device, which
// launches nothing.
[[nodiscard]] std::vector<Row> launch_cost(runtime::Engine& engine, const Problem& problem, int samples);

}  // namespace upsweep::bench
