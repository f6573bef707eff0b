#include "bench/axis.hpp"

#include <algorithm>
#include <cmath>

namespace upsweep::bench {
namespace {

// Distance between ticks so that about five fit into the span: 1, 2 or 5 times a power of ten.
double nice_step(double span) {
  const double rough = std::max(span, 1e-9) / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

double exponent(double value) {
  return std::log2(std::max(value, 1.0));
}

}  // namespace

Axis::Axis(bool logarithmic, double begin, double end, double step)
    : logarithmic_(logarithmic), begin_(begin), end_(end) {
  const auto steps = static_cast<int>(std::floor((end - begin) / step + 1e-6));
  for (int i = 0; i <= steps; ++i) {
    const double at = begin + step * i;
    ticks_.push_back(logarithmic ? std::exp2(at) : at);
  }
}

Axis Axis::linear(double least, double greatest) {
  const double step = nice_step(greatest - least);
  const double begin = step * std::floor(least / step + 1e-9);
  const double end = step * std::ceil(greatest / step - 1e-9);
  return {false, begin, std::max(end, begin + step), step};
}

Axis Axis::powers_of_two(double least, double greatest) {
  const double begin = std::floor(exponent(least));
  const double end = std::max(std::ceil(exponent(greatest)), begin + 1);
  return {true, begin, end, end - begin > 7 ? 2.0 : 1.0};
}

double Axis::fraction(double value) const {
  return ((logarithmic_ ? exponent(value) : value) - begin_) / (end_ - begin_);
}

std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char each : text) {
    switch (each) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += each;
    }
  }
  return safe;
}

}  // namespace upsweep::bench
