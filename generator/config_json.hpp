// A config from JSON that is parsed already.
#pragma once

#include <nlohmann/json.hpp>
#include <upsweep/config.hpp>

namespace upsweep {

// As config_from_json of the text. Throws UsageError.
[[nodiscard]] Config config_from_parsed(const nlohmann::json& json);

}  // namespace upsweep
