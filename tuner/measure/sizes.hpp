// Sizes that can be tuned for.
#pragma once

#include <upsweep/problem.hpp>

#include "runtime/device.hpp"

namespace upsweep::tuner {

// Throws UsageError for a size whose input and output the device's memory cannot hold.
void check_size(const Problem& problem, const runtime::Device& device);

}  // namespace upsweep::tuner
