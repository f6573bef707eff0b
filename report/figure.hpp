// Throughput against size as a figure of its own, in SVG.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cell.hpp"
#include "report/chart.hpp"

namespace upsweep::report {

// A chart for each problem of the mode, in the order of the cells. Left out: the empty kernel, which moves nothing, and
// upsweep's default, which is measured only where it is not the choice.
[[nodiscard]] std::vector<Chart> throughput_charts(std::span<const bench::Cell> cells, const bench::Mode& mode);

// Two charts a row, and the lines of the caption below. Colours follow the reader's light or dark scheme. `styles`: CSS
// of classes that the charts' lines have besides those of contestants.
[[nodiscard]] std::string figure_of(std::span<const Chart> charts, std::span<const std::string> caption,
                                    std::string_view styles = {});

}  // namespace upsweep::report
