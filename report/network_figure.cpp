#include "report/network_figure.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace upsweep::report {
namespace {

using tuner::NetworkCall;
using tuner::NetworkRun;

constexpr double place_width = 24, row_height = 30, margin = 18, caption_height = 34;

// Of this figure alone, so that it can stand in a page.
constexpr const char* network_style = R"css(<style>
  .network text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .network .paper { fill: #ffffff; }
  .network .lane { stroke: #d0d7de; stroke-width: 1; }
  .network .value { fill: none; stroke: #57606a; stroke-width: 1.2; }
  .network .call { fill: #2f7fe0; }
  @media (prefers-color-scheme: dark) {
    .network text { fill: #e6edf3; }
    .network .paper { fill: #0d1117; }
    .network .lane { stroke: #30363d; }
    .network .value { stroke: #8b949e; }
  }
</style>
)css";

double x_of(int place) {
  return margin + place_width * (place + 0.5);
}

// Of the top of a row; its calls are at the top of the next one.
double y_of(int row) {
  return margin + row_height * row;
}

// The way of an operand from its place to the call.
void add_value(std::string& out, int from, const NetworkCall& call) {
  if (from == call.to) return;
  fmt::format_to(std::back_inserter(out), "<path class=\"value\" d=\"M{:.0f} {:.0f}L{:.0f} {:.0f}\"/>\n", x_of(from),
                 y_of(call.row) + row_height / 4, x_of(call.to), y_of(call.row + 1));
}

}  // namespace

std::string network_title(const NetworkRun& run) {
  return fmt::format("{}, {} places: {} steps, depth {}, size {}", run.name, run.places, run.steps.size(), run.depth,
                     run.size);
}

std::string network_svg(const NetworkRun& run) {
  const double width = std::max(2 * margin + place_width * run.places, 360.0);
  const double end = y_of(run.rows + 1);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "class=\"network\" role=\"img\">\n<title>{2}</title>\n{3}<rect class=\"paper\" width=\"100%\" "
      "height=\"100%\"/>\n",
      width, end + caption_height, network_title(run), network_style);
  for (int place = 0; place < run.places; ++place) {
    fmt::format_to(std::back_inserter(out),
                   "<line class=\"lane\" x1=\"{0:.0f}\" y1=\"{1:.0f}\" x2=\"{0:.0f}\" y2=\"{2:.0f}\"/>\n", x_of(place),
                   margin, end);
  }
  std::string nodes;
  for (const auto& step : run.steps) {
    for (const NetworkCall& call : step) {
      add_value(out, call.left, call);
      add_value(out, call.right, call);
      fmt::format_to(std::back_inserter(nodes), "<circle class=\"call\" cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"4.5\"/>\n",
                     x_of(call.to), y_of(call.row + 1));
    }
  }
  return fmt::format("{}{}<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n</svg>\n", out, nodes, margin, end + 22,
                     network_title(run));
}

std::string network_drawing(const NetworkRun& run) {
  std::string text;
  int row = 0;
  for (std::size_t step = 0; step < run.steps.size(); ++step) {
    const std::vector<NetworkCall>& calls = run.steps[step];
    int end = row;
    for (const NetworkCall& call : calls) end = std::max(end, call.row + 1);
    for (const int first = row; row < end; ++row) {
      std::string places(static_cast<std::size_t>(run.places), '|');
      for (const char mark : {'o', '*'}) {
        for (const NetworkCall& call : calls) {
          if (call.row != row) continue;
          if (mark == '*') {
            places[static_cast<std::size_t>(call.to)] = mark;
          } else {
            places[static_cast<std::size_t>(call.left)] = places[static_cast<std::size_t>(call.right)] = mark;
          }
        }
      }
      const auto count = std::ranges::count(calls, row, &NetworkCall::row);
      fmt::format_to(std::back_inserter(text), "{:>4}  {:>5}  ", row == first ? fmt::to_string(step + 1) : "", count);
      for (const char place : places) (text += ' ') += place;
      text += '\n';
    }
  }
  return text;
}

}  // namespace upsweep::report
