#include "figures/figure.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "generator/names.hpp"

namespace upsweep::figures {

std::span<const Figure> all_figures() {
  static const std::array all{throughput_figure(), ladder_figure(),   window_figure(),     rows_figure(),
                              error_figure(),      networks_figure(), portability_figure()};
  return all;
}

const Figure& figure_named(std::string_view name) {
  const std::span<const Figure> all = all_figures();
  const auto at = std::ranges::find(all, name, &Figure::name);
  if (at != all.end()) return *at;
  std::vector<std::string> known;
  for (const Figure& each : all) known.emplace_back(each.name);
  throw UsageError(unknown_name("figure", name, known));
}

std::string line_style(std::size_t number) {
  return fmt::format("line-{}", number + 1);
}

}  // namespace upsweep::figures
