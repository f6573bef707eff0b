#include "report/axis.hpp"

#include <algorithm>
#include <cmath>

namespace upsweep::report {
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

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

double exponent(double value) {
  return std::log2(std::max(value, 1.0));
}

// From one value to another in equal steps.
std::vector<double> steps(double begin, double end, double step) {
  std::vector<double> values;
  const auto count = static_cast<int>(std::floor((end - begin) / step + 1e-6));
  for (int i = 0; i <= count; ++i) values.push_back(begin + step * i);
  return values;
}

// The numbers that are 1, 2 or 5 times a power of ten, from the last one at or below `least` to the first one at or
// above `greatest`.
std::vector<double> round_numbers(double least, double greatest) {
  std::vector<double> numbers;
  for (int power = static_cast<int>(std::floor(std::log10(least))) - 1;; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double number = factor * std::pow(10.0, power);
      if (number <= least * (1 + 1e-9)) numbers.clear();
      numbers.push_back(number);
      if (number >= greatest * (1 - 1e-9) && numbers.size() > 1) return numbers;
    }
  }
}

bool is_power_of_ten(double value) {
  const double power = std::log10(value);
  return std::abs(power - std::round(power)) < 1e-9;
}

}  // namespace

Axis Axis::linear(double least, double greatest) {
  const double step = nice_step(greatest - least);
  const double begin = step * std::floor(least / step + 1e-9);
  const double end = std::max(step * std::ceil(greatest / step - 1e-9), begin + step);
  return {false, begin, end, steps(begin, end, step)};
}

Axis Axis::powers_of_ten(double least, double greatest) {
  constexpr double smallest = 1e-12;
  std::vector<double> ticks = round_numbers(std::max(least, smallest), std::max({least, greatest, smallest}));
  const double begin = std::log2(ticks.front()), end = std::log2(ticks.back());
  if (std::ranges::count_if(ticks, is_power_of_ten) >= 3) {
    std::erase_if(ticks, [](double each) { return !is_power_of_ten(each); });
  }
  return {true, begin, end, std::move(ticks)};
}

Axis Axis::powers_of_two(double least, double greatest) {
  const double begin = std::floor(exponent(least));
  const double end = std::max(std::ceil(exponent(greatest)), begin + 1);
  std::vector<double> ticks = steps(begin, end, end - begin > 7 ? 2.0 : 1.0);
  for (double& each : ticks) each = std::exp2(each);
  return {true, begin, end, std::move(ticks)};
}

double Axis::fraction(double value) const {
  if (!logarithmic_) return (value - begin_) / (end_ - begin_);
  if (!(value > 0)) return 0;
  return std::max(0.0, (std::log2(value) - begin_) / (end_ - begin_));
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
        // Other control characters are none of XML's.
        safe += is_control(each) ? "\ufffd" : std::string_view(&each, 1);
    }
  }
  return safe;
}

}  // namespace upsweep::report
