#include "tuning-db/schema.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <upsweep/error.hpp>

namespace upsweep::tuning_db {
namespace {

// The same in all versions.
constexpr const char* device_table = R"(CREATE TABLE device(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  compute_major INTEGER NOT NULL,
  compute_minor INTEGER NOT NULL,
  multiprocessors INTEGER NOT NULL,
  memory_bus_bits INTEGER NOT NULL,
  memory_clock_khz INTEGER NOT NULL,
  ecc INTEGER NOT NULL CHECK(ecc IN (0, 1)),
  UNIQUE(name, compute_major, compute_minor, multiprocessors, memory_bus_bits, memory_clock_khz, ecc)
) STRICT)";
constexpr const char* environment_table = R"(CREATE TABLE environment(
  id INTEGER PRIMARY KEY,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  generator TEXT NOT NULL,
  UNIQUE(driver, compiler, generator)
) STRICT)";
constexpr const char* problem_table = R"(CREATE TABLE problem(
  id INTEGER PRIMARY KEY,
  algorithm TEXT NOT NULL,
  operator TEXT NOT NULL,
  input TEXT NOT NULL,
  accumulator TEXT NOT NULL,
  output TEXT NOT NULL,
  UNIQUE(algorithm, operator, input, accumulator, output)
) STRICT)";
constexpr const char* config_table = R"(CREATE TABLE config(
  id INTEGER PRIMARY KEY,
  json TEXT NOT NULL UNIQUE
) STRICT)";
constexpr const char* config_index = "CREATE INDEX trial_by_config ON trial(config)";  // imports look for what is there

using Parts = std::map<std::string, std::string, std::less<>>;

// Never destroyed: a context of static storage duration writes its notes at exit.
const Parts& version_1() {
  static const Parts& statements = *new const Parts{
      {"device", device_table},
      {"environment", environment_table},
      {"problem", problem_table},
      {"config", config_table},
      {"trial", R"(CREATE TABLE trial(
  id INTEGER PRIMARY KEY,
  device INTEGER NOT NULL REFERENCES device(id),
  environment INTEGER NOT NULL REFERENCES environment(id),
  problem INTEGER NOT NULL REFERENCES problem(id),
  config INTEGER NOT NULL REFERENCES config(id),
  size INTEGER NOT NULL CHECK(size >= 0), -- items
  size_class INTEGER NOT NULL,            -- exponent of the nearest power of two
  samples_us TEXT NOT NULL,               -- JSON array, microseconds a call
  failure TEXT,                           -- NULL if it was measured
  measured_at TEXT NOT NULL               -- UTC, ISO 8601
) STRICT)"},
      {"trial_by_config", config_index},
      {"winner", R"(CREATE TABLE winner(
  device INTEGER NOT NULL REFERENCES device(id),
  problem INTEGER NOT NULL REFERENCES problem(id),
  size_class INTEGER NOT NULL,
  trial INTEGER NOT NULL REFERENCES trial(id),
  PRIMARY KEY(device, problem, size_class)
) STRICT, WITHOUT ROWID)"},
  };
  return statements;
}

const Parts& version_2() {
  static const Parts& statements = *new const Parts{
      {"device", device_table},
      {"environment", environment_table},
      {"problem", problem_table},
      {"config", config_table},
      {"trial", R"(CREATE TABLE trial(
  id INTEGER PRIMARY KEY,
  device INTEGER NOT NULL REFERENCES device(id),
  environment INTEGER NOT NULL REFERENCES environment(id),
  problem INTEGER NOT NULL REFERENCES problem(id),
  config INTEGER NOT NULL REFERENCES config(id),
  size INTEGER NOT NULL CHECK(size >= 0), -- items
  size_class INTEGER NOT NULL,            -- exponent of the nearest power of two
  samples_us TEXT NOT NULL,               -- JSON array, microseconds a call
  verdict TEXT NOT NULL,                  -- measured, or what stood in the way
  failure TEXT,                           -- NULL if it was measured
  stage TEXT NOT NULL,                    -- probe, race or final
  binary TEXT NOT NULL,                   -- hash of the machine code, 32 hex digits; empty: not known
  clock_mhz INTEGER NOT NULL,             -- of the multiprocessors; 0: not known
  session TEXT NOT NULL,                  -- the tune that it is of; may be empty
  measured_at TEXT NOT NULL,              -- UTC, ISO 8601
  checksum INTEGER NOT NULL               -- of what the row says, and what it refers to
) STRICT)"},
      {"trial_by_config", config_index},
      {"trial_by_problem",
       "CREATE INDEX trial_by_problem ON trial(problem, size_class)"},  // tunes look for earlier ones
      {"winner", R"(CREATE TABLE winner(
  device INTEGER NOT NULL REFERENCES device(id),
  problem INTEGER NOT NULL REFERENCES problem(id),
  size_class INTEGER NOT NULL,
  environment INTEGER NOT NULL REFERENCES environment(id),
  trial INTEGER NOT NULL REFERENCES trial(id),
  PRIMARY KEY(device, problem, size_class, environment)
) STRICT, WITHOUT ROWID)"},
      {"wanted", R"(CREATE TABLE wanted(
  device INTEGER NOT NULL REFERENCES device(id),
  problem INTEGER NOT NULL REFERENCES problem(id),
  size_class INTEGER NOT NULL,
  size INTEGER NOT NULL CHECK(size >= 0), -- items asked for last
  count INTEGER NOT NULL,                 -- how often
  first_at TEXT NOT NULL,                 -- UTC, ISO 8601
  last_at TEXT NOT NULL,
  rung TEXT NOT NULL,                     -- what was taken instead
  PRIMARY KEY(device, problem, size_class)
) STRICT, WITHOUT ROWID)"},
  };
  return statements;
}

// Version 2, but for this: a size class may have a winner for each of its sides.
constexpr const char* winner_table = R"(CREATE TABLE winner(
  device INTEGER NOT NULL REFERENCES device(id),
  problem INTEGER NOT NULL REFERENCES problem(id),
  size_class INTEGER NOT NULL,
  side INTEGER NOT NULL CHECK(side IN (-1, 0, 1)), -- of the class: sizes below the power of two, itself, above it
  environment INTEGER NOT NULL REFERENCES environment(id),
  trial INTEGER NOT NULL REFERENCES trial(id),
  PRIMARY KEY(device, problem, size_class, side, environment)
) STRICT, WITHOUT ROWID)";

const Parts& version_3() {
  static const Parts& statements = *[] {
    auto* const parts = new Parts(version_2());
    parts->find("winner")->second = winner_table;
    return parts;
  }();
  return statements;
}

// SQLite keeps these texts as they stand here, and verify_schema compares with them. Whoever changes one makes a new
// version, and `migrate` and `view_as_current` learn what to do with the one before.
const Parts& parts(int version) {
  return version == 1 ? version_1() : version == 2 ? version_2() : version_3();
}

// What version 1 did not know of its trials: it recorded failures of every kind alike.
constexpr const char* trials_of_version_1 =
    "SELECT id, device, environment, problem, config, size, size_class, samples_us, iif(failure IS NULL, 'measured', "
    "'failed') AS verdict, failure, 'probe' AS stage, '' AS binary, 0 AS clock_mhz, '' AS session, measured_at, {} AS "
    "checksum FROM {}";
// {0}: the table of trials; {1}: that of winners. In version 1, a winner whose trial is gone has no environment either,
// and could not be kept.
constexpr const char* winners_of_version_1 =
    "SELECT winner.device, winner.problem, winner.size_class, {2} AS side, trial.environment, winner.trial FROM {1} AS "
    "winner JOIN {0} AS trial ON trial.id = winner.trial";
constexpr const char* winners_of_version_2 =
    "SELECT winner.device, winner.problem, winner.size_class, coalesce({2}, 0) AS side, winner.environment, "
    "winner.trial FROM {1} AS winner LEFT JOIN {0} AS trial ON trial.id = winner.trial";

std::string_view type_of(std::string_view statement) {
  return statement.starts_with("CREATE INDEX") ? "index" : "table";
}

// A big-endian number of SQLite's header (https://www.sqlite.org/fileformat2.html, section 1.3).
std::uint32_t number_at(std::string_view header, std::size_t offset) {
  std::uint32_t value = 0;
  for (const char byte : header.substr(offset, 4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

[[noreturn]] void refuse_foreign(const std::string& path, const char* what) {
  throw DatabaseError(fmt::format(
      "{} is {}, not an upsweep tuning database, and was not changed: set UPSWEEP_DB or --db to another path", path,
      what));
}

void check_version(std::int64_t version, const std::string& path) {
  if (version >= 1 && version <= schema_version) return;
  const char* advice = version > schema_version
                           ? "use the newer upsweep that wrote it, or set UPSWEEP_DB or --db to another path"
                           : "it is damaged; move it away, then import an export of it or tune again";
  throw DatabaseError(
      fmt::format("the tuning database {} has schema version {}, but this upsweep reads schema versions 1 to {}: {}",
                  path, version, schema_version, advice));
}

std::int64_t one_number(const Connection& connection, const char* sql) {
  Statement statement(connection, sql);
  return statement.step() ? statement.integer(0) : 0;
}

[[noreturn]] void refuse_altered(const Connection& connection, const std::string& what) {
  throw DatabaseError(
      fmt::format("the tuning database {} is damaged ({}): move it away, then import an export of it "
                  "or tune again",
                  connection.path(), as_line(what)));
}

}  // namespace

bool is_tuning_database(std::string_view header, const std::string& path) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  if (header.empty()) return false;
  if (header.size() < 100 || !header.starts_with(magic)) refuse_foreign(path, "not an SQLite file");
  if (number_at(header, 68) != application_id) refuse_foreign(path, "another program's SQLite database");
  check_version(static_cast<std::int32_t>(number_at(header, 60)), path);
  if (header[18] != 1 || header[19] != 1) {
    throw DatabaseError(
        fmt::format("the tuning database {} is in a journal mode that is unsafe on network file systems: run `sqlite3 "
                    "FILE \"PRAGMA "
                    "journal_mode=DELETE\"` on it",
                    path));
  }
  return true;
}

bool is_blank(const Connection& connection) {
  return one_number(connection, "SELECT count(*) FROM sqlite_schema") == 0 &&
         one_number(connection, "PRAGMA application_id") == 0 && one_number(connection, "PRAGMA user_version") == 0;
}

int stored_version(const Connection& connection) {
  return static_cast<int>(one_number(connection, "PRAGMA user_version"));
}

void create_schema(const Connection& connection) {
  for (const auto& [name, statement] : parts(schema_version)) connection.execute(statement.c_str());
  connection.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
  connection.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
}

namespace {

// Gives the table of that name another one: the texts of the new tables must be the very ones of this version.
void put_aside(const Connection& connection, const std::string& name) {
  connection.execute(fmt::format("ALTER TABLE {0} RENAME TO old_{0}", name).c_str());
}

void create_part(const Connection& connection, const char* name) {
  connection.execute(parts(schema_version).find(name)->second.c_str());
}

void migrate_trials(const Connection& connection) {
  connection.execute("DROP INDEX trial_by_config");
  put_aside(connection, "trial");
  for (const char* name : {"trial", "trial_by_config", "trial_by_problem", "wanted"}) create_part(connection, name);
  connection.execute(("INSERT INTO trial " + fmt::format(trials_of_version_1, 0, "old_trial")).c_str());
}

}  // namespace

void migrate(const Connection& connection) {
  const bool from_1 = stored_version(connection) == 1;
  if (from_1) migrate_trials(connection);
  put_aside(connection, "winner");
  create_part(connection, "winner");
  const char* const winners = from_1 ? winners_of_version_1 : winners_of_version_2;
  connection.execute(("INSERT INTO winner " +
                      fmt::format(fmt::runtime(winners), from_1 ? "old_trial" : "trial", "old_winner", side_of_trial))
                         .c_str());
  connection.execute("DROP TABLE old_winner");
  if (from_1) connection.execute("DROP TABLE old_trial");
  connection.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
}

void view_as_current(const Connection& connection) {
  const bool is_1 = stored_version(connection) == 1;
  const auto view = [&](const char* name, const std::string& select) {
    connection.execute(fmt::format("CREATE TEMP VIEW {} AS {}", name, select).c_str());
  };
  view("winner", fmt::format(fmt::runtime(is_1 ? winners_of_version_1 : winners_of_version_2), "main.trial",
                             "main.winner", side_of_trial));
  if (!is_1) return;
  view("trial", fmt::format(trials_of_version_1, "NULL", "main.trial"));
  view("wanted",
       "SELECT 0 AS device, 0 AS problem, 0 AS size_class, 0 AS size, 0 AS count, '' AS first_at, '' AS last_at, "
       "'' AS rung WHERE 0");
}

int verify_schema(const Connection& connection) {
  const Transaction steady(connection, Transaction::Kind::read);
  if (one_number(connection, "PRAGMA application_id") != application_id) {
    refuse_foreign(connection.path(), "another program's SQLite database");
  }
  const std::int64_t version = one_number(connection, "PRAGMA user_version");
  check_version(version, connection.path());
  const Parts& expected_parts = parts(static_cast<int>(version));
  // SQLite reads zeros for what is missing of the last page.
  if (connection.file_bytes() % one_number(connection, "PRAGMA page_size") != 0) {
    refuse_altered(connection, "its last page is incomplete");
  }
  std::size_t found = 0;
  Statement statement(connection, "SELECT type, name, sql FROM main.sqlite_schema");
  while (statement.step()) {
    try {
      const std::string type = statement.text(0);
      const std::string name = statement.text(1);
      if (type == "index" && statement.is_null(2)) continue;  // SQLite's own, of a UNIQUE
      if (type == "table" && name.starts_with("sqlite_stat")) continue;
      const auto expected = expected_parts.find(name);
      if (expected == expected_parts.end()) {
        refuse_altered(connection, fmt::format("the {} '{}' is not part of its schema", type, name));
      }
      if (type != type_of(expected->second) || statement.text(2) != expected->second) {
        refuse_altered(connection, fmt::format("the definition of the {} '{}' was changed", type, name));
      }
      ++found;
    } catch (const RowError& error) {
      refuse_altered(connection, fmt::format("in its schema, {}", error.what()));
    }
  }
  if (found != expected_parts.size()) refuse_altered(connection, "a table or index is missing");
  return static_cast<int>(version);
}

void list_damage(const Connection& connection, std::vector<std::string>& lines) {
  constexpr int most = 100;
  Statement pages(connection, fmt::format("PRAGMA integrity_check({})", most));
  int found = 0;  // SQLite lists several in one row, a line each, below a line that is a heading
  while (pages.step()) {
    std::istringstream rows(pages.text(0));
    for (std::string line; std::getline(rows, line);) found += line != "ok" && !line.starts_with("***") ? 1 : 0;
  }
  if (found > 0) {
    lines.push_back(
        fmt::format("the file is damaged: SQLite finds {}{} {} in it. Export what can still be read "
                    "(`upsweep db export --trials -o FILE`), move the file away, and import the export",
                    found < most ? "" : "at least ", found, found == 1 ? "error" : "errors"));
  }
  Statement references(connection, "PRAGMA foreign_key_check");
  while (references.step()) {
    lines.push_back(fmt::format("{} {}: refers to a {} that does not exist", references.text(0),
                                references.is_integer(1) ? references.integer(1) : 0, references.text(2)));
  }
}

}  // namespace upsweep::tuning_db
