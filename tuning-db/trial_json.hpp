// A trial as a JSON object, in exchanged files.
#pragma once

#include <nlohmann/json.hpp>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

[[nodiscard]] nlohmann::ordered_json to_json(const Trial& trial);

// Throws InputError that begins with `where` for a member that is missing, unknown or of the wrong kind, and for what
// `validate` refuses.
[[nodiscard]] Trial trial_from_json(const nlohmann::json& json, const std::string& where);

}  // namespace upsweep::tuning_db
