// The rows of a tune for one size. They may be written later than they are known, and keep their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "tuner/worker/runner.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {

// What is tuned for, and where.
struct Setting {
  DeviceIdentity device;
  DeviceLimits limits;
  Environment environment;
  Problem problem;      // its size is what is tuned for
  std::string session;  // Trial::session
};

// What the database holds of the setting's size class and environment.
[[nodiscard]] tuning_db::Filter filter_of(const Setting& setting);
// The winner so far for the size's side of its size class.
[[nodiscard]] std::optional<Config> find_incumbent(const tuning_db::Database& database, const Setting& setting);

class TrialLog {
 public:
  // Both must outlive it. What is not written when it ends is lost.
  TrialLog(tuning_db::Database& database, const Setting& setting) : database_(database), setting_(setting) {}

  // They return the place of the row, which stands for its id before it is written.
  std::size_t note(std::int64_t id);  // a row that is in the database
  // `size`: of its calls; 0: the setting's.
  std::size_t add(const Config& config, tuning_db::Stage stage, const Outcome& outcome, std::uint64_t size = 0);
  // Writes what was added. Throws DatabaseError.
  void write();
  // Writes, and makes that row the winner.
  void set_winner(std::size_t place);

 private:
  tuning_db::Database& database_;
  const Setting& setting_;
  std::vector<std::int64_t> ids_;
  std::vector<tuning_db::Trial> unwritten_;
};

}  // namespace upsweep::tuner
