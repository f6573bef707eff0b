#include "cli/space_report.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "generator/names.hpp"
#include "generator/space.hpp"

namespace upsweep::cli {
namespace {

constexpr int sampled_points = 500;

Config random_config(const ScheduleInfo& info, std::mt19937_64& random) {
  Config config{.schedule = info.name, .values = {}};
  for (const Parameter& parameter : info.parameters) {
    config.values[parameter.name] = parameter.values[random() % parameter.values.size()];
  }
  return config;
}

double valid_share(const ConfigSpace& space, const ScheduleInfo& info) {
  std::mt19937_64 random(1);  // the same text every time
  int valid = 0;
  for (int i = 0; i < sampled_points; ++i) valid += space.contains(random_config(info, random)) ? 1 : 0;
  return static_cast<double>(valid) / sampled_points;
}

// Why no config with these values is in the space, whatever the others are; empty if one is.
std::string obstacle(const Space& space, const Config& partial) {
  const std::vector<std::string> violations = space.violations(space.complete_around(partial));
  return violations.empty() ? std::string() : violations.front();
}

std::vector<RefusedValue> refused_values(const Space& space, const std::string& schedule, const Parameter& parameter) {
  std::vector<RefusedValue> refused;
  for (const ParameterValue& value : parameter.values) {
    std::string reason = obstacle(space, {.schedule = schedule, .values = {{parameter.name, value}}});
    if (!reason.empty()) refused.push_back({value, std::move(reason)});
  }
  return refused;
}

ScheduleReport report_schedule(const Space& space, ScheduleInfo info) {
  ScheduleReport report{.info = std::move(info), .obstacle = {}, .parameters = {}};
  report.obstacle = obstacle(space, {.schedule = report.info.name, .values = {}});
  report.combinations = 1;
  for (const Parameter& parameter : report.info.parameters) {
    report.combinations *= parameter.values.size();
    report.parameters.push_back(
        {.parameter = parameter, .initial = report.info.default_config.values.at(parameter.name), .refused = {}});
    if (report.obstacle.empty()) {
      report.parameters.back().refused = refused_values(space, report.info.name, parameter);
    }
  }
  if (report.obstacle.empty()) report.valid_share = valid_share(space, report.info);
  return report;
}

// ---- text

constexpr std::size_t page_width = 100;

// Lines of at most 100 characters, each indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string result, line;
  const auto end_line = [&] {
    if (!line.empty()) result += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && indent + line.size() + 1 + word.size() > page_width) end_line();
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  end_line();
  return result;
}

bool is_refused(const ParameterReport& report, const ParameterValue& value) {
  return std::any_of(report.refused.begin(), report.refused.end(),
                     [&](const RefusedValue& each) { return each.value == value; });
}

// "1, 2, 4": those that are allowed.
std::string allowed_values(const ParameterReport& report) {
  std::vector<std::string> texts;
  for (const ParameterValue& value : report.parameter.values) {
    if (!is_refused(report, value)) texts.push_back(to_string(value));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Values that break the same rule stand together.
std::string describe_refused(const ParameterReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.refused.size();) {
    const std::string rule = report.refused[i].reason.substr(0, report.refused[i].reason.find(':'));
    std::vector<std::string> values;
    const std::string reason = report.refused[i].reason;
    for (; i < report.refused.size() && report.refused[i].reason.starts_with(rule + ":"); ++i) {
      values.push_back(to_string(report.refused[i].value));
    }
    text += wrapped(fmt::format("not allowed here: {} ({})", fmt::join(values, ", "), reason), 6);
  }
  return text;
}

std::string describe(const ParameterReport& report) {
  const Parameter& parameter = report.parameter;
  std::string text = fmt::format("    {} (default {})\n", parameter.name, to_string(report.initial));
  text += wrapped(parameter.meaning, 6);
  if (parameter.value_meanings.empty()) {
    text += wrapped("values: " + allowed_values(report), 6);
  } else {
    for (std::size_t i = 0; i < parameter.values.size(); ++i) {
      if (is_refused(report, parameter.values[i])) continue;
      text += wrapped(fmt::format("{}: {}", to_string(parameter.values[i]), parameter.value_meanings[i]), 8);
    }
  }
  return text + describe_refused(report);
}

Json json_of(const ParameterValue& value) {
  return std::visit([](const auto& plain) { return Json(plain); }, value);
}

Json json_of(const ParameterReport& report) {
  const Parameter& parameter = report.parameter;
  Json json{{"name", parameter.name},
            {"meaning", parameter.meaning},
            {"default", json_of(report.initial)},
            {"values", Json::array()},
            {"refused", Json::array()}};
  for (const ParameterValue& value : parameter.values) json["values"].push_back(json_of(value));
  for (std::size_t i = 0; i < parameter.value_meanings.size(); ++i) {
    json["value_meanings"][to_string(parameter.values[i])] = parameter.value_meanings[i];
  }
  for (const RefusedValue& each : report.refused) {
    json["refused"].push_back({{"value", json_of(each.value)}, {"reason", each.reason}});
  }
  return json;
}

}  // namespace

std::vector<ScheduleReport> report_space(const ConfigSpace& space, const std::string& schedule) {
  const Space searched(space.problem(), space.limits());
  std::vector<ScheduleReport> reports;
  std::vector<std::string> known;
  for (ScheduleInfo& info : searched.describe()) {
    known.push_back(info.name);
    if (schedule.empty() || info.name == schedule) reports.push_back(report_schedule(searched, std::move(info)));
  }
  if (!reports.empty()) return reports;
  throw UsageError(unknown_name("schedule", schedule, known, fmt::format("for {}", name(space.problem().algorithm))));
}

Json json_of(const ScheduleReport& report) {
  Json json{{"name", report.info.name},
            {"meaning", report.info.meaning},
            {"source", report.info.source},
            {"available", report.obstacle.empty()}};
  if (!report.obstacle.empty()) json["reason"] = report.obstacle;
  json["default"] = json_of(report.info.default_config);
  json["combinations"] = report.combinations;
  json["valid_share"] = report.valid_share;
  json["parameters"] = Json::array();
  for (const ParameterReport& parameter : report.parameters) json["parameters"].push_back(json_of(parameter));
  json["constraints"] = Json::array();
  for (const Constraint& constraint : report.info.constraints) {
    json["constraints"].push_back({{"name", constraint.name}, {"meaning", constraint.meaning}});
  }
  return json;
}

std::string describe(const ScheduleReport& report, bool is_default) {
  const ScheduleInfo& info = report.info;
  std::string text = fmt::format("\n{}{}\n", info.name, is_default ? " (the default here)" : "");
  text += wrapped(info.meaning, 2) + wrapped("source: " + info.source, 2);
  if (!report.obstacle.empty()) return text + wrapped("not available here: " + report.obstacle, 2);
  text += fmt::format("  {} combinations of values, of which about {:.0f}% are valid here\n", report.combinations,
                      100 * report.valid_share);
  text += "  parameters\n";
  for (const ParameterReport& parameter : report.parameters) text += describe(parameter);
  text += "  constraints\n";
  for (const Constraint& constraint : info.constraints) {
    text += wrapped(fmt::format("{}: {}", constraint.name, constraint.meaning), 4);
  }
  return text;
}

}  // namespace upsweep::cli
