// What a tuning database looks like inside, and telling one from any other file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuning-db/sqlite.hpp"

namespace upsweep::tuning_db {

// "upsw": marks the file as upsweep's, in SQLite's header and for file(1).
inline constexpr int application_id = 0x75707377;
inline constexpr int schema_version = 1;

// Judges a file by the first 100 bytes. False: it is empty. Throws DatabaseError where it is anything but a tuning
// database of this schema version.
[[nodiscard]] bool is_tuning_database(std::string_view header, const std::string& path);

// Whether nothing is in the database yet, not even tables. Takes a shared lock.
[[nodiscard]] bool is_blank(const Connection& connection);

// Makes the tables in a blank database. To be called in a write transaction.
void create_schema(const Connection& connection);

// Throws DatabaseError unless tables and indices are exactly those that create_schema makes: another one, or a trigger,
// may be there by damage or on purpose.
void verify_schema(const Connection& connection);

// Appends a line for everything that SQLite finds wrong: damaged pages, rows that refer to others that are gone.
void list_damage(const Connection& connection, std::vector<std::string>& lines);

}  // namespace upsweep::tuning_db
