// Rows of the table of problems. The key of a row says which problem it is; the other columns serve queries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>

#include "tuning-db/sqlite.hpp"

namespace upsweep::tuning_db {

// A sound row of a problem of which this process lacks a definition. Other programs can read it.
struct LacksDefinition : RowError {
  using RowError::RowError;
};

// The problem with the key in that column. Throws RowError for a text that is none, or a size below 0.
[[nodiscard]] Problem read_problem(const Statement& row, int column, std::int64_t size);

// The id of its row; 0 if there is none.
[[nodiscard]] std::int64_t find_problem(const Connection& connection, const std::string& key);
// The same; it is added, or its family corrected. This and the next expect a write transaction.
[[nodiscard]] std::int64_t make_problem_row(const Connection& connection, const std::string& key);
// With that id. A key that is there already is left out: in a damaged file an index may have failed to keep it unique.
void insert_problem(const Connection& connection, std::int64_t id, const std::string& key);

// "1,2,3": of the problems whose winners may serve this one.
[[nodiscard]] std::string problems_serving(const Connection& connection, const Problem& problem);

// Appends a line for each row whose key is none, or whose algorithm or family is not that of its key.
void list_contradictions(const Connection& connection, std::vector<std::string>& lines);

}  // namespace upsweep::tuning_db
