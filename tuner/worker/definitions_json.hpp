// Definitions of users that a problem needs, as JSON for worker processes.
#pragma once

#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/problem.hpp>

#include "tuner/worker/protocol.hpp"

namespace upsweep::tuner {

// An array, types before the operators on them; empty where all is built in.
[[nodiscard]] nlohmann::json definitions_json(const Problem& problem);

// Defines all that such an array holds, in this process. Throws nlohmann::json::exception,
// ProtocolError or UsageError.
void define(const nlohmann::json& definitions);

// A number as it stands there: nlohmann-json would cut it to fit, and take true for a 1.
template <typename Integer>
Integer whole_of(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    if (const auto number = value.get<std::uint64_t>(); std::in_range<Integer>(number)) return Integer(number);
  } else if (value.is_number_integer()) {
    if (const auto number = value.get<std::int64_t>(); std::in_range<Integer>(number)) return Integer(number);
  }
  throw ProtocolError(fmt::format("found a {} instead of an integer in range", value.type_name()));
}

}  // namespace upsweep::tuner
