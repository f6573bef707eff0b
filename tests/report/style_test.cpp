// The page's colours can be told from the paper and from each other, in both schemes, also by people who do not tell
// red from green.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <map>
#include <regex>

#include "report/page.hpp"

namespace upsweep::report {
namespace {

using Colour = std::array<double, 3>;  // linear red, green, blue
using Matrix = std::array<Colour, 3>;
using Scheme = std::map<std::string, Colour>;

double linear(int byte) {
  const double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

Colour product(const Matrix& matrix, const Colour& colour) {
  Colour out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out[i] += matrix[i][j] * colour[j];
  }
  return out;
}

void read(const std::string& rules, Scheme& scheme) {
  const std::regex variable("--([a-z-]+): #([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2});");
  for (std::sregex_iterator at(rules.begin(), rules.end(), variable), end; at != end; ++at) {
    Colour& colour = scheme[(*at)[1]];
    for (std::size_t i = 0; i < 3; ++i) colour[i] = linear(std::stoi((*at)[i + 2], nullptr, 16));
  }
}

// Light and dark: the second block of variables changes some of the first.
std::map<std::string, Scheme> schemes() {
  const std::string css(part("style.css"));
  const std::size_t dark = css.find("@media (prefers-color-scheme: dark)");
  const std::size_t end = css.find("* { box-sizing");
  std::map<std::string, Scheme> found;
  read(css.substr(0, dark), found["light"]);
  found["dark"] = found["light"];
  read(css.substr(dark, end - dark), found["dark"]);
  return found;
}

double luminance(const Colour& colour) {
  return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2];
}

// WCAG 2.1, "contrast ratio".
double contrast(const Colour& a, const Colour& b) {
  const double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
  return std::max(one, other) / std::min(one, other);
}

// Ottosson, "A perceptual color space for image processing", 2020.
Colour oklab(const Colour& colour) {
  constexpr Matrix cones{{{0.4122214708, 0.5363325363, 0.0514459929},
                          {0.2119034982, 0.6806995451, 0.1073969566},
                          {0.0883024619, 0.2817188376, 0.6299787005}}};
  constexpr Matrix lab{{{0.2104542553, 0.7936177850, -0.0040720468},
                        {1.9779984951, -2.4285922050, 0.4505937099},
                        {0.0259040371, 0.7827717662, -0.8086757660}}};
  Colour roots = product(cones, colour);
  for (double& each : roots) each = std::cbrt(std::max(each, 0.0));
  return product(lab, roots);
}

double distance(const Colour& a, const Colour& b) {
  const Colour one = oklab(a), other = oklab(b);
  return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009,
// severity 1.
const std::map<std::string, Matrix>& eyes() {
  static const std::map<std::string, Matrix> all{
      {"usual", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
      {"protanopia",
       {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
      {"deuteranopia",
       {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}}};
  return all;
}

TEST(Style, ColoursStandOutFromThePaper) {
  for (const auto& [name, scheme] : schemes()) {
    for (const char* paper : {"paper", "card"}) {
      // Lines' labels have the lines' colour: they are text.
      for (const char* text : {"ink", "muted", "winner", "default", "peer", "limit", "nearest", "failure"}) {
        EXPECT_GE(contrast(scheme.at(text), scheme.at(paper)), 4.5) << name << ": " << text << " on " << paper;
      }
      for (const char* line : {"ramp-low", "ramp-high"}) {
        EXPECT_GE(contrast(scheme.at(line), scheme.at(paper)), 3) << name << ": " << line << " on " << paper;
      }
    }
  }
}

TEST(Style, LinesCanBeToldApart) {
  const std::array<std::string, 5> lines{"winner", "default", "peer", "limit", "nearest"};
  for (const auto& [name, scheme] : schemes()) {
    for (const auto& [eye, matrix] : eyes()) {
      for (std::size_t i = 0; i < lines.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_GE(distance(product(matrix, scheme.at(lines[i])), product(matrix, scheme.at(lines[j]))), 0.12)
              << name << ", " << eye << ": " << lines[i] << " and " << lines[j];
        }
      }
    }
  }
}

TEST(Style, CheckSeesColoursThatAreAlike) {
  const Matrix& deuteranopia = eyes().at("deuteranopia");
  const Colour red{linear(0xb3), linear(0x50), linear(0x3b)}, green{linear(0x70), linear(0x74), linear(0x35)};
  EXPECT_LT(distance(product(deuteranopia, red), product(deuteranopia, green)), distance(red, green) / 2);
  EXPECT_NEAR(contrast({1, 1, 1}, {0, 0, 0}), 21, 1e-9);
}

}  // namespace
}  // namespace upsweep::report
