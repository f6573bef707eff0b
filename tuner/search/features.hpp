// Turns configs into numbers that a model can learn from.
#pragma once

#include <vector>

#include "tuner/search/space.hpp"

namespace upsweep::tuner {

// Columns: one for each schedule; one for each ordered parameter, log2(value + 1), shared by the schedules that have
// it; one for each value of a strategy (one for both of two); and for each pair of ordered parameters that are no
// switches the log of the product, as far as both are positive: tiles, threads and bytes in flight are products. What a
// schedule lacks is -1.
class Features {
 public:
  explicit Features(const SearchSpace& space);

  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] std::vector<float> of(std::uint64_t index) const;

 private:
  struct Pair {
    std::size_t column = 0;
    std::size_t a = 0, b = 0;  // places among the schedule's parameters
  };
  struct Layout {
    std::vector<std::vector<std::vector<float>>> values;  // what each value of each parameter puts into its columns
    std::vector<std::size_t> first_column;                // of each parameter
    std::vector<Pair> pairs;
    std::vector<std::vector<float>> logs;  // of ordered parameters' values
  };

  const SearchSpace& space_;
  std::size_t columns_ = 0;
  std::vector<Layout> layouts_;  // one a schedule
};

}  // namespace upsweep::tuner
