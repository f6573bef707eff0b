// The median of a few numbers.
#pragma once

#include <vector>

namespace upsweep::base {

// Of an even number the mean of the two in the middle; infinity of none.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace upsweep::base
