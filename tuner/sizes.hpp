// Sizes that can be tuned for.
#pragma once

#include <cstdint>

#include <upsweep/problem.hpp>

#include "runtime/device.hpp"

namespace upsweep::tuner {

// Of a call; the greatest number there is where it has no room in 64 bits.
[[nodiscard]] std::uint64_t input_bytes(const Problem& problem, std::uint64_t size);
[[nodiscard]] std::uint64_t output_bytes(const Problem& problem, std::uint64_t size);

// Throws UsageError for a size whose input and output the device's memory cannot hold.
void check_size(const Problem& problem, const runtime::Device& device);

}  // namespace upsweep::tuner
