// The table of winners, and the same figures as JSON.
#include <algorithm>
#include <iterator>
#include <map>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "generator/device_limits.hpp"
#include "generator/problem_family.hpp"
#include "generator/short_config.hpp"
#include "report/axis.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace upsweep::report {
namespace {

using Json = nlohmann::ordered_json;

using ParameterOrder = std::map<std::string, std::size_t, std::less<>>;

// Where each parameter stands in the importance for the trial's problem.
ParameterOrder order_of(const Facts& facts, const tuning_db::Trial& trial) {
  ParameterOrder order;
  for (const ProblemFacts& each : facts.problems) {
    if (each.device != trial.device || !same_but_for_size(each.problem, trial.problem)) continue;
    for (const ParameterImportance& parameter : each.importance) order.emplace(parameter.parameter, order.size());
  }
  return order;
}

std::string chip(const std::string& name, const std::string& value) {
  return fmt::format("<i>{} <b>{}</b></i>", escaped(words(name)), escaped(words(value)));
}

constexpr std::size_t most_chips = 6;

// Names of parameters, those that matter more first.
std::vector<std::string> in_order(std::vector<std::string> names, const ParameterOrder& order) {
  const auto rank = [&](const std::string& name) {
    const auto at = order.find(name);
    return at == order.end() ? order.size() : at->second;
  };
  std::ranges::stable_sort(names, {}, rank);
  return names;
}

std::string chips_of(const Config& config, std::span<const std::string> names) {
  std::string out;
  for (const std::string& name : names) out += chip(name, to_string(config.values.find(name)->second));
  return out;
}

// The schedule and what differs from its defaults; the other parameters behind a fold. Where the defaults are not
// known, the parameters that matter most.
std::string chips(const WinnerRow& row, const ParameterOrder& order) {
  const tuning_db::Trial& trial = row.winner.trial;
  const Config& config = trial.config;
  const std::optional<DeviceLimits> limits = limits_of(trial.device);
  const auto differing = differing_parameters(config, trial.problem, limits);
  std::vector<std::string> names;
  for (const auto& [name, value] : config.values) {
    if (!differing || std::ranges::find(*differing, name) == differing->end()) names.push_back(name);
  }
  std::vector<std::string> shown = in_order(differing.value_or(std::vector<std::string>{}), order);
  std::vector<std::string> folded = in_order(std::move(names), order);
  if (!differing) {
    const auto middle = folded.begin() + static_cast<std::ptrdiff_t>(std::min(most_chips, folded.size()));
    shown.assign(folded.begin(), middle);
    folded.erase(folded.begin(), middle);
  }
  const bool is_default = differing && short_form(config, trial.problem, limits) == "default";
  std::string out = fmt::format("<i class=\"schedule\"><b>{}</b></i>", escaped(words(config.schedule)));
  if (is_default) out += "<i><b>default</b></i>";
  out += chips_of(config, shown);
  if (folded.empty()) return out;
  return out + fmt::format("<details><summary>{} more</summary>{}</details>", folded.size(), chips_of(config, folded));
}

std::optional<double> factor_of(const WinnerRow& row) {
  const double us = row.winner.trial.median_us();
  if (!row.default_trial || !(us > 0)) return std::nullopt;
  return row.default_trial->median_us() / us;
}

double throughput_of(const WinnerRow& row) {
  const double us = row.winner.trial.median_us();
  return us > 0 ? row.bytes / us / 1e3 : 0;
}

// Of a single environment tells the top of the page.
std::string environment_of(const Facts& facts, const tuning_db::Trial& trial) {
  if (facts.environments.size() < 2) return "";
  return "<small>" + escaped(environment_text(trial.environment)) + "</small>";
}

std::string html(const Facts& facts, const WinnerRow& row) {
  const tuning_db::Trial& trial = row.winner.trial;
  const std::optional<double> factor = factor_of(row);
  std::string out = fmt::format("<tr><th scope=\"row\">{}</th>", escaped(heading(trial.problem)));
  const auto number = [&](double value, const std::string& text) {
    fmt::format_to(std::back_inserter(out), "<td data-v=\"{:g}\">{}</td>", value, text);
  };
  number(static_cast<double>(trial.problem.size), size_text(trial.problem.size));
  number(trial.median_us(), time_text(trial.median_us()));
  number(throughput_of(row), fmt::format("{:.4g}", throughput_of(row)));
  number(factor.value_or(0), factor_text(factor));
  out += "<td>" + chips(row, order_of(facts, trial)) + "</td>";
  fmt::format_to(std::back_inserter(out), "<td>{}{}{}</td>", escaped(distinct_name(trial.device, facts.devices)),
                 row.winner.origin == "user" ? "" : " <i>" + escaped(row.winner.origin) + "</i>",
                 environment_of(facts, trial));
  fmt::format_to(std::back_inserter(out), "<td>{}</td></tr>\n", escaped(date_text(trial.measured_at)));
  return out;
}

// Six digits: times are not known better.
double rounded(double value) {
  return std::stod(fmt::format("{:.6g}", value));
}

Json json_of(const SizeFacts& facts) {
  Json json{{"size", facts.size}, {"bytes", static_cast<std::uint64_t>(facts.bytes)}};
  const auto set = [&](const char* name, const std::optional<double>& value) {
    if (value) json[name] = rounded(*value);
  };
  set("winner_us", facts.winner_us());
  set("default_us", facts.default_us());
  set("over_default", facts.over_default());
  set("over_peer", facts.over_peer());
  for (const auto& [who, row] : facts.rows) json["bench_us"][std::string(bench::name(who))] = rounded(row.median_us);
  return json;
}

Json json_of(const ProblemFacts& facts) {
  Json json{{"problem", to_string(facts.problem)},
            {"device", facts.device.name},
            {"multiprocessors", facts.device.multiprocessors},
            {"trials", facts.trials},
            {"failures", facts.failures},
            {"sizes", Json::array()},
            {"importance", Json::object()}};
  for (const SizeFacts& each : facts.sizes) json["sizes"].push_back(json_of(each));
  for (const ParameterImportance& each : facts.importance) json["importance"][each.parameter] = rounded(each.share);
  return json;
}

}  // namespace

std::string winners(const Facts& facts) {
  std::string out;
  for (const WinnerRow& each : facts.winners) out += html(facts, each);
  return out;
}

std::string data(const Facts& facts) {
  Json json{{"made_at", facts.made_at},
            {"trials", facts.trials},
            {"winners", facts.winners.size()},
            {"failures", Json::object()},
            {"problems", Json::array()}};
  for (const auto& [verdict, count] : facts.failures) json["failures"][std::string(tuning_db::name(verdict))] = count;
  for (const ProblemFacts& each : facts.problems) json["problems"].push_back(json_of(each));
  // A script's text ends at "</script", whatever the quotes around it.
  std::string safe;
  for (const char each : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (each == '<') {
      safe += "\\u003c";
    } else {
      safe += each;
    }
  }
  return safe;
}

}  // namespace upsweep::report
