#include "generator/port_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generator/arguments.hpp"

namespace upsweep::port_text {

std::string each(const Problem& problem, const std::vector<Port>& ports, std::string_view text,
                 std::string_view of_previous, std::string_view of_second) {
  std::string all;
  for (const Port& port : ports) {
    const std::string type = spelled_type(problem, port);
    const auto add = [&](std::string_view part) {
      all += fmt::format(fmt::runtime(part), fmt::arg("type", type), fmt::arg("name", port.name));
    };
    add(text);
    if (port.previous_items > 0) add(of_previous);
    if (port.previous_items > 1) add(of_second);
  }
  return all;
}

std::string list(const std::vector<Port>& ports, std::string_view text) {
  std::vector<std::string> parts;
  for (const Port& port : ports) parts.push_back(fmt::format(fmt::runtime(text), fmt::arg("name", port.name)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

int previous_items(const std::vector<Port>& ports) {
  int most = 0;
  for (const Port& port : ports) most = std::max(most, port.previous_items);
  return most;
}

}  // namespace upsweep::port_text
