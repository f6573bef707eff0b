// Removes rows from a tuning database, on demand only (`upsweep db prune`).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include <upsweep/problem.hpp>

namespace upsweep::tuning_db {

class Connection;

// `losers` and `failed` say which trials go; the others narrow that down. Without either of the two everything that the
// others match goes, winners and requests too.
struct PruneOptions {
  // Those measured before the winner of the same device, problem, size class and environment, but for finalists of the
  // winner's own session. Where nothing won yet nothing has lost.
  bool losers = false;
  bool failed = false;  // every verdict but `measured`
  // Whether a row of this problem and device may go; all may if it is not set. Rows whose problem or device does not
  // parse stay where it is set.
  std::function<bool(const Problem& problem, const std::string& device)> matches = {};
  std::optional<int> older_than_days = {};  // measured, or last asked for, before that
  bool dry_run = false;                     // only counts
};

struct PruneReport {
  std::size_t trials = 0;
  std::size_t winners = 0;  // of these
  std::size_t wanted = 0;   // requests
  bool operator==(const PruneReport&) const = default;
};

// Expects a write transaction, which it leaves without rows of other tables that nothing refers to any more. Throws
// UsageError if the options choose nothing.
PruneReport prune_rows(const Connection& connection, const PruneOptions& options);

}  // namespace upsweep::tuning_db
