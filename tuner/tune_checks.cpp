#include "tuner/tune_checks.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/shape.hpp"
#include "tuner/measure/rotation_memory.hpp"
#include "tuner/search/restriction.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {

void check(const runtime::Engine& engine, const Problem& problem, const TuneOptions& options) {
  validate(problem);
  if (has_pitch(problem)) {
    throw UsageError(
        "rows with a pitch have the tuning results of rows without: tune the problem that in_rows(problem, count, "
        "length) makes");
  }
  if (problem.unordered_segments) {
    throw UsageError(
        "segments in any order have the tuning results of those that ascend: tune the problem that "
        "in_segments(problem, count, items) makes");
  }
  if (options.sizes.empty()) throw UsageError("no size to tune for: give at least one number of items");
  if (std::find(options.sizes.begin(), options.sizes.end(), 0u) != options.sizes.end()) {
    throw UsageError("cannot tune for a size of 0 items: give sizes of at least 1");
  }
  for (const std::uint64_t size : options.sizes) {
    Problem sized = problem;
    sized.size = size;
    check_size(sized, engine.device());
    if (options.only.empty()) continue;
    const GeneratedSpace whole(sized, engine.device().limits());
    static_cast<void>(RestrictedSpace(whole, options.only, name(problem.algorithm)));
  }
  const auto refuse_negative = [](const char* name, int value) {
    if (value < 0) throw UsageError(fmt::format("{} is {}: give a positive number, or 0 for no limit", name, value));
  };
  refuse_negative("maximum_trials", options.maximum_trials);
  refuse_negative("patience", options.patience);
  refuse_negative("compile_jobs", options.compile_jobs);
}

std::filesystem::path database_path(const runtime::Engine& engine, const TuneOptions& options) {
  const std::filesystem::path path =
      options.database.empty() ? engine.database() : tuning_db::Database::path_of(options.database);
  if (path.empty()) {
    throw UsageError(
        "tuning needs a database, but the database is 'none': name a file with --db, UPSWEEP_DB or "
        "TuneOptions::database");
  }
  return path;
}

}  // namespace upsweep::tuner
