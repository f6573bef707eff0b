// The median of a few numbers.
#ifndef UPSWEEP_TUNER_SEARCH_MEDIAN_HPP
#define UPSWEEP_TUNER_SEARCH_MEDIAN_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

namespace upsweep::tuner {

// Of an even number the greater of the two in the middle; 0 of none.
[[nodiscard]] inline double upper_median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace upsweep::tuner

#endif  // UPSWEEP_TUNER_SEARCH_MEDIAN_HPP
