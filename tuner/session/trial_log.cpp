#include "tuner/session/trial_log.hpp"

#include <upsweep/error.hpp>

namespace upsweep::tuner {

std::size_t TrialLog::note(std::int64_t id) {
  write();
  ids_.push_back(id);
  return ids_.size() - 1;
}

std::size_t TrialLog::add(tuning_db::Trial trial) {
  unwritten_.push_back(std::move(trial));
  return ids_.size() + unwritten_.size() - 1;
}

void TrialLog::write() {
  if (unwritten_.empty()) return;
  try {
    const std::vector<std::int64_t> ids = database_.record(unwritten_);
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    unwritten_.clear();
  } catch (const UsageError&) {  // one is refused: those before it stay
    for (; !unwritten_.empty(); unwritten_.erase(unwritten_.begin())) {
      ids_.push_back(database_.record(unwritten_.front()));
    }
  }
}

}  // namespace upsweep::tuner
