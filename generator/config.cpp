#include <upsweep/config.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "generator/config_json.hpp"
#include "generator/stored_config.hpp"

namespace upsweep {
namespace {

const ParameterValue& find(const Config& config, std::string_view parameter) {
  const auto at = config.values.find(parameter);
  if (at == config.values.end()) {
    throw UsageError(fmt::format("the config of schedule '{}' has no parameter {}: add it",
                                 base::clipped(config.schedule), parameter));
  }
  return at->second;
}

constexpr std::size_t longest_config = std::size_t{1} << 20;
constexpr std::size_t most_parameters = 64;  // no schedule has half as many

[[noreturn]] void refuse(std::string_view why) {
  throw UsageError(
      fmt::format(R"(a config is a JSON object such as {{"schedule":"lookback","items_per_thread":16}}; {})", why));
}

nlohmann::json parse(std::string_view text) {
  try {
    return base::parse_json<nlohmann::json>(text, longest_config);
  } catch (const base::BadJson& error) {
    refuse(fmt::format("the text is not valid JSON ({})", error.what()));
  }
}

Config read_config(const nlohmann::json& json) {
  if (!json.is_object()) refuse("the text is not a JSON object");
  if (json.size() > most_parameters) {
    refuse(fmt::format("the text has {} members, but at most {} are allowed", json.size(), most_parameters));
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
      throw UsageError(fmt::format("config parameter {} must be {}, not {}", base::clipped(parameter),
                                   parameter == "schedule" ? "a name" : "a whole number or a name",
                                   base::clipped(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))));
    }
  }
  return config;
}

}  // namespace

std::string to_string(const ParameterValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return std::get<std::string>(value);
}

std::int64_t Config::integer(std::string_view parameter) const {
  const ParameterValue& value = find(*this, parameter);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  throw UsageError(
      fmt::format("parameter {} takes a whole number, not '{}'", parameter, base::clipped(to_string(value))));
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
  return with_present_names(read_config(parse(text)));
}

Config stored_config_from_json(std::string_view text) {
  return config_from_parsed(parse(text));
}

Config config_from_parsed(const nlohmann::json& json) {
  Config config = read_config(json);
  if (config.schedule.empty())
    throw UsageError(R"(the config has no "schedule": add one, for example "schedule":"lookback")");
  return config;
}

}  // namespace upsweep
