#include <upsweep/config.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "generator/config_json.hpp"

namespace upsweep {
namespace {

const ParameterValue& find(const Config& config, std::string_view parameter) {
  const auto at = config.values.find(parameter);
  if (at == config.values.end()) {
    throw UsageError(fmt::format("config of schedule '{}' lacks the parameter {}", config.schedule, parameter));
  }
  return at->second;
}

}  // namespace

std::string to_string(const ParameterValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return std::get<std::string>(value);
}

std::int64_t Config::integer(std::string_view parameter) const {
  const ParameterValue& value = find(*this, parameter);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  throw UsageError(fmt::format("parameter {} takes a whole number, not '{}'", parameter, to_string(value)));
}

const std::string& Config::name(std::string_view parameter) const {
  const ParameterValue& value = find(*this, parameter);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  throw UsageError(fmt::format("parameter {} takes a name, not {}", parameter, to_string(value)));
}

std::string to_json(const Config& config) {
  return json_of<nlohmann::ordered_json>(config).dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

Config config_from_json(std::string_view text) {
  return config_from_parsed(nlohmann::json::parse(text, nullptr, false));
}

Config config_from_parsed(const nlohmann::json& json) {
  if (json.is_discarded() || !json.is_object()) {
    throw UsageError(
        R"(a config is a JSON object such as {"schedule":"lookback","items_per_thread":16}; this is none)");
  }
  Config config;
  for (const auto& [parameter, value] : json.items()) {
    if (parameter == "schedule" && value.is_string()) {
      config.schedule = value.get<std::string>();
    } else if (value.is_string() && parameter != "schedule") {
      config.values.emplace(parameter, value.get<std::string>());
    } else if (value.is_number_integer() && parameter != "schedule" &&
               (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX)) {
      config.values.emplace(parameter, value.get<std::int64_t>());
    } else {
      throw UsageError(fmt::format("config parameter {} must be a whole number or a name", parameter));
    }
  }
  if (config.schedule.empty()) throw UsageError(R"(the config names no "schedule")");
  return config;
}

}  // namespace upsweep
