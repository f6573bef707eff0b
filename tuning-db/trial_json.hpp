// A trial as a JSON object, in exchanged files.
#pragma once

#include <nlohmann/json.hpp>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

// Of exchanged files.
inline constexpr int exchange_version = 3;
inline constexpr int oldest_exchange_version = 2;  // that is read; version 1 was never released

[[nodiscard]] nlohmann::ordered_json to_json(const Trial& trial);

// Throws InputError that begins with `where` for a bad member.
[[nodiscard]] DeviceIdentity device_from_json(const nlohmann::json& json, const std::string& where);

// Throws InputError that begins with `where` for a bad member, UsageError for a name that there is not.
[[nodiscard]] Problem problem_from_json(const nlohmann::json& json, const std::string& where);

// Throws InputError that begins with `where` for a member that is missing, unknown or of the wrong kind, and for what
// `validate` refuses.
[[nodiscard]] Trial trial_from_json(const nlohmann::json& json, const std::string& where);

}  // namespace upsweep::tuning_db
