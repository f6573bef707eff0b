// A trial as a JSON object: whole, or as a line of an exchanged file, which shares devices and environments with
// others.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

// Of exchanged files.
inline constexpr int exchange_version = 4;
inline constexpr int oldest_exchange_version = 2;  // that is read; version 1 was never released

// What many trials of an exchanged file have in common: its head holds each once, and lines name them by their index.
struct SharedParts {
  std::vector<DeviceIdentity> devices;
  std::vector<Environment> environments;

  bool operator==(const SharedParts&) const = default;
};

// Of all these trials: each once, in an order that depends on them alone.
[[nodiscard]] SharedParts shared_parts_of(std::span<const Trial> winners, std::span<const Trial> others);

[[nodiscard]] nlohmann::ordered_json to_json(const DeviceIdentity& device);
[[nodiscard]] nlohmann::ordered_json to_json(const Environment& environment);
[[nodiscard]] nlohmann::ordered_json to_json(const Trial& trial);
// With indices in the place of its device and environment, which must be among the parts.
[[nodiscard]] nlohmann::ordered_json to_json(const Trial& trial, const SharedParts& parts);

// Throws InputError that begins with `where` for a bad member.
[[nodiscard]] DeviceIdentity device_from_json(const nlohmann::json& json, const std::string& where);

// Those of a file; none before version 4 of the format, in which each trial has its own. Throws InputError for a
// missing or bad one.
[[nodiscard]] std::optional<SharedParts> shared_parts_from_json(const nlohmann::json& file);

// The same of the text of an export, without reading its trials. For texts that are known to be good, as the shipped
// ones.
[[nodiscard]] std::optional<SharedParts> shared_parts_of_head(std::string_view text);

// Throws InputError that begins with `where` for a bad member, UsageError for a name that there is not.
[[nodiscard]] Problem problem_from_json(const nlohmann::json& json, const std::string& where);

// Throws InputError that begins with `where` for a member that is missing, unknown or of the wrong kind, and for what
// `validate` refuses. With parts, device and environment are indices of them; without, whole objects.
[[nodiscard]] Trial trial_from_json(const nlohmann::json& json, const std::string& where,
                                    const SharedParts* parts = nullptr);

// The entries of such an array of a file. Throws InputError if there is no such array, too.
[[nodiscard]] std::vector<Trial> trials_from_json(const nlohmann::json& file, const char* array,
                                                  const SharedParts* parts);

}  // namespace upsweep::tuning_db
