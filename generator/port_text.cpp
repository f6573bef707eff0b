#include "generator/port_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generator/arguments.hpp"

namespace upsweep::port_text {

std::string each(const Problem& problem, const std::vector<Port>& ports, std::string_view text,
                 std::string_view with_previous) {
  std::string all;
  for (const Port& port : ports) {
    const std::string type = spelled_type(problem, port);
    all += fmt::format(fmt::runtime(text), fmt::arg("type", type), fmt::arg("name", port.name));
    if (!port.with_previous) continue;
    all += fmt::format(fmt::runtime(with_previous), fmt::arg("type", type), fmt::arg("name", port.name));
  }
  return all;
}

std::string list(const std::vector<Port>& ports, std::string_view text) {
  std::vector<std::string> parts;
  for (const Port& port : ports) parts.push_back(fmt::format(fmt::runtime(text), fmt::arg("name", port.name)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool any_with_previous(const std::vector<Port>& ports) {
  for (const Port& port : ports) {
    if (port.with_previous) return true;
  }
  return false;
}

}  // namespace upsweep::port_text
