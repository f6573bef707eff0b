// A tuning database as a tuned machine would have it, made up: plausible times, failures and peers. Deterministic.
#pragma once

#include "report/facts.hpp"

namespace upsweep::report {

struct DemoOptions {
  int problems = 6;
  int sizes = 11;   // from 2^10 in steps of 4x
  int trials = 60;  // of each problem and size
  bool documents = true;
  std::uint64_t seed = 1;
};

[[nodiscard]] Sources demo(const DemoOptions& options = {});

}  // namespace upsweep::report
