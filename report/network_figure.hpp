// A scan network as it ran, drawn: places side by side, steps downwards, a node for each operator call.
#pragma once

#include <string>

#include "generator/networks.hpp"
#include "tuner/network_run.hpp"

namespace upsweep::report {

// In SVG, as the literature draws networks. Colours follow the reader's light or dark scheme.
[[nodiscard]] std::string network_svg(const tuner::NetworkRun& run);

// A line for each row, as text: * is a call, o a value that is taken, | any other place.
[[nodiscard]] std::string network_drawing(const tuner::NetworkRun& run);

// "kogge_stone, 16 places: 4 steps, depth 4, size 49".
[[nodiscard]] std::string network_title(const tuner::NetworkRun& run);

}  // namespace upsweep::report
