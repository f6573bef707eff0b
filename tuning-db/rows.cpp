#include "tuning-db/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <upsweep/error.hpp>

namespace upsweep::tuning_db {
namespace {

// Columns in the order in which read_trial takes them. LEFT JOIN, so that a trial whose device is gone shows up as a
// row that does not parse.
constexpr const char* trial_columns =
    "trial.id, device.name, compute_major, compute_minor, multiprocessors, memory_bus_bits, memory_clock_khz, ecc, "
    "driver, compiler, generator, algorithm, operator, input, accumulator, output, config.json, trial.size, "
    "trial.size_class, samples_us, failure, measured_at";
constexpr const char* trial_joins =
    "LEFT JOIN device ON device.id = trial.device LEFT JOIN environment ON environment.id = trial.environment "
    "LEFT JOIN problem ON problem.id = trial.problem LEFT JOIN config ON config.id = trial.config";

DeviceIdentity read_device(const Statement& row, int column) {
  DeviceIdentity device;
  device.name = row.text(column);
  device.compute_major = row.small_integer(column + 1);
  device.compute_minor = row.small_integer(column + 2);
  device.multiprocessors = row.small_integer(column + 3);
  device.memory_bus_bits = row.small_integer(column + 4);
  device.memory_clock_khz = row.small_integer(column + 5);
  device.ecc = row.integer(column + 6) != 0;
  return device;
}

Problem read_problem(const Statement& row, int column, std::int64_t size) {
  Problem problem;
  problem.algorithm = parse_algorithm(row.text(column));
  problem.op = parse_operator(row.text(column + 1));
  problem.input = parse_type(row.text(column + 2));
  problem.accumulator = parse_type(row.text(column + 3));
  problem.output = parse_type(row.text(column + 4));
  if (size < 0) throw RowError("its size is negative");
  problem.size = static_cast<std::uint64_t>(size);
  return problem;
}

Trial read_trial(const Statement& row) {
  try {
    Trial trial;
    trial.id = row.integer(0);
    trial.device = read_device(row, 1);
    trial.environment = {row.text(8), row.text(9), row.text(10)};
    trial.problem = read_problem(row, 11, row.integer(17));
    trial.config = config_from_json(row.text(16));
    if (row.small_integer(18) != size_class(trial.problem.size)) throw RowError("its size class is not its size's");
    trial.samples_us = samples_from_json(row.text(19));
    if (!row.is_null(20)) trial.failure = row.text(20);
    trial.measured_at = row.text(21);
    validate(trial);
    return trial;
  } catch (const UsageError& error) {
    throw RowError(error.what());
  }
}

// For reports about rows in which even that may be damaged.
std::int64_t id_or_zero(const Statement& row, int column) {
  return row.is_integer(column) ? row.integer(column) : 0;
}

auto sort_key(const Winner& winner) {
  const DeviceIdentity& d = winner.trial.device;
  const Problem& p = winner.trial.problem;
  return std::tuple(d.name, d.compute_major, d.compute_minor, d.multiprocessors, d.memory_bus_bits, d.memory_clock_khz,
                    d.ecc, p.algorithm, p.op, p.input, p.accumulator, p.output, winner.size_class);
}

// The row's id, or makes the row. Both statements take the same values.
template <typename... Values>
std::int64_t key_of(const Connection& connection, const char* select, const char* insert, const Values&... values) {
  Statement found(connection, select);
  if (found.bind(values...).step()) return found.integer(0);
  Statement(connection, insert).bind(values...).step();
  return sqlite3_last_insert_rowid(connection.handle());
}

std::int64_t device_key(const Connection& connection, const DeviceIdentity& device) {
  return key_of(
      connection,
      "SELECT id FROM device WHERE name = ?1 AND compute_major = ?2 AND compute_minor = ?3 AND multiprocessors = ?4 "
      "AND "
      "memory_bus_bits = ?5 AND memory_clock_khz = ?6 AND ecc = ?7",
      "INSERT INTO device(name, compute_major, compute_minor, multiprocessors, memory_bus_bits, memory_clock_khz, ecc) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      device.name, device.compute_major, device.compute_minor, device.multiprocessors, device.memory_bus_bits,
      device.memory_clock_khz, std::int64_t{device.ecc});
}

}  // namespace

std::string samples_to_json(std::span<const double> samples) {
  return nlohmann::json(std::vector<double>(samples.begin(), samples.end())).dump();
}

std::vector<double> samples_from_json(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_array()) throw RowError("its samples are no JSON array");
  std::vector<double> samples;
  samples.reserve(json.size());
  for (const auto& sample : json) {
    if (!sample.is_number()) throw RowError("one of its samples is no number");
    samples.push_back(sample.get<double>());
  }
  return samples;
}

std::vector<Trial> read_trials(const Connection& connection, const Filter& filter, const RowSkipped& skipped) {
  // Two texts, because "?1 IS NULL OR id = ?1" would look at every row.
  Statement row(connection,
                fmt::format("SELECT {} FROM trial {} WHERE {} AND (?2 IS NULL OR trial.size_class = ?2) AND "
                            "(?3 OR failure IS NULL) ORDER BY trial.id",
                            trial_columns, trial_joins, filter.id ? "trial.id = ?1" : "?1 IS NULL"));
  row.bind(filter.id, filter.size_class, std::int64_t{filter.failures});
  std::vector<Trial> trials;
  while (row.step()) {
    try {
      Trial trial = read_trial(row);
      if (filter.device && trial.device != *filter.device) continue;
      if (filter.problem && !same_but_for_size(trial.problem, *filter.problem)) continue;
      trials.push_back(std::move(trial));
    } catch (const RowError& error) {
      skipped(id_or_zero(row, 0), error.what());
    }
  }
  return trials;
}

std::vector<Winner> read_winners(const Connection& connection, const RowSkipped& skipped) {
  Statement row(connection, fmt::format("SELECT {}, winner.size_class, winner.device = trial.device AND winner.problem "
                                        "= trial.problem, winner.trial FROM winner LEFT JOIN trial ON trial.id = "
                                        "winner.trial {}",
                                        trial_columns, trial_joins));
  std::vector<Winner> winners;
  while (row.step()) {
    try {
      Winner winner{read_trial(row), row.small_integer(22), "user"};
      if (winner.size_class != size_class(winner.trial.problem.size)) throw RowError("its size class is another");
      if (row.integer(23) == 0) throw RowError("it is of another device or problem");
      if (const std::string reason = unfit_to_win(winner.trial); !reason.empty()) throw RowError(reason);
      winners.push_back(std::move(winner));
    } catch (const RowError& error) {
      skipped(id_or_zero(row, 24), error.what());
    }
  }
  std::sort(winners.begin(), winners.end(), [](const Winner& a, const Winner& b) { return sort_key(a) < sort_key(b); });
  return winners;
}

Trial stored_form(const Trial& trial) {
  Trial stored = trial;
  stored.id = 0;
  if (stored.measured_at.empty()) stored.measured_at = utc_now();
  for (std::string* text : {&stored.device.name, &stored.environment.driver, &stored.environment.compiler,
                            &stored.environment.generator, &stored.failure}) {
    *text = as_utf8(*text);
  }
  stored.config = config_from_json(to_json(trial.config));
  validate(stored);
  return stored;
}

TrialKeys make_keys(const Connection& connection, const Trial& trial) {
  const Problem& problem = trial.problem;
  TrialKeys keys;
  keys.device = device_key(connection, trial.device);
  keys.environment =
      key_of(connection, "SELECT id FROM environment WHERE driver = ?1 AND compiler = ?2 AND generator = ?3",
             "INSERT INTO environment(driver, compiler, generator) VALUES(?1, ?2, ?3)", trial.environment.driver,
             trial.environment.compiler, trial.environment.generator);
  keys.problem = key_of(
      connection,
      "SELECT id FROM problem WHERE algorithm = ?1 AND operator = ?2 AND input = ?3 AND accumulator = "
      "?4 AND output = ?5",
      "INSERT INTO problem(algorithm, operator, input, accumulator, output) VALUES(?1, ?2, ?3, ?4, ?5)",
      name(problem.algorithm), name(problem.op), name(problem.input), name(problem.accumulator), name(problem.output));
  keys.config = key_of(connection, "SELECT id FROM config WHERE json = ?1", "INSERT INTO config(json) VALUES(?1)",
                       to_json(trial.config));
  return keys;
}

std::int64_t insert_trial(const Connection& connection, const Trial& trial, const TrialKeys& keys) {
  Statement(
      connection,
      "INSERT INTO trial(device, environment, problem, config, size, size_class, samples_us, failure, measured_at) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, nullif(?8, ''), ?9)")
      .bind(keys.device, keys.environment, keys.problem, keys.config, static_cast<std::int64_t>(trial.problem.size),
            size_class(trial.problem.size), samples_to_json(trial.samples_us), trial.failure, trial.measured_at)
      .step();
  return sqlite3_last_insert_rowid(connection.handle());
}

std::int64_t find_trial(const Connection& connection, const Trial& trial, const TrialKeys& keys) {
  Statement found(
      connection,
      "SELECT id FROM trial WHERE device = ?1 AND environment = ?2 AND problem = ?3 AND config = ?4 AND size "
      "= ?5 AND samples_us = ?6 AND failure IS nullif(?7, '') AND measured_at = ?8");
  found.bind(keys.device, keys.environment, keys.problem, keys.config, static_cast<std::int64_t>(trial.problem.size),
             samples_to_json(trial.samples_us), trial.failure, trial.measured_at);
  return found.step() ? found.integer(0) : 0;
}

void verify_row(const Connection& connection, std::int64_t id, const Trial& trial) {
  Trial expected = trial;
  expected.id = id;
  const auto found = read_trials(connection, {.id = id}, [](std::int64_t, const std::string&) {});
  if (found.size() != 1 || found.front() != expected) connection.fail(SQLITE_CORRUPT);
}

std::optional<Trial> current_winner(const Connection& connection, std::int64_t trial_id) {
  Statement found(connection,
                  "SELECT winner.trial FROM trial JOIN winner ON winner.device = trial.device AND winner.problem = "
                  "trial.problem AND winner.size_class = trial.size_class WHERE trial.id = ?1");
  if (!found.bind(trial_id).step() || !found.is_integer(0)) return std::nullopt;
  const auto trials = read_trials(connection, {.id = found.integer(0)}, [](std::int64_t, const std::string&) {});
  if (trials.empty() || !unfit_to_win(trials.front()).empty()) return std::nullopt;
  return trials.front();
}

void put_winner(const Connection& connection, std::int64_t trial_id) {
  Statement(connection,
            "INSERT OR REPLACE INTO winner(device, problem, size_class, trial) SELECT device, problem, size_class, id "
            "FROM trial WHERE id = ?1")
      .bind(trial_id)
      .step();
}

}  // namespace upsweep::tuning_db
