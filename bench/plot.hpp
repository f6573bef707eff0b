// Plots throughput against size, in SVG.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/cell.hpp"

namespace upsweep::bench {

struct Point {
  double size = 0;   // items
  double value = 0;  // GB/s
  std::string note;  // shown where the mouse rests
};

struct Line {
  Who who = Who::upsweep;
  std::string label;
  std::vector<Point> points;  // in ascending order of size
};

struct Panel {
  std::string title;
  std::vector<Line> lines;
};

// A panel for each problem of the mode, in the order of the cells. Left out: the empty kernel, which moves nothing, and
// upsweep's default, which is measured only where it is not the choice.
[[nodiscard]] std::vector<Panel> make_panels(std::span<const Cell> cells, const Mode& mode);

// Sizes and throughput on logarithmic axes, so that small calls can be told apart too; two panels a row, one legend.
// Colours follow the reader's light or dark scheme.
[[nodiscard]] std::string svg(std::span<const Panel> panels, const std::string& caption);

}  // namespace upsweep::bench
