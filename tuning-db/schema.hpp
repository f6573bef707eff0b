// The schema of tuning databases: creates and upgrades it, and tells a tuning database from any other file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuning-db/sqlite.hpp"

namespace upsweep::tuning_db {

// "upsw": marks the file as upsweep's, in SQLite's header and for file(1).
inline constexpr int application_id = 0x75707377;
inline constexpr int schema_version = 4;
inline constexpr int oldest_schema_version = 2;  // that is read; version 1 was never released

// SQL: the side of its size class that a trial's size is on, as a number of SizeSide. No 64-bit integer holds 2^63.
inline constexpr const char* side_of_trial =
    "CASE WHEN trial.size_class > 62 THEN -1 ELSE (trial.size > (1 << trial.size_class)) - "
    "(trial.size < (1 << trial.size_class)) END";

// Judges a file by the first 100 bytes. False: it is empty. Throws DatabaseError where it is anything but a tuning
// database of a schema version that is read.
[[nodiscard]] bool is_tuning_database(std::string_view header, const std::string& path);

// Whether nothing is in the database yet, not even tables. Takes a shared lock.
[[nodiscard]] bool is_blank(const Connection& connection);

[[nodiscard]] int stored_version(const Connection& connection);

// Makes the tables in a blank database. To be called in a write transaction.
void create_schema(const Connection& connection);

// Throws DatabaseError unless tables and indices are exactly those of the database's version: another one, or a
// trigger, may be there by damage or on purpose. Returns the version.
int verify_schema(const Connection& connection);

// Makes the tables of this version of a database of an earlier one, with all rows that it had. To be called in a write
// transaction, with foreign keys not enforced.
void migrate(const Connection& connection);

// Lets queries find the columns of this version in a database of an earlier one that is only read: views of this
// connection lie over its tables.
void view_as_current(const Connection& connection);

// Appends a line for everything that SQLite finds wrong: damaged pages, rows that refer to others that are gone.
void list_damage(const Connection& connection, std::vector<std::string>& lines);

}  // namespace upsweep::tuning_db
