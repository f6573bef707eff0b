#include "tuner/trial_log.hpp"

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
  const std::vector<std::int64_t> ids = database_.record(unwritten_);
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  unwritten_.clear();
}

}  // namespace upsweep::tuner
