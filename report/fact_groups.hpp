// Trials, winners and rows of comparisons, grouped by device and problem.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "report/facts.hpp"
#include "tuning-db/trial.hpp"

namespace upsweep::report {

[[nodiscard]] inline Problem of_no_size(Problem problem) {
  problem.size = 0;
  return problem;
}

struct FactKey {
  DeviceIdentity device;
  Problem problem;  // of no size
  bool operator<(const FactKey& other) const;
};

// All that is known of one problem on one device, by reference into the sources.
struct FactGroup {
  std::vector<const tuning_db::Trial*> trials;
  std::vector<const tuning_db::Winner*> winners;
  std::map<std::uint64_t, std::map<bench::Who, bench::Row>> rows;
};

using FactGroups = std::map<FactKey, FactGroup>;

// Without the sizes beside powers of two that a tune measures by itself: they would be more points than the sizes that
// somebody asked for.
[[nodiscard]] FactGroups group(const Sources& sources);

}  // namespace upsweep::report
