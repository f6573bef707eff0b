#include "report/chart.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "report/axis.hpp"

namespace upsweep::report {
namespace {

// In the units of the view box, about pixels. To the right of the frame stand the lines' labels.
constexpr double left = 50, above = 30, below = 42;
constexpr double frame_height = chart_height - above - below;
constexpr double label_height = 17;

struct Frame {
  Axis horizontal, vertical;
  double width;
  [[nodiscard]] double x(double value) const { return left + width * horizontal.fraction(value); }
  [[nodiscard]] double y(double value) const { return above + frame_height * (1 - vertical.fraction(value)); }
};

// From the least to the greatest of some values.
struct Span {
  double least = std::numeric_limits<double>::infinity(), greatest = 0;
  void add(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
};

Frame frame_of(const Chart& chart) {
  Span x, y;
  for (const Series& each : chart.series) {
    x.greatest = std::max(x.greatest, each.stairs_end);
    for (const auto* marks : {&each.marks, &each.crosses}) {
      for (const Mark& mark : *marks) x.add(mark.x), y.add(mark.y);
    }
  }
  Axis horizontal =
      chart.x_sizes ? Axis::powers_of_two(std::min(x.least, x.greatest), x.greatest) : Axis::linear(0, x.greatest);
  const double width = chart_width - left - chart.label_width;
  if (chart.y_logarithmic)
    return {std::move(horizontal), Axis::powers_of_ten(std::min(y.least, y.greatest), y.greatest), width};
  y.add(chart.y_least);
  if (chart.y_reference) y.add(*chart.y_reference);
  return {std::move(horizontal), Axis::linear(y.least, y.greatest), width};
}

std::string tick_label(double value) {
  return value >= 1e4 ? fmt::format("{:g}k", value / 1e3) : fmt::format("{:g}", value);
}

void draw_axes(std::string& out, const Chart& chart, const Frame& frame) {
  auto to = std::back_inserter(out);
  for (const double value : frame.vertical.ticks()) {
    fmt::format_to(to, R"(<path class="rule" d="M{:.0f} {:.0f}h{:.0f}"/>)", left, frame.y(value), frame.width);
    fmt::format_to(to, R"(<text class="tick end" x="{:.0f}" y="{:.1f}">{}</text>)", left - 8, frame.y(value) + 4,
                   tick_label(value));
  }
  for (const double value : frame.horizontal.ticks()) {
    const double x = frame.x(value);
    fmt::format_to(to, R"(<path class="stroke" d="M{:.1f} {:.1f}v5"/>)", x, above + frame_height);
    if (chart.x_sizes) {
      fmt::format_to(
          to, R"(<text class="tick middle" x="{:.1f}" y="{:.1f}">2<tspan class="power" dy="-5">{}</tspan></text>)", x,
          above + frame_height + 19, std::log2(value));
    } else {
      fmt::format_to(to, R"(<text class="tick middle" x="{:.1f}" y="{:.1f}">{:g}</text>)", x, above + frame_height + 19,
                     value);
    }
  }
  fmt::format_to(to, R"(<path class="stroke" d="M{:.0f} {:.1f}h{:.0f}"/>)", left, above + frame_height, frame.width);
  fmt::format_to(to, R"(<text class="axis end" x="{:.0f}" y="{:.0f}">{}</text>)", left + frame.width, chart_height - 6,
                 escaped(chart.x_label));
  fmt::format_to(to, R"(<text class="axis" x="{:.0f}" y="{:.0f}">{}</text>)", 4.0, 12.0, escaped(chart.y_label));
  if (chart.y_reference) {
    fmt::format_to(to, R"(<path class="reference" d="M{:.0f} {:.1f}h{:.0f}"/>)", left, frame.y(*chart.y_reference),
                   frame.width);
  }
}

void draw_line(std::string& out, const Series& series, const Frame& frame) {
  if (series.marks.empty()) return;
  auto to = std::back_inserter(out);
  const Mark& first = series.marks.front();
  fmt::format_to(to, R"(<path class="line" d="M{:.1f} {:.1f})", frame.x(first.x), frame.y(first.y));
  for (std::size_t i = 1; i < series.marks.size(); ++i) {
    const Mark& mark = series.marks[i];
    if (series.stairs) {
      fmt::format_to(to, "H{:.0f}V{:.0f}", frame.x(mark.x), frame.y(mark.y));
    } else {
      fmt::format_to(to, "L{:.1f} {:.1f}", frame.x(mark.x), frame.y(mark.y));
    }
  }
  if (series.stairs) fmt::format_to(to, "H{:.0f}", frame.x(std::max(series.stairs_end, series.marks.back().x)));
  out += "\"/>";
}

// The crosses are one path with one note: there may be hundreds.
void draw_crosses(std::string& out, const Series& series, const Frame& frame) {
  if (series.crosses.empty()) return;
  auto to = std::back_inserter(out);
  out += "<path class=\"cross\" d=\"";
  for (const Mark& mark : series.crosses) {
    fmt::format_to(to, "M{:.0f} {:.0f}l6 6m0-6l-6 6", frame.x(mark.x) - 3, frame.y(mark.y) - 3);
  }
  fmt::format_to(to, "\"><title>{}</title></path>", escaped(series.crosses.front().note));
}

void draw_marks(std::string& out, const Series& series, const Frame& frame) {
  for (const Mark& mark : series.marks) {
    const std::string at = series.at.empty() ? fmt::format(" data-at=\"{}\"", escaped(mark.at)) : "";
    fmt::format_to(std::back_inserter(out), R"(<circle cx="{:.0f}" cy="{:.0f}" r="3"{}><title>{}</title></circle>)",
                   frame.x(mark.x), frame.y(mark.y), at, escaped(mark.note));
  }
}

// Labels at the lines' ends, moved apart where lines end close to each other.
void draw_labels(std::string& out, const Chart& chart, const Frame& frame) {
  struct Label {
    const Series* series;
    double x, y;
  };
  std::vector<Label> labels;
  for (const Series& each : chart.series) {
    if (each.label.empty() || each.marks.empty()) continue;
    labels.push_back({&each, frame.x(each.marks.back().x) + 8, frame.y(each.marks.back().y)});
  }
  std::ranges::sort(labels, {}, &Label::y);
  for (std::size_t i = 1; i < labels.size(); ++i) labels[i].y = std::max(labels[i].y, labels[i - 1].y + label_height);
  double floor = above + frame_height;
  for (std::size_t i = labels.size(); i-- > 0; floor = labels[i].y - label_height) {
    labels[i].y = std::min(labels[i].y, floor);
  }
  for (const Label& each : labels) {
    fmt::format_to(std::back_inserter(out), R"(<text class="label {}" x="{:.1f}" y="{:.1f}">{}</text>)",
                   each.series->style, each.x, each.y + 4, escaped(each.series->label));
  }
}

std::string opened(const std::string& title, double view_width, double view_height) {
  return fmt::format(R"(<svg viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">)", view_width, view_height,
                     escaped(title));
}

}  // namespace

std::string svg(const Chart& chart) {
  const Frame frame = frame_of(chart);
  std::string out = opened(chart.title, chart_width, chart_height);
  draw_axes(out, chart, frame);
  for (auto each = chart.series.rbegin(); each != chart.series.rend(); ++each) {
    fmt::format_to(std::back_inserter(out), R"(<g class="series {}")", each->style);
    if (!each->at.empty()) {
      fmt::format_to(std::back_inserter(out), R"( data-at="{}" style="--shade:{:.2f}")", escaped(each->at),
                     each->shade);
    }
    out += ">";
    draw_line(out, *each, frame);
    draw_crosses(out, *each, frame);
    draw_marks(out, *each, frame);
    out += "</g>\n";
  }
  draw_labels(out, chart, frame);
  return out + "</svg>\n";
}

std::string svg_of_ranges(const std::string& title, const std::vector<Range>& ranges) {
  constexpr double small_width = 300, row = 22, names = 112, top = 6, bottom = 38, margin = 18;
  double greatest = 1;
  for (const Range& each : ranges) greatest = std::max(greatest, each.middle);
  const Axis axis = Axis::linear(1, greatest);
  const auto x = [&](double value) { return names + (small_width - names - margin) * axis.fraction(value); };
  const double bed = top + row * static_cast<double>(ranges.size());
  std::string out = opened(title, small_width, bed + bottom);
  auto to = std::back_inserter(out);
  for (const double value : axis.ticks()) {
    fmt::format_to(
        to,
        R"(<path class="rule" d="M{0:.1f} {1:.0f}V{2:.0f}"/><text class="tick middle" x="{0:.1f}" y="{3:.0f}">{4:g}&#215;</text>)",
        x(value), top, bed, bed + 16, value);
  }
  double y = top + row / 2;
  for (const Range& each : ranges) {
    fmt::format_to(to, R"(<g class="value"><text x="{:.0f}" y="{:.0f}">{}</text><path d="M{:.0f} {:.0f}H{:.0f}"/>)",
                   names - 10, y + 4, escaped(each.label), x(each.best), y, x(each.middle));
    fmt::format_to(
        to,
        R"(<circle cx="{:.0f}" cy="{:.0f}" r="3.5"><title>{}</title></circle><circle cx="{:.0f}" cy="{:.0f}" r="4.5"/></g>)",
        x(each.middle), y, escaped(each.note), x(each.best), y);
    y += row;
  }
  fmt::format_to(to, R"(<text class="axis end" x="{:.0f}" y="{:.0f}">time / best of its size</text>)",
                 small_width - margin, bed + 32);
  return out + "</svg>\n";
}

}  // namespace upsweep::report
