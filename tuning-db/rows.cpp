#include "tuning-db/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <upsweep/error.hpp>

#include "generator/config_json.hpp"
#include "generator/shape.hpp"
#include "tuning-db/candidates.hpp"
#include "tuning-db/checksum.hpp"
#include "tuning-db/problem_rows.hpp"
#include "tuning-db/schema.hpp"

namespace upsweep::tuning_db {
namespace {

// For reports about rows in which even that may be damaged.
std::int64_t id_or_zero(const Statement& row, int column) {
  return row.is_integer(column) ? row.integer(column) : 0;
}

auto place_of(const Winner& winner) {
  return std::tuple(winner.trial.device, place_of_problem(winner.trial), winner.size_class,
                    size_side(winner.trial.problem.size));
}

// In a damaged file an index may have led to another row.
bool is_asked_for(const Trial& trial, const Filter& filter) {
  if (trial.is_carried() && (!filter.carried || filter.problem || filter.serving)) return false;
  return (!filter.device || trial.device == *filter.device) &&
         (!filter.problem || same_but_for_size(trial.problem, *filter.problem)) &&
         (!filter.environment || trial.environment == *filter.environment) &&
         (!filter.serving || may_serve(trial.problem, *filter.serving));
}

// By place; within one the newest first.
bool goes_before(const Winner& a, const Winner& b) {
  const auto place = place_of(a), other = place_of(b);
  if (place != other) return place < other;
  if (a.trial.measured_at != b.trial.measured_at) return is_earlier(b.trial.measured_at, a.trial.measured_at);
  return a.trial.id > b.trial.id;
}

// Looking for rows, and making them; both statements of a pair take the same values.
struct KeyStatements {
  const char* select;
  const char* insert;
};
constexpr KeyStatements device_statements{
    "SELECT id FROM device WHERE name = ?1 AND compute_major = ?2 AND compute_minor = ?3 AND multiprocessors = ?4 AND "
    "memory_bus_bits = ?5 AND memory_clock_khz = ?6 AND ecc = ?7",
    "INSERT INTO device(name, compute_major, compute_minor, multiprocessors, memory_bus_bits, memory_clock_khz, ecc) "
    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"};
constexpr KeyStatements environment_statements{
    "SELECT id FROM environment WHERE driver = ?1 AND compiler = ?2 AND generator = ?3",
    "INSERT INTO environment(driver, compiler, generator) VALUES(?1, ?2, ?3)"};
constexpr KeyStatements config_statements{"SELECT id FROM config WHERE json = ?1",
                                          "INSERT INTO config(json) VALUES(?1)"};

// Binds what identifies the value; shared by both statements of a pair.
Statement bound(const Connection& connection, const char* sql, const DeviceIdentity& device) {
  Statement statement(connection, sql);
  statement.bind(device.name, device.compute_major, device.compute_minor, device.multiprocessors,
                 device.memory_bus_bits, device.memory_clock_khz, std::int64_t{device.ecc});
  return statement;
}
Statement bound(const Connection& connection, const char* sql, const Environment& environment) {
  Statement statement(connection, sql);
  statement.bind(environment.driver, environment.compiler, environment.generator);
  return statement;
}
Statement bound(const Connection& connection, const char* sql, const Config& config) {
  Statement statement(connection, sql);
  statement.bind(to_json(config));
  return statement;
}

// 0 if there is none.
template <typename Value>
std::int64_t find_key(const Connection& connection, const KeyStatements& statements, const Value& value) {
  Statement found = bound(connection, statements.select, value);
  return found.step() ? found.integer(0) : 0;
}

template <typename Value>
std::int64_t make_key(const Connection& connection, const KeyStatements& statements, const Value& value) {
  if (const std::int64_t present = find_key(connection, statements, value); present != 0) return present;
  bound(connection, statements.insert, value).step();
  return sqlite3_last_insert_rowid(connection.handle());
}

// 0: there is no such row.
struct FilterKeys {
  std::optional<std::int64_t> device, problem, environment;
};

FilterKeys keys_of(const Connection& connection, const Filter& filter) {
  FilterKeys keys;
  if (filter.device) keys.device = find_key(connection, device_statements, *filter.device);
  if (filter.problem) keys.problem = find_problem(connection, key_of(*filter.problem));
  if (filter.environment) keys.environment = find_key(connection, environment_statements, *filter.environment);
  return keys;
}

}  // namespace

std::vector<Trial> read_trials(const Connection& connection, const Filter& filter, const RowSkipped& skipped) {
  const auto [device, problem, environment] = keys_of(connection, filter);
  // Two texts each, because "?1 IS NULL OR id = ?1" would look at every row.
  Statement row(connection,
                fmt::format("SELECT {} FROM trial {} WHERE {} AND {} AND (?3 IS NULL OR trial.size_class = ?3) AND (?4 "
                            "IS NULL OR trial.device = ?4) AND (?5 IS NULL OR trial.environment = ?5) AND (?6 OR "
                            "failure IS NULL) ORDER BY trial.id",
                            trial_columns, trial_joins, filter.id ? "trial.id = ?1" : "?1 IS NULL",
                            problem ? "trial.problem = ?2" : "?2 IS NULL"));
  row.bind(filter.id, problem, filter.size_class, device, environment, std::int64_t{filter.failures});
  std::vector<Trial> trials;
  while (row.step()) {
    try {
      Trial trial = read_trial(row);
      if (is_asked_for(trial, filter)) trials.push_back(std::move(trial));
    } catch (const RowError& error) {
      skipped(id_or_zero(row, static_cast<int>(TrialColumn::id)), error.what());
    }
  }
  return trials;
}

namespace {

// The columns that read_winners adds to those of a trial.
enum WinnerColumn : int {
  size_class_of_winner = static_cast<int>(TrialColumn::end),
  side,
  is_of_trial,
  trial_of_winner
};

// Throws RowError where the row is damaged.
Winner read_winner(const Statement& row) {
  Winner winner{read_trial(row), row.small_integer(size_class_of_winner), "user"};
  if (winner.size_class != size_class(winner.trial.problem.size))
    throw RowError("its size class does not match the size of its trial");
  if (row.integer(side) != static_cast<int>(size_side(winner.trial.problem.size))) {
    throw RowError("its side of the size class does not match the size of its trial");
  }
  if (row.integer(is_of_trial) == 0) throw RowError("its trial has another device, problem or environment");
  if (const std::string reason = unfit_to_win(winner.trial); !reason.empty()) throw RowError(reason);
  return winner;
}

}  // namespace

std::vector<Winner> read_winners(const Connection& connection, const Filter& filter, const RowSkipped& skipped) {
  const auto [device, problem, environment] = keys_of(connection, filter);
  Statement row(
      connection,
      fmt::format("SELECT {}, winner.size_class, winner.side, winner.device = trial.device AND winner.problem = "
                  "trial.problem AND winner.environment = trial.environment, winner.trial FROM winner LEFT "
                  "JOIN trial ON trial.id = winner.trial {} WHERE (?1 IS NULL OR winner.device = ?1) AND (?2 "
                  "IS NULL OR winner.problem = ?2) AND (?3 IS NULL OR winner.environment = ?3) AND (?4 IS "
                  "NULL OR winner.size_class = ?4){}",
                  trial_columns, trial_joins,
                  filter.serving
                      ? fmt::format(" AND winner.problem IN ({})", problems_serving(connection, *filter.serving))
                      : ""));
  row.bind(device, problem, environment, filter.size_class);
  std::vector<Winner> winners;
  while (row.step()) {
    try {
      Winner winner = read_winner(row);
      if (!is_asked_for(winner.trial, filter)) continue;
      winners.push_back(std::move(winner));
    } catch (const RowError& error) {
      skipped(id_or_zero(row, trial_of_winner), error.what());
    }
  }
  std::sort(winners.begin(), winners.end(), goes_before);
  return winners;
}

Trial stored_form(const Trial& trial) {
  Trial stored = trial;
  stored.id = 0;
  if (stored.measured_at.empty()) stored.measured_at = utc_now();
  for (std::string* text : {&stored.device.name, &stored.environment.driver, &stored.environment.compiler,
                            &stored.environment.generator, &stored.failure, &stored.session}) {
    *text = as_utf8(*text);
  }
  stored.config = completed(trial, stored_config_from_json(to_json(trial.config)));
  validate(stored);
  return stored;
}

std::int64_t make_device(const Connection& connection, const DeviceIdentity& device) {
  return make_key(connection, device_statements, device);
}

TrialKeys make_keys(const Connection& connection, const Trial& trial) {
  return {.device = make_device(connection, trial.device),
          .environment = make_key(connection, environment_statements, trial.environment),
          .problem = make_problem_row(connection, key_of(trial)),
          .config = make_key(connection, config_statements, trial.config)};
}

std::int64_t insert_trial(const Connection& connection, const Trial& trial, const TrialKeys& keys) {
  Statement(connection,
            "INSERT INTO trial(device, environment, problem, config, size, size_class, samples_us, failure, "
            "measured_at, verdict, stage, binary, clock_mhz, session, checksum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, "
            "nullif(?8, ''), ?9, ?10, ?11, ?12, ?13, ?14, ?15)")
      .bind(keys.device, keys.environment, keys.problem, keys.config, static_cast<std::int64_t>(trial.problem.size),
            size_class(trial.problem.size), samples_to_json(trial.samples_us), trial.failure, trial.measured_at,
            name(trial.verdict), name(trial.stage), trial.binary, trial.clock_mhz, trial.session, checksum_of(trial))
      .step();
  return sqlite3_last_insert_rowid(connection.handle());
}

std::int64_t find_trial(const Connection& connection, const Trial& trial, const TrialKeys& keys) {
  Statement found(connection,
                  "SELECT id FROM trial WHERE device = ?1 AND environment = ?2 AND problem = ?3 AND config = ?4 AND "
                  "size = ?5 AND samples_us = ?6 AND failure IS nullif(?7, '') AND measured_at = ?8 AND verdict = ?9 "
                  "AND stage = ?10 AND binary = ?11 AND clock_mhz = ?12 AND session = ?13");
  found.bind(keys.device, keys.environment, keys.problem, keys.config, static_cast<std::int64_t>(trial.problem.size),
             samples_to_json(trial.samples_us), trial.failure, trial.measured_at, name(trial.verdict),
             name(trial.stage), trial.binary, trial.clock_mhz, trial.session);
  return found.step() ? found.integer(0) : 0;
}

void verify_row(const Connection& connection, std::int64_t id, const Trial& trial) {
  Trial expected = trial;
  expected.id = id;
  expected.problem = with_length_of_class(trial.problem);
  const auto found = read_trials(connection, {.id = id, .carried = true}, [](std::int64_t, const std::string&) {});
  if (found.size() != 1 || found.front() != expected) connection.fail(SQLITE_CORRUPT);
}

std::optional<Trial> current_winner(const Connection& connection, std::int64_t trial_id) {
  Statement found(connection,
                  fmt::format("SELECT winner.trial FROM trial JOIN winner ON winner.device = trial.device AND "
                              "winner.problem = trial.problem AND winner.size_class = trial.size_class AND winner.side "
                              "= {} AND winner.environment = trial.environment WHERE trial.id = ?1",
                              side_of_trial));
  if (!found.bind(trial_id).step() || !found.is_integer(0)) return std::nullopt;
  const auto trials =
      read_trials(connection, {.id = found.integer(0), .carried = true}, [](std::int64_t, const std::string&) {});
  if (trials.empty() || !unfit_to_win(trials.front()).empty()) return std::nullopt;
  return trials.front();
}

void put_winner(const Connection& connection, std::int64_t trial_id) {
  Statement(connection,
            fmt::format("INSERT OR REPLACE INTO winner(device, problem, size_class, side, environment, trial) SELECT "
                        "device, problem, size_class, {}, environment, id FROM trial WHERE id = ?1",
                        side_of_trial))
      .bind(trial_id)
      .step();
  Statement(connection,
            "DELETE FROM wanted WHERE EXISTS (SELECT 1 FROM trial WHERE trial.id = ?1 AND trial.device = wanted.device "
            "AND trial.problem = wanted.problem AND trial.size_class = wanted.size_class)")
      .bind(trial_id)
      .step();
}

}  // namespace upsweep::tuning_db
