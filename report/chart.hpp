// Charts as inline SVG. Colours and fonts are the page's: a series names a CSS class, never a colour.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace upsweep::report {

struct Mark {
  double x = 0, y = 0;
  std::string at;    // what x is, for people: "2^20 items"
  std::string note;  // what is measured there
};

struct Series {
  std::string style;          // CSS class; also tells series apart without colour, by dash and marker
  std::string label;          // written beside the line's end; empty: not written
  std::vector<Mark> marks;    // ascending in x
  bool stairs = false;        // a value holds until the next one
  std::vector<Mark> crosses;  // marked beside the line's own points; the first one's note is that of all
  double stairs_end = 0;      // how far the last value of stairs holds
  double shade = 0;           // where the class asks for it: 0 to 1 of a scale of colours
  std::string at;             // in place of the marks\' own: what all of them have in common
};

struct Chart {
  std::string title;  // for those who cannot see it
  std::string x_label, y_label;
  bool x_sizes = true;                // logarithmic in powers of two, else linear
  bool y_logarithmic = false;         // in powers of ten; the marks' y are above 0 then
  double y_least = 0;                 // where a linear y axis begins at the latest
  std::optional<double> y_reference;  // a line across, as of equal speed
  std::vector<Series> series;         // the first lies on top
  double label_width = 88;            // to the right of the frame, for the lines' labels
};

// Of the view box, about pixels.
inline constexpr double chart_width = 560, chart_height = 308;
[[nodiscard]] std::string svg(const Chart& chart);

// Named values on one axis from 1 on, a line each: a best and a middle.
struct Range {
  std::string label;
  double best = 1, middle = 1;
  std::string note;
};
[[nodiscard]] std::string svg_of_ranges(const std::string& title, const std::vector<Range>& ranges);

}  // namespace upsweep::report
