// Calls whose number of items lies in device memory, and calls with room for fewer results than they have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/plan.hpp>

#include "runtime/device.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep::test {

// Of a problem of each emission, every schedule; of a selection, every way to store results.
[[nodiscard]] std::vector<Strategy> limited_strategies(const DeviceLimits& limits);

// Runs calls of n items whose number lies in memory, where the host knows of n items and of more, and calls of n items
// with room for none, some and more results than there are. Empty: all is right.
[[nodiscard]] std::optional<std::string> run_with_limits(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                         std::uint64_t seed);

}  // namespace upsweep::test
