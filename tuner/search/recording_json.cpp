// Recordings as text.

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/json_text.hpp"
#include "generator/stored_config.hpp"
#include "tuner/search/recording.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::tuner {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* format_name = "upsweep recorded space";
constexpr int version = 1;

[[noreturn]] void refuse(const std::string& what) {
  throw InputError("recorded space: " + what);
}

json parsed(std::string_view text) {
  try {
    return base::parse_json<json>(text);
  } catch (const base::BadJson& error) {
    refuse(fmt::format("the text is not valid JSON ({}): the file is truncated or damaged", error.what()));
  }
}

const json& member(const json& object, const char* name, const std::string& where) {
  if (!object.is_object()) refuse(where + " is not a JSON object");
  const auto at = object.find(name);
  if (at == object.end()) refuse(fmt::format("{} has no member '{}'", where, name));
  return *at;
}

const json& array(const json& object, const char* name, const std::string& where) {
  const json& found = member(object, name, where);
  if (!found.is_array()) refuse(fmt::format("{}: '{}' must be an array", where, name));
  return found;
}

std::string text(const json& object, const char* name, const std::string& where) {
  const json& found = member(object, name, where);
  if (!found.is_string()) refuse(fmt::format("{}: '{}' must be a text", where, name));
  return found.get<std::string>();
}

Recording::Values values_from(const json& object, const std::string& schedule) {
  Recording::Values values{.parameter = text(object, "name", "a parameter of " + schedule), .values = {}};
  const std::string where = schedule + "." + values.parameter;
  for (const json& value : array(object, "values", where)) {
    ParameterValue& own = values.values.emplace_back();
    if (value.is_string()) {
      const Config named{.schedule = schedule, .values = {{values.parameter, value.get<std::string>()}}};
      own = with_present_names(named).values.begin()->second;
    } else if (value.is_number_integer()) {
      own = value.get<std::int64_t>();
    } else {
      refuse(where + ": values must be whole numbers or names");
    }
    if (own.index() != values.values.front().index()) refuse(where + ": numbers and names are mixed");
  }
  if (values.values.empty()) refuse(where + " has no value");
  return values;
}

// Number of points of the schedules.
std::uint64_t points_of(const Recording& recording) {
  // Indices beyond it would not be exact in every JSON reader, and no space is near it.
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  std::uint64_t all = 0;
  for (const Recording::ScheduleValues& schedule : recording.schedules) {
    std::uint64_t points = 1;
    for (const Recording::Values& values : schedule.parameters) {
      if (points > most / values.values.size()) refuse(schedule.name + " has more than 2^53 points");
      points *= values.values.size();
    }
    all += points;
  }
  return all;
}

const json& pair(const json& row, const char* list, std::size_t number) {
  if (!row.is_array() || row.size() != 2 || !row[0].is_number_unsigned()) {
    refuse(fmt::format("{}[{}] must be [index, {}]", list, number,
                       std::string_view(list) == "measured" ? "microseconds" : "\"verdict\""));
  }
  return row;
}

// Indices must lie in the space, ascend, and so be there once.
void check_index(std::uint64_t index, std::uint64_t points, const std::uint64_t* last, const char* list,
                 std::size_t number) {
  if (index >= points) {
    refuse(fmt::format("{}[{}]: index {} is beyond the space of {} points", list, number, index, points));
  }
  if (last != nullptr && index <= *last) {
    refuse(fmt::format("{}[{}]: index {} does not come after {}", list, number, index, *last));
  }
}

void read_rows(Recording& recording, const json& document) {
  const std::uint64_t points = points_of(recording);
  for (const json& row : array(document, "measured", "the document")) {
    const std::size_t number = recording.measured.size();
    const auto index = pair(row, "measured", number)[0].get<std::uint64_t>();
    check_index(index, points, number > 0 ? &recording.measured.back().index : nullptr, "measured", number);
    if (!row[1].is_number() || row[1].get<double>() <= 0) {
      refuse(fmt::format("measured[{}]: microseconds must be a number above 0", number));
    }
    recording.measured.push_back({index, row[1].get<double>()});
  }
  for (const json& row : array(document, "failed", "the document")) {
    const std::size_t number = recording.failed.size();
    const auto index = pair(row, "failed", number)[0].get<std::uint64_t>();
    check_index(index, points, number > 0 ? &recording.failed.back().index : nullptr, "failed", number);
    if (!row[1].is_string()) refuse(fmt::format("failed[{}]: the verdict must be a text", number));
    try {
      recording.failed.push_back({index, tuning_db::parse_verdict(row[1].get<std::string>())});
    } catch (const UsageError& error) {
      refuse(fmt::format("failed[{}]: {}", number, error.what()));
    }
  }
  for (auto measured = recording.measured.begin(); const Recording::Failed& failed : recording.failed) {
    while (measured != recording.measured.end() && measured->index < failed.index) ++measured;
    if (measured == recording.measured.end() || measured->index != failed.index) continue;
    refuse(fmt::format("index {} is both in 'measured' and in 'failed'", failed.index));
  }
}

}  // namespace

std::string write_recording(const Recording& recording) {
  ordered_json document{{"format", format_name},
                        {"version", version},
                        {"default", tuning_db::to_json(recording.default_trial)},
                        {"noise", recording.noise}};
  document["schedules"] = json::array();
  for (const Recording::ScheduleValues& schedule : recording.schedules) {
    ordered_json parameters = json::array();
    for (const Recording::Values& values : schedule.parameters) {
      ordered_json list = json::array();
      for (const ParameterValue& value : values.values) {
        std::visit([&list](const auto& plain) { list.push_back(plain); }, value);
      }
      parameters.push_back({{"name", values.parameter}, {"values", std::move(list)}});
    }
    document["schedules"].push_back({{"name", schedule.name}, {"parameters", std::move(parameters)}});
  }
  ordered_json &measured = document["measured"] = json::array(), &failed = document["failed"] = json::array();
  for (const Recording::Measured& row : recording.measured) measured.push_back({row.index, row.us});
  for (const Recording::Failed& row : recording.failed) {
    failed.push_back({row.index, std::string(tuning_db::name(row.verdict))});
  }
  return document.dump() + "\n";
}

Recording read_recording(std::string_view text_of_it) {
  const json document = parsed(text_of_it);
  if (text(document, "format", "the document") != format_name)
    refuse("the file is not a recorded space: 'format' has another value");
  const json& its_version = member(document, "version", "the document");
  if (its_version != version) {
    refuse(fmt::format("the file has version {}, but this upsweep reads version {}", its_version.dump(), version));
  }
  Recording recording;
  recording.default_trial = tuning_db::trial_from_json(member(document, "default", "the document"), "recorded space");
  const json& noise = member(document, "noise", "the document");
  if (!noise.is_number() || noise.get<double>() < 0 || noise.get<double>() >= 1) {
    refuse("'noise' must be at least 0 and less than 1");
  }
  recording.noise = noise.get<double>();
  for (const json& schedule : array(document, "schedules", "the document")) {
    Recording::ScheduleValues& own = recording.schedules.emplace_back();
    own.name = with_present_names({.schedule = text(schedule, "name", "a schedule"), .values = {}}).schedule;
    for (const json& parameter : array(schedule, "parameters", own.name)) {
      own.parameters.push_back(values_from(parameter, own.name));
    }
  }
  read_rows(recording, document);
  return recording;
}

}  // namespace upsweep::tuner
