// The rows of a session, which may be written later than they are known, in their order.
#pragma once

#include <cstdint>
#include <vector>

#include "tuning-db/database.hpp"

namespace upsweep::tuner {

class TrialLog {
 public:
  // `database` must outlive it. What is not written when it ends is lost.
  explicit TrialLog(tuning_db::Database& database) : database_(database) {}

  // Places: where the id of a row is to be had.
  std::size_t note(std::int64_t id);  // a row that is in the database
  std::size_t add(tuning_db::Trial trial);
  // Writes what was added. Throws DatabaseError.
  void write();
  // Of a row that was written.
  [[nodiscard]] std::int64_t id(std::size_t place) const { return ids_.at(place); }

 private:
  tuning_db::Database& database_;
  std::vector<std::int64_t> ids_;
  std::vector<tuning_db::Trial> unwritten_;
};

}  // namespace upsweep::tuner
