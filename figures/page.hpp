// All figures as one HTML page, as Markdown, and each as SVG.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/figure.hpp"

namespace upsweep::figures {

// What became of one figure.
struct Outcome {
  const Figure* figure = nullptr;
  Drawing drawing = {};
  std::string left_out = {};  // why it was not drawn; empty: it was
  std::string failure = {};   // the error that ended it
  double seconds = 0;         // that it took
};

// Where and when.
struct Origin {
  std::string device;                // its name
  std::vector<std::string> details;  // driver, compiler, peer, date
};

// Works from file://: it needs nothing beside itself.
[[nodiscard]] std::string page(const Origin& origin, std::span<const Outcome> outcomes);

// The tables, with headings, sources and notes.
[[nodiscard]] std::string markdown(const Origin& origin, std::span<const Outcome> outcomes);

// The charts of one figure; empty if it has none.
[[nodiscard]] std::string svg(const Origin& origin, const Outcome& outcome);

}  // namespace upsweep::figures
