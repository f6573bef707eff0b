// Trials and winners of the tuning database: reading, adding and finding rows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tuning-db/database.hpp"
#include "tuning-db/sqlite.hpp"
#include "tuning-db/trial_rows.hpp"

namespace upsweep::tuning_db {

// Called with the row's id and why it does not parse.
using RowSkipped = std::function<void(std::int64_t id, const std::string& reason)>;

[[nodiscard]] std::vector<Trial> read_trials(const Connection& connection, const Filter& filter,
                                             const RowSkipped& skipped);
[[nodiscard]] std::vector<Winner> read_winners(const Connection& connection, const Filter& filter,
                                               const RowSkipped& skipped);

// The id of the device's row, which is added if there is none.
[[nodiscard]] std::int64_t make_device(const Connection& connection, const DeviceIdentity& device);

// Ids of a trial's parts, as they stand in its row.
struct TrialKeys {
  std::int64_t device = 0;
  std::int64_t environment = 0;
  std::int64_t problem = 0;
  std::int64_t config = 0;
};

// The form in which a trial is kept: a time, valid UTF-8, no id. Throws UsageError for what `validate` refuses.
[[nodiscard]] Trial stored_form(const Trial& trial);

// These expect a write transaction and trials in their stored form.
[[nodiscard]] TrialKeys make_keys(const Connection& connection, const Trial& trial);
[[nodiscard]] std::int64_t insert_trial(const Connection& connection, const Trial& trial, const TrialKeys& keys);
// 0 if there is no row with these contents.
[[nodiscard]] std::int64_t find_trial(const Connection& connection, const Trial& trial, const TrialKeys& keys);
// Throws DatabaseError unless the row reads back as the trial: in a damaged file an index may lead to another text.
void verify_row(const Connection& connection, std::int64_t id, const Trial& trial);
// The usable winner of the recorded trial's (device, problem, size class, environment).
[[nodiscard]] std::optional<Trial> current_winner(const Connection& connection, std::int64_t trial_id);
// Also forgets that it was wanted.
void put_winner(const Connection& connection, std::int64_t trial_id);

}  // namespace upsweep::tuning_db
