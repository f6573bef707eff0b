// What a problem uses and is not built in, as JSON: a worker process computes with it too.
#pragma once

#include <nlohmann/json.hpp>
#include <upsweep/problem.hpp>

namespace upsweep::tuner {

// An array, types before the operators on them; empty where all is built in.
[[nodiscard]] nlohmann::json definitions_json(const Problem& problem);

// Defines all that such an array holds, in this process. Throws nlohmann::json::exception,
// ProtocolError or UsageError.
void define(const nlohmann::json& definitions);

}  // namespace upsweep::tuner
