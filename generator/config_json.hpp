// Configs from and to JSON that is no text.
#pragma once

#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>
#include <upsweep/config.hpp>

namespace upsweep {

// As config_from_json of the text, and a stored config names its schedule. Throw UsageError.
[[nodiscard]] Config config_from_parsed(const nlohmann::json& json);
[[nodiscard]] Config stored_config_from_json(std::string_view text);

// As to_json gives it, in an object of either kind: nlohmann::json or ordered_json.
template <typename Json>
[[nodiscard]] Json json_of(const Config& config) {
  Json json;
  json["schedule"] = config.schedule;
  for (const auto& [parameter, value] : config.values) {
    std::visit([&, &name = parameter](const auto& plain) { json[name] = plain; }, value);
  }
  return json;
}

}  // namespace upsweep
