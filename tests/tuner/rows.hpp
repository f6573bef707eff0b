// The rows that a tune left in a database.
#pragma once

#include <filesystem>
#include <vector>

#include "tuning-db/database.hpp"

namespace upsweep::tuner {

inline std::vector<tuning_db::Trial> rows(const std::filesystem::path& path) {
  return tuning_db::Database(path, tuning_db::Database::Mode::read_only).trials();
}

// The first of each config: the best have more.
inline std::vector<tuning_db::Trial> probes(const std::filesystem::path& path) {
  std::vector<tuning_db::Trial> trials = rows(path);
  std::erase_if(trials, [](const tuning_db::Trial& trial) { return trial.stage != tuning_db::Stage::probe; });
  return trials;
}

}  // namespace upsweep::tuner
