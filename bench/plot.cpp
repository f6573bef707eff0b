#include "bench/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "bench/axis.hpp"

namespace upsweep::bench {
namespace {

// In pixels. A panel is its frame and the room for what is written around it.
constexpr double frame_width = 380, frame_height = 230;
constexpr double left = 64, right = 22, above = 34, below = 52;
constexpr double panel_width = left + frame_width + right, panel_height = above + frame_height + below;

// Contestants are told apart by colour, dash and marker. The colours are dark enough for white and light enough for
// black paper.
struct Style {
  Who who;
  const char* colour;
  const char* dash;
  double radius;  // of the markers
};
constexpr std::array styles{
    Style{Who::upsweep, "#2f7fe0", "none", 3.2},   Style{Who::upsweep_default, "#2f7fe0", "5 3", 2.2},
    Style{Who::peer, "#d9610b", "none", 2.6},      Style{Who::memcpy, "#808890", "7 3", 0},
    Style{Who::plain_copy, "#2b9a4b", "2 3", 0},   Style{Who::plain_read, "#2b9a4b", "2 3", 0},
    Style{Who::empty_kernel, "#808890", "1 4", 0},
};

const Style& style_of(Who who) {
  return *std::ranges::find(styles, who, &Style::who);
}

constexpr const char* style_sheet = R"css(<style>
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; font-size: 13px; }
  .small { font-size: 11px; }
  .paper { fill: #ffffff; }
  .frame { fill: none; stroke: #57606a; }
  .rule { stroke: #d0d7de; stroke-width: 0.7; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .paper { fill: #0d1117; }
    .frame { stroke: #8b949e; }
    .rule { stroke: #30363d; }
  }
</style>
)css";

// From values to pixels within the frame.
struct Axes {
  Axis sizes, throughput;

  explicit Axes(const Panel& panel) : sizes(Axis::powers_of_two(1, 1)), throughput(Axis::powers_of_ten(1, 1)) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double least = infinity, greatest = 0, slowest = infinity, fastest = 0;
    for (const Line& line : panel.lines) {
      for (const Point& point : line.points) {
        least = std::min(least, point.size);
        greatest = std::max(greatest, point.size);
        slowest = std::min(slowest, point.value);
        fastest = std::max(fastest, point.value);
      }
    }
    if (greatest > 0) sizes = Axis::powers_of_two(least, greatest);
    if (fastest > 0) throughput = Axis::powers_of_ten(slowest, fastest);
  }

  [[nodiscard]] double x(double size) const { return left + frame_width * sizes.fraction(size); }
  [[nodiscard]] double y(double value) const { return above + frame_height * (1 - throughput.fraction(value)); }
};

void draw_axes(std::string& out, const Axes& axes) {
  auto to = std::back_inserter(out);
  for (const double value : axes.throughput.ticks()) {
    fmt::format_to(to, "<line class=\"rule\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", left,
                   axes.y(value), left + frame_width, axes.y(value));
    fmt::format_to(to, "<text class=\"small\" text-anchor=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{:g}</text>\n", left - 6,
                   axes.y(value) + 4, value);
  }
  for (const double size : axes.sizes.ticks()) {
    const double x = axes.x(size);
    fmt::format_to(to, "<line class=\"rule\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n", x, above,
                   above + frame_height);
    fmt::format_to(to,
                   "<text class=\"small\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">2<tspan dx=\"1\" dy=\"-5\" "
                   "font-size=\"9\">{}</tspan></text>\n",
                   x, above + frame_height + 18, std::log2(size));
  }
  fmt::format_to(to, "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left, above, frame_width,
                 frame_height);
  fmt::format_to(to, "<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">items</text>\n", left + frame_width / 2,
                 above + frame_height + 38);
  fmt::format_to(to, "<text text-anchor=\"middle\" transform=\"translate(16 {:.1f}) rotate(-90)\">GB/s</text>\n",
                 above + frame_height / 2);
}

void draw_line(std::string& out, const Axes& axes, const Line& line) {
  auto to = std::back_inserter(out);
  const Style& style = style_of(line.who);
  fmt::format_to(
      to, "<polyline class=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\" points=\"",
      name(line.who), style.colour, style.dash);
  for (const Point& point : line.points) fmt::format_to(to, "{:.1f},{:.1f} ", axes.x(point.size), axes.y(point.value));
  out += "\"/>\n";
  for (const Point& point : line.points) {
    if (style.radius == 0) break;
    fmt::format_to(to, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{}</title></circle>\n",
                   axes.x(point.size), axes.y(point.value), style.radius, style.colour, escaped(point.note));
  }
}

void draw_panel(std::string& out, const Panel& panel, double x, double y) {
  fmt::format_to(std::back_inserter(out), "<g transform=\"translate({:.1f} {:.1f})\">\n", x, y);
  fmt::format_to(std::back_inserter(out), "<text class=\"title\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left,
                 above - 12, escaped(panel.title));
  const Axes axes(panel);
  draw_axes(out, axes);
  // The first contestant, upsweep, lies on top.
  for (auto line = panel.lines.rbegin(); line != panel.lines.rend(); ++line) draw_line(out, axes, *line);
  out += "</g>\n";
}

// Every contestant that occurs in some panel, once, in the order of Who; in as many lines as the width asks for.
// Returns the height.
double draw_legend(std::string& out, std::span<const Panel> panels, double width) {
  constexpr double line_height = 20, swatch = 28, gap = 6, letter = 7.2, space = 22;
  std::map<Who, std::string> labels;
  for (const Panel& panel : panels) {
    for (const Line& line : panel.lines) labels.emplace(line.who, line.label);
  }
  double x = left, y = line_height;
  for (const auto& [who, label] : labels) {
    const double entry = swatch + gap + letter * static_cast<double>(label.size());
    if (x > left && x + entry > width) {
      x = left;
      y += line_height;
    }
    const Style& style = style_of(who);
    fmt::format_to(std::back_inserter(out),
                   "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"1.8\" "
                   "stroke-dasharray=\"{}\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                   x, y, x + swatch, y, style.colour, style.dash, x + swatch + gap, y + 4, escaped(label));
    x += entry + space;
  }
  return y + line_height - 6;
}

// Words in lines that fit in the width; returns their height.
double draw_caption(std::string& out, const std::string& caption, double width, double y) {
  constexpr double line_height = 16, letter = 6;
  const double begin = y;
  std::string line;
  const auto print = [&] {
    fmt::format_to(std::back_inserter(out), "<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left,
                   y += line_height, escaped(line));
    line.clear();
  };
  std::istringstream words(caption);
  for (std::string word; words >> word;) {
    if (!line.empty() && left + letter * static_cast<double>(line.size() + 1 + word.size()) > width) print();
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) print();
  return y - begin + 10;
}

std::string note(const Cell& cell, const Row& row) {
  return fmt::format("{}, {} items: {:.1f} GB/s, {:.2f} us", row.label, cell.problem.size, row.gigabytes_per_second,
                     row.median_us);
}

}  // namespace

std::vector<Panel> make_panels(std::span<const Cell> cells, const Mode& mode) {
  std::vector<Panel> panels;
  for (const Cell& cell : cells) {
    if (cell.mode != mode) continue;
    const std::string title = to_string(cell.problem);
    auto panel = std::ranges::find(panels, title, &Panel::title);
    if (panel == panels.end()) panel = panels.insert(panels.end(), Panel{title, {}});
    for (const Row& row : cell.rows) {
      if (row.bytes == 0 || row.who == Who::upsweep_default) continue;
      auto line = std::ranges::find(panel->lines, row.who, &Line::who);
      if (line == panel->lines.end()) line = panel->lines.insert(line, Line{row.who, row.label, {}});
      line->points.push_back({static_cast<double>(cell.problem.size), row.gigabytes_per_second, note(cell, row)});
    }
  }
  for (Panel& panel : panels) {
    std::ranges::sort(panel.lines, {}, &Line::who);
    for (Line& line : panel.lines) std::ranges::sort(line.points, {}, &Point::size);
  }
  return panels;
}

std::string svg(std::span<const Panel> panels, const std::string& caption) {
  const std::size_t columns = std::min<std::size_t>(panels.size(), 2);
  const std::size_t rows = (panels.size() + 1) / 2;
  const double width = panel_width * static_cast<double>(std::max<std::size_t>(columns, 1));
  std::string drawn;
  const double legend_height = draw_legend(drawn, panels, width);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    draw_panel(drawn, panels[i], panel_width * static_cast<double>(i % 2),
               legend_height + panel_height * static_cast<double>(i / 2));
  }
  double height = legend_height + panel_height * static_cast<double>(rows);
  height += draw_caption(drawn, caption, width, height);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n",
      width, height, escaped(caption));
  out += style_sheet;
  out += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  out += drawn;
  out += "</svg>\n";
  return out;
}

}  // namespace upsweep::bench
