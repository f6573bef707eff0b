// The table of calls that ran without a tuning result of their own, and so are worth tuning (`upsweep tune --wanted`).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

class Connection;

struct Wanted {
  DeviceIdentity device;
  Problem problem;  // with the size that was asked for last
  int size_class = 0;
  std::uint64_t count = 0;        // how many plans were made for it, each of which may have served many calls
  std::string first_at, last_at;  // UTC, as Trial::measured_at
  std::string rung;               // name of the rung that it stood on last

  bool operator==(const Wanted&) const = default;
};

// These expect a transaction. Requests for which there is a usable winner by now are left out.
void add_wanted(const Connection& connection, std::span<const Wanted> requests);
// The most wanted first. `skipped` is called with a line for each row that does not parse.
[[nodiscard]] std::vector<Wanted> read_wanted(const Connection& connection,
                                              const std::function<void(const std::string& reason)>& skipped);

}  // namespace upsweep::tuning_db
