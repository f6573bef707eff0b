#include "tuning-db/schema.hpp"

#include <fmt/format.h>

#include <sstream>
#include <upsweep/error.hpp>
#include <utility>

#include "tuning-db/problem_rows.hpp"
#include "tuning-db/schema_tables.hpp"

namespace upsweep::tuning_db {
namespace {

// {0}: the table of trials; {1}: that of winners; {2}: the side.
constexpr const char* winners_of_version_2 =
    "SELECT winner.device, winner.problem, winner.size_class, coalesce({2}, 0) AS side, winner.environment, "
    "winner.trial FROM {1} AS winner LEFT JOIN {0} AS trial ON trial.id = winner.trial";

// Of a row of the table of problems of versions 1 to 3. Other kinds of values than texts come from damage, and give a
// key that does not parse.
constexpr const char* key_of_version_3 =
    "json_object('accumulator', CAST(accumulator AS TEXT), 'algorithm', CAST(algorithm AS TEXT), 'input', CAST(input "
    "AS TEXT), 'operator', CAST(operator AS TEXT), 'output', CAST(output AS TEXT))";

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

const char* advice_on_version(std::int64_t version) {
  if (version > schema_version) {
    return "use the newer upsweep that wrote it, or set UPSWEEP_DB or --db to another path";
  }
  if (version == 1) {
    return "it is from before the first release, and its results cannot be taken over; move it away and tune again, or "
           "set UPSWEEP_DB or --db to another path";
  }
  return "it is damaged; move it away, then import an export of it or tune again";
}

void check_version(std::int64_t version, const std::string& path) {
  if (version >= oldest_schema_version && version <= schema_version) return;
  throw DatabaseError(
      fmt::format("the tuning database {} has schema version {}, but this upsweep reads schema versions {} to {}: {}",
                  path, version, oldest_schema_version, schema_version, advice_on_version(version)));
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
  for (const auto& [name, statement] : schema_parts(schema_version)) connection.execute(statement.c_str());
  connection.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
  connection.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
}

namespace {

// The texts of the new tables must be the very ones of this version, so tables are made anew, not altered.
void create_part(const Connection& connection, const char* name) {
  connection.execute(schema_parts(schema_version).find(name)->second.c_str());
}

void migrate_winners(const Connection& connection) {
  connection.execute("ALTER TABLE winner RENAME TO old_winner");
  create_part(connection, "winner");
  connection.execute(
      ("INSERT INTO winner " + fmt::format(winners_of_version_2, "trial", "old_winner", side_of_trial)).c_str());
  connection.execute("DROP TABLE old_winner");
}

// The ids stay: trials, winners and requests refer to them. The table is not put aside, because SQLite would follow its
// new name in the texts of those tables.
void migrate_problems(const Connection& connection) {
  std::vector<std::pair<std::int64_t, std::string>> keys;
  Statement row(connection, fmt::format("SELECT id, {} FROM problem ORDER BY id", key_of_version_3));
  while (row.step()) {
    try {
      keys.emplace_back(row.integer(0), row.text(1));
    } catch (const RowError&) {
      // Its trials did not parse before; now they refer to nothing.
    }
  }
  connection.execute("DROP TABLE problem");
  create_part(connection, "problem");
  for (const auto& [id, key] : keys) insert_problem(connection, id, key);
}

}  // namespace

void migrate(const Connection& connection) {
  if (stored_version(connection) == 2) migrate_winners(connection);
  migrate_problems(connection);
  connection.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
}

void view_as_current(const Connection& connection) {
  const int version = stored_version(connection);
  const auto view = [&](const char* name, const std::string& select) {
    connection.execute(fmt::format("CREATE TEMP VIEW {} AS {}", name, select).c_str());
  };
  view("problem", fmt::format("SELECT id, {} AS key, algorithm, '' AS family FROM main.problem", key_of_version_3));
  if (version > 2) return;
  view("winner", fmt::format(winners_of_version_2, "main.trial", "main.winner", side_of_trial));
}

int verify_schema(const Connection& connection) {
  const Transaction steady(connection, Transaction::Kind::read);
  if (one_number(connection, "PRAGMA application_id") != application_id) {
    refuse_foreign(connection.path(), "another program's SQLite database");
  }
  const std::int64_t version = one_number(connection, "PRAGMA user_version");
  check_version(version, connection.path());
  const SchemaParts& expected_parts = schema_parts(static_cast<int>(version));
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
