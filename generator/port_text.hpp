// Makes text for sources that repeats for each array (port) of a problem.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <upsweep/port.hpp>
#include <upsweep/problem.hpp>

namespace upsweep::port_text {

// The text of each port, one behind the other. {type} and {name} stand for the port's. The text `of_previous` follows
// that of a port for which the item before is seen, and `of_second` follows this one where two items before are seen.
[[nodiscard]] std::string each(const Problem& problem, const std::vector<Port>& ports, std::string_view text,
                               std::string_view of_previous = {}, std::string_view of_second = {});

// The same as a list of initializers.
[[nodiscard]] std::string list(const std::vector<Port>& ports, std::string_view text);

// How many items before an item are seen of any port.
[[nodiscard]] int previous_items(const std::vector<Port>& ports);

}  // namespace upsweep::port_text
