// The configs that a search begins with: those that won for near problems, sizes and devices.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "tuning-db/database.hpp"
#include "tuning-db/trial.hpp"

namespace upsweep::tuner {

// Configs of winners that may be good for the problem at problem.size on the device, without repetitions, best guesses
// first, in turn of two kinds: the nearest (of the same problem at the nearest sizes, then of problems whose items and
// accumulators have the same widths, then of the same on other devices) and, among those of the same widths at the same
// size on this device, which move as many bytes, the fastest. Reduces and scans never help each other. Whether a config
// lies in the space is not asked.
[[nodiscard]] std::vector<Config> known_configs(std::span<const tuning_db::Winner> winners,
                                                const DeviceIdentity& device, const Problem& problem, std::size_t most);

// The winners for the size class and the best other trials, whatever they were measured with: what a tune left that had
// a final.
[[nodiscard]] std::vector<Config> finalists_of_earlier(const tuning_db::Database& database,
                                                       const DeviceIdentity& device, const Problem& problem);

// What other problems' winners are, and the shipped ones. Read once: there may be thousands.
[[nodiscard]] std::vector<tuning_db::Winner> winners_of_others(const tuning_db::Database& database,
                                                               const Problem& problem);

}  // namespace upsweep::tuner
