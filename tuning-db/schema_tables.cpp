#include "tuning-db/schema_tables.hpp"

#include <array>

#include "tuning-db/schema.hpp"

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
// Up to version 3, all problems were of one form.
constexpr const char* problem_table_of_3 = R"(CREATE TABLE problem(
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

constexpr const char* trial_table = R"(CREATE TABLE trial(
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
) STRICT)";

// From version 3 on, a size class may have a winner for each of its sides.
constexpr const char* winner_table = R"(CREATE TABLE winner(
  device INTEGER NOT NULL REFERENCES device(id),
  problem INTEGER NOT NULL REFERENCES problem(id),
  size_class INTEGER NOT NULL,
  side INTEGER NOT NULL CHECK(side IN (-1, 0, 1)), -- of the class: sizes below the power of two, itself, above it
  environment INTEGER NOT NULL REFERENCES environment(id),
  trial INTEGER NOT NULL REFERENCES trial(id),
  PRIMARY KEY(device, problem, size_class, side, environment)
) STRICT, WITHOUT ROWID)";

// From version 4 on, a problem is a text. `key` alone says what it is; the other two are made from it.
constexpr const char* problem_table = R"(CREATE TABLE problem(
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE, -- canonical JSON of its names
  algorithm TEXT NOT NULL,
  family TEXT NOT NULL      -- what nearness is judged by; empty: the writer did not know its definitions
) STRICT)";

SchemaParts parts_of(int version) {
  SchemaParts parts{
      {"device", device_table},
      {"environment", environment_table},
      {"problem", problem_table_of_3},
      {"config", config_table},
      {"trial", trial_table},
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
  if (version > 2) parts.at("winner") = winner_table;
  if (version > 3) parts.at("problem") = problem_table;
  return parts;
}

}  // namespace

const SchemaParts& schema_parts(int version) {
  // Never destroyed: a context of static storage duration writes its notes at exit.
  static const auto& versions = *new const std::array{parts_of(2), parts_of(3), parts_of(4)};
  return versions.at(static_cast<std::size_t>(version - oldest_schema_version));
}

}  // namespace upsweep::tuning_db
