#include "tuning-db/problem_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <upsweep/error.hpp>

#include "generator/problem_family.hpp"
#include "generator/problem_names.hpp"

namespace upsweep::tuning_db {
namespace {

// What the columns besides the key hold of such a row.
struct Columns {
  std::string algorithm;
  std::string family;  // empty if this process lacks a definition: whoever has made it fills that in when it writes
};

Columns columns_of(const ProblemNames& names) {
  Columns columns{.algorithm = names.at("algorithm"), .family = {}};
  try {
    columns.family = family_text(problem_of(names));
  } catch (const UsageError&) {
  }
  return columns;
}

// Of any text: a damaged row goes along as it stands.
Columns columns_of_text(const std::string& key) {
  try {
    return columns_of(names_of_key(key));
  } catch (const UsageError&) {
    return {};
  }
}

// Whether a row with such a family may serve a problem of that part of a family. The column only spares parsing keys:
// the problem that the key gives is judged by this program's rule. So rows with a family of another rule, or none, are
// looked at too.
constexpr const char* may_serve_by_family = "substr(family, 1, length(?1)) <> ?1 OR substr(family, 1, length(?2)) = ?2";

std::string contradiction(const Statement& row) {
  const ProblemNames names = names_of_key(row.text(1));
  const Columns expected = columns_of(names);
  const std::string algorithm = row.text(2), family = row.text(3);
  if (algorithm != expected.algorithm) {
    return fmt::format("its algorithm is '{}', but that of its key is '{}'", algorithm, expected.algorithm);
  }
  const bool is_of_this_rule = family.starts_with(family_rule) && !expected.family.empty();
  if (is_of_this_rule && family != expected.family) {
    return fmt::format("its family is '{}', but that of its key is '{}'", family, expected.family);
  }
  return {};
}

}  // namespace

Problem read_problem(const Statement& row, int column, std::int64_t size) {
  if (size < 0) throw RowError("its size is negative");
  const ProblemNames names = [&] {
    try {
      return names_of_key(row.text(column));
    } catch (const UsageError& error) {
      throw RowError(error.what());
    }
  }();
  try {
    Problem problem = problem_of(names);
    problem.size = static_cast<std::uint64_t>(size);
    return problem;
  } catch (const UsageError& error) {
    if (lacks_definitions(names)) throw LacksDefinition(error.what());
    throw RowError(error.what());
  }
}

std::int64_t find_problem(const Connection& connection, const std::string& key) {
  Statement found(connection, "SELECT id FROM problem WHERE key = ?1");
  return found.bind(key).step() ? found.integer(0) : 0;
}

std::int64_t make_problem_row(const Connection& connection, const std::string& key) {
  const Columns columns = columns_of(names_of_key(key));
  if (const std::int64_t present = find_problem(connection, key); present != 0) {
    if (columns.family.empty()) return present;
    Statement(connection, "UPDATE problem SET family = ?2 WHERE id = ?1 AND family <> ?2")
        .bind(present, columns.family)
        .step();
    return present;
  }
  Statement(connection, "INSERT INTO problem(key, algorithm, family) VALUES(?1, ?2, ?3)")
      .bind(key, columns.algorithm, columns.family)
      .step();
  return sqlite3_last_insert_rowid(connection.handle());
}

void insert_problem(const Connection& connection, std::int64_t id, const std::string& key) {
  const Columns columns = columns_of_text(key);
  Statement(connection, "INSERT OR IGNORE INTO problem(id, key, algorithm, family) VALUES(?1, ?2, ?3, ?4)")
      .bind(id, key, columns.algorithm, columns.family)
      .step();
}

std::string problems_serving(const Connection& connection, const Problem& problem) {
  Statement row(connection, fmt::format("SELECT id, key FROM problem WHERE {}", may_serve_by_family));
  row.bind(family_rule, family_text(problem, Nearness::may_serve));
  std::vector<std::int64_t> ids;
  while (row.step()) {
    try {
      if (nearness(read_problem(row, 1, 0), problem) >= Nearness::may_serve) ids.push_back(row.integer(0));
    } catch (const RowError&) {  // damaged, or of other programs: its winners do not parse either
    }
  }
  return fmt::format("{}", fmt::join(ids, ","));
}

void list_contradictions(const Connection& connection, std::vector<std::string>& lines) {
  Statement row(connection, "SELECT id, key, algorithm, family FROM problem");
  while (row.step()) {
    std::string found;
    try {
      found = contradiction(row);
    } catch (const UsageError& error) {
      found = error.what();
    } catch (const RowError& error) {
      found = error.what();
    }
    if (!found.empty())
      lines.push_back(fmt::format("problem {}: {}", row.is_integer(0) ? row.integer(0) : 0, as_line(found)));
  }
}

}  // namespace upsweep::tuning_db
