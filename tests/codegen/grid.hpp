// The fixed grid of kernels whose machine code scripts/kernel-figures records: before and after a change of the
// generator or of a template, it is to be the same, or better.
#pragma once

#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

namespace upsweep::test {

struct GridKernel {
  Problem problem;  // without a size
  Config config;
  [[nodiscard]] std::string name() const { return to_string(problem) + " " + to_json(config); }
};

// In a fixed order, each once:
// - for every problem, and for a few with mixed types: the default config of each schedule, at 2^12 and at 2^24 items
// - every value of every parameter of every schedule, of an operator that does not commute and of sums of bytes
// - every shipped winner of the architecture
[[nodiscard]] std::vector<GridKernel> kernel_grid(const DeviceLimits& limits);

// What is counted on the host device, with small tiles: of problems that take different paths, the default config of
// each schedule; of the problems above, every value of every parameter too.
[[nodiscard]] std::vector<GridKernel> host_grid(const DeviceLimits& limits);

}  // namespace upsweep::test
