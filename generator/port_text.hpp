// Makes text for sources that repeats for each array (port) of a problem.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <upsweep/port.hpp>
#include <upsweep/problem.hpp>

namespace upsweep::port_text {

// The text of each port, one behind the other. {type} and {name} stand for the port's. The text `with_previous` follows
// that of a port for which the item before is seen.
[[nodiscard]] std::string each(const Problem& problem, const std::vector<Port>& ports, std::string_view text,
                               std::string_view with_previous = {});

// The same as a list of initializers.
[[nodiscard]] std::string list(const std::vector<Port>& ports, std::string_view text);

[[nodiscard]] bool any_with_previous(const std::vector<Port>& ports);

}  // namespace upsweep::port_text
