#include "runtime/wanted_log.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <string>
#include <upsweep/error.hpp>
#include <utility>

#include "tuning-db/database.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::size_t plans_between_writes = 16;
// A program that makes plans without end next to a database that cannot be written must not grow by them.
constexpr std::size_t most_kept = 4096;
constexpr std::chrono::milliseconds patience{200};

}  // namespace

WantedLog::WantedLog(std::filesystem::path database)
    : database_(std::move(database)), next_write_(plans_between_writes) {}

WantedLog::~WantedLog() {
  write(std::move(kept_));
}

void WantedLog::add(const Problem& problem, std::string_view rung, const DeviceIdentity& device) noexcept {
  try {
    std::vector<tuning_db::Wanted> due;
    {
      const std::lock_guard lock(mutex_);
      if (kept_.size() >= most_kept) return;
      const std::string now = tuning_db::utc_now();
      kept_.push_back({.device = device,
                       .problem = problem,
                       .size_class = size_class(problem.size),
                       .count = 1,
                       .first_at = now,
                       .last_at = now,
                       .rung = std::string(rung)});
      if (kept_.size() < next_write_) return;
      due.swap(kept_);
    }
    write(std::move(due));
  } catch (const std::exception&) {
    // No memory for a note: the call is worth more than that.
  }
}

// Without the lock: no other thread waits for a disk.
void WantedLog::write(std::vector<tuning_db::Wanted> due) noexcept {
  if (due.empty()) return;
  try {
    if (stored(due)) due.clear();
    const std::lock_guard lock(mutex_);
    kept_.insert(kept_.begin(), std::make_move_iterator(due.begin()), std::make_move_iterator(due.end()));
    next_write_ = kept_.size() + plans_between_writes;
  } catch (const std::exception&) {
    // No memory for them.
  }
}

bool WantedLog::stored(const std::vector<tuning_db::Wanted>& due) const {
  try {
    tuning_db::Database(database_, tuning_db::Database::Mode::read_write, patience).want(due);
    return true;
  } catch (const DatabaseError&) {
    // Read-only, locked, full or damaged: whoever tunes will be told. Calls go on untuned as they did.
    return false;
  }
}

}  // namespace upsweep::runtime
