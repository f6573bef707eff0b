// --for NAME: a device that is not here, known from tuning results.
#pragma once

#include <string>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "tuning-db/choose.hpp"

namespace CLI {
class App;
}

namespace upsweep::cli {

// "sm_90" of "sm_90", "90" and "9.0", "sm_90a" of "90a"; other text as it is.
[[nodiscard]] std::string architecture_named(const std::string& text);

void add_for(CLI::App& verb, std::string& device);

struct NamedDevice {
  DeviceIdentity identity;
  DeviceLimits limits;
  std::vector<tuning_db::Winner> winners;  // the user's, then the shipped ones that may serve the problem
};

// The device of that name in the user's tuning database (or the one of that path; "none": no database) or in the
// shipped results; with UPSWEEP_PINNED_DB, in that file alone. Throws UsageError that lists the known devices,
// DatabaseError where the database cannot be used.
[[nodiscard]] NamedDevice find_device(const std::string& name, const Problem& problem, const std::string& database);

// What a call on it would take.
[[nodiscard]] tuning_db::Choice choose(const NamedDevice& device, const Problem& problem);

}  // namespace upsweep::cli
