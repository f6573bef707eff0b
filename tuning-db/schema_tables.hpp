// The tables and indices of every version of the schema.
#pragma once

#include <map>
#include <string>

namespace upsweep::tuning_db {

// The statement that makes it, by name.
using SchemaParts = std::map<std::string, std::string, std::less<>>;

// SQLite keeps these texts as they stand there, and verify_schema compares with them. Whoever changes one makes a new
// version, and `migrate` and `view_as_current` learn what to do with the one before.
[[nodiscard]] const SchemaParts& schema_parts(int version);

}  // namespace upsweep::tuning_db
