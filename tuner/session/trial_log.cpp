#include "tuner/session/trial_log.hpp"

#include <upsweep/error.hpp>

namespace upsweep::tuner {

tuning_db::Filter filter_of(const Setting& setting) {
  return {.device = setting.device,
          .problem = setting.problem,
          .size_class = size_class(setting.problem.size),
          .environment = setting.environment};
}

std::optional<Config> find_incumbent(const tuning_db::Database& database, const Setting& setting) {
  for (const tuning_db::Winner& winner : database.winners(filter_of(setting))) {
    if (size_side(winner.trial.problem.size) == size_side(setting.problem.size)) return winner.trial.config;
  }
  return std::nullopt;
}

std::size_t TrialLog::note(std::int64_t id) {
  write();
  ids_.push_back(id);
  return ids_.size() - 1;
}

std::size_t TrialLog::add(const Config& config, tuning_db::Stage stage, const Outcome& outcome, std::uint64_t size) {
  unwritten_.push_back({.device = setting_.device,
                        .environment = setting_.environment,
                        .problem = setting_.problem,
                        .config = config,
                        .samples_us = outcome.samples_us,
                        .failure = outcome.failure,
                        .verdict = outcome.verdict,
                        .stage = stage,
                        .binary = outcome.binary,
                        .clock_mhz = outcome.clock_mhz,
                        .session = setting_.session});
  if (size != 0) unwritten_.back().problem.size = size;
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

void TrialLog::set_winner(std::size_t place) {
  write();
  database_.set_winner(ids_.at(place));
}

}  // namespace upsweep::tuner
