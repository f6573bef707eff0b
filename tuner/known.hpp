// Configs that won elsewhere: where a search begins.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "tuning-db/trial.hpp"

namespace upsweep::tuner {

// Configs of winners that may be good for the problem at problem.size on the device, without repetitions, best guesses
// first, in turn of two kinds: the nearest (of the same problem at the nearest sizes, then of problems whose items and
// accumulators have the same widths, then of the same on other devices) and, among those of the same widths at the same
// size on this device, which move as many bytes, the fastest. Reduces and scans never help each other. Whether a config
// lies in the space is not asked.
[[nodiscard]] std::vector<Config> known_configs(std::span<const tuning_db::Winner> winners,
                                                const DeviceIdentity& device, const Problem& problem, std::size_t most);

}  // namespace upsweep::tuner
