#include "tuning-db/prune.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <ctime>
#include <upsweep/error.hpp>
#include <vector>

#include "tuning-db/problem_rows.hpp"
#include "tuning-db/schema.hpp"
#include "tuning-db/sqlite.hpp"

namespace upsweep::tuning_db {
namespace {

// Measured before the winner in the same place, and no finalist of its session.
std::string lost() {
  return fmt::format(
      "(verdict = 'measured' AND EXISTS (SELECT 1 FROM winner JOIN trial AS won ON won.id = winner.trial WHERE "
      "winner.device = trial.device AND winner.problem = trial.problem AND winner.size_class = trial.size_class AND "
      "winner.side = {} AND winner.environment = trial.environment AND trial.id < winner.trial AND NOT (trial.stage = "
      "'final' AND trial.session = won.session)))",
      side_of_trial);
}

std::int64_t count_of(const Connection& connection, const char* sql) {
  Statement count(connection, sql);
  return count.step() ? count.integer(0) : 0;
}

void check(const PruneOptions& options) {
  if (!options.losers && !options.failed && !options.matches && !options.older_than_days) {
    throw UsageError(
        "say which rows to remove: --losers, --failed, --older-than, or of which ALGORITHM, --op, --type, "
        "--size or --device");
  }
  if (options.older_than_days && *options.older_than_days < 0) {
    throw UsageError(fmt::format("--older-than is {}: give a number of days, 0 or more", *options.older_than_days));
  }
}

std::optional<std::string> limit_of(const PruneOptions& options) {
  if (!options.older_than_days) return std::nullopt;
  using std::chrono::year;
  // In seconds: the clock's nanoseconds overflow at 292 years.
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto then = now - std::chrono::days(*options.older_than_days);
  if (then < std::chrono::sys_days(year(1000) / 1 / 1))
    return "0000-01-01T00:00:00";  // older than all years of 4 digits
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(std::time_t{then.time_since_epoch().count()}));
}

bool is_matched(const Statement& row, const PruneOptions& options) {
  try {
    return options.matches(read_problem(row, 4, row.integer(2)), row.text(3));
  } catch (const RowError&) {
    return false;
  }
}

// Fills the temporary table `matched` with the device, problem and size of all rows that `matches` lets go.
void list_matched(const Connection& connection, const PruneOptions& options) {
  connection.execute("CREATE TEMP TABLE matched(device INTEGER, problem INTEGER, size INTEGER)");
  Statement row(connection,
                "SELECT seen.device, seen.problem, seen.size, device.name, problem.key FROM (SELECT device, problem, "
                "size FROM trial UNION SELECT device, problem, size FROM wanted) "
                "AS seen LEFT JOIN device ON device.id = seen.device LEFT JOIN problem ON problem.id = seen.problem");
  std::vector<std::array<std::int64_t, 3>> matched;
  while (row.step()) {
    if (is_matched(row, options)) matched.push_back({row.integer(0), row.integer(1), row.integer(2)});
  }
  Statement add(connection, "INSERT INTO temp.matched VALUES(?1, ?2, ?3)");
  for (const auto& [device, problem, size] : matched) add.bind(device, problem, size).step();
}

std::string narrowed(const PruneOptions& options, const char* time) {
  // ?1: a time, to the second, without its Z.
  std::string condition = fmt::format("(?1 IS NULL OR rtrim({}, 'Z') < ?1)", time);
  if (options.matches) condition += " AND (device, problem, size) IN (SELECT * FROM temp.matched)";
  return condition;
}

std::string trials_that_go(const PruneOptions& options) {
  std::vector<std::string> kinds;
  if (options.losers) kinds.emplace_back(lost());
  if (options.failed) kinds.emplace_back("verdict <> 'measured'");
  if (kinds.empty()) kinds.emplace_back("TRUE");
  return fmt::format("({}) AND {}", fmt::join(kinds, " OR "), narrowed(options, "measured_at"));
}

}  // namespace

PruneReport prune_rows(const Connection& connection, const PruneOptions& options) {
  check(options);
  const std::optional<std::string> limit = limit_of(options);
  const bool requests_too = !options.losers && !options.failed;
  if (options.matches) list_matched(connection, options);
  connection.execute("CREATE TEMP TABLE going(id INTEGER PRIMARY KEY)");
  Statement(connection, "INSERT INTO temp.going SELECT id FROM trial WHERE " + trials_that_go(options))
      .bind(limit)
      .step();
  PruneReport report;
  report.trials = static_cast<std::size_t>(count_of(connection, "SELECT count(*) FROM temp.going"));
  report.winners = static_cast<std::size_t>(
      count_of(connection, "SELECT count(*) FROM winner WHERE trial IN (SELECT id FROM temp.going)"));
  const std::string requests = fmt::format("FROM wanted WHERE {}", narrowed(options, "last_at"));
  if (requests_too) {
    Statement count(connection, "SELECT count(*) " + requests);
    report.wanted = count.bind(limit).step() ? static_cast<std::size_t>(count.integer(0)) : 0;
  }
  if (!options.dry_run) {
    connection.execute("DELETE FROM winner WHERE trial IN (SELECT id FROM temp.going)");
    connection.execute("DELETE FROM trial WHERE id IN (SELECT id FROM temp.going)");
    if (requests_too) Statement(connection, "DELETE " + requests).bind(limit).step();
    connection.execute(
        "DELETE FROM config WHERE id NOT IN (SELECT config FROM trial); "
        "DELETE FROM environment WHERE id NOT IN (SELECT environment FROM trial UNION SELECT environment FROM winner); "
        "DELETE FROM device WHERE id NOT IN (SELECT device FROM trial UNION SELECT device FROM winner UNION SELECT "
        "device FROM wanted); "
        "DELETE FROM problem WHERE id NOT IN (SELECT problem FROM trial UNION SELECT problem FROM winner UNION SELECT "
        "problem FROM wanted)");
  }
  connection.execute("DROP TABLE temp.going; DROP TABLE IF EXISTS temp.matched");
  return report;
}

}  // namespace upsweep::tuning_db
