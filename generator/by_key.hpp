// What algorithms have in common that take runs of values with equal neighbouring keys.
#pragma once

#include <vector>

#include "generator/algorithm.hpp"

namespace upsweep {

// The arrays that are read: keys and values.
[[nodiscard]] std::vector<Port> keys_and_values(const Problem& problem);

// These, and an output with a result at the place of each item.
[[nodiscard]] std::vector<Port> scan_by_key_ports(const Problem& problem);

// Throws UsageError unless keys can be compared, and values can be combined (validate_fold).
void validate_by_key(const Problem& problem);

// For the tuner: keys in runs, and values that suit the operator.
[[nodiscard]] TestData by_key_data(const Problem& problem, const Port& port);

}  // namespace upsweep
