// Draws axes with ticks, and escapes text for SVG and HTML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::report {

// From values to the fraction of an axis's length: 0 at its beginning, 1 at its end.
class Axis {
 public:
  // Begins and ends at multiples of a step of 1, 2 or 5 times a power of ten; about five steps.
  [[nodiscard]] static Axis linear(double least, double greatest);
  // Logarithmic, from and to 1, 2 or 5 times a power of ten; a tick for each power of ten, and where there are fewer
  // than three of them also for 2 and 5 times it. Values must be above 0.
  [[nodiscard]] static Axis powers_of_ten(double least, double greatest);
  // Logarithmic, in whole powers of two; a tick each, or every other one where they are many.
  [[nodiscard]] static Axis powers_of_two(double least, double greatest);

  [[nodiscard]] double fraction(double value) const;
  [[nodiscard]] const std::vector<double>& ticks() const noexcept { return ticks_; }  // ascending, in values

 private:
  Axis(bool logarithmic, double begin, double end, std::vector<double> ticks)
      : logarithmic_(logarithmic), begin_(begin), end_(end), ticks_(std::move(ticks)) {}

  bool logarithmic_;
  double begin_, end_;  // of a logarithmic axis: logarithms
  std::vector<double> ticks_;
};

// The text with & < > " ' as entities: it is safe between tags and in quoted attributes.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace upsweep::report
