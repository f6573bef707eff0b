#include "base/median.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace upsweep::base {

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::infinity();
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace upsweep::base
