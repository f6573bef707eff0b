// Times of another library, measured by a program of its own, for the figures that show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>

namespace upsweep::figures {

struct OtherTimes {
  struct Time {
    Algorithm algorithm{};
    std::uint64_t items = 0, row_length = 0;
    double us = 0;
  };
  std::string label;        // "PyTorch 2.11.0"
  std::string device;       // on which they were measured
  std::vector<Time> times;  // of sums of f32 in rows

  // Of the problem, if it is among them.
  [[nodiscard]] std::optional<double> of(const Problem& problem) const;
};

// What `scripts/torch-times` has written. Throws InputError.
[[nodiscard]] OtherTimes read_other_times(const std::string& path);

}  // namespace upsweep::figures
