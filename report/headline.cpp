// The top of the page: what was measured, where, and what came of it.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "bench/axis.hpp"
#include "bench/summary.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace upsweep::report {
namespace {

using bench::escaped;

struct Standing {
  std::vector<double> factors;
  int wins = 0;

  void add(const std::optional<double>& factor) {
    if (!factor) return;
    factors.push_back(*factor);
    wins += *factor > 1 ? 1 : 0;
  }
  [[nodiscard]] std::string value() const {
    return factors.empty() ? "–" : factor_text(bench::geometric_mean(factors));
  }
};

std::string figure(const std::string& value, const std::string& what, const std::string& more) {
  return fmt::format("<div class=\"figure\"><b>{}</b><span>{}</span><small>{}</small></div>\n", value, escaped(what),
                     escaped(more));
}

std::string figures(const Facts& facts) {
  Standing over_default, over_peer;
  for (const ProblemFacts& problem : facts.problems) {
    for (const SizeFacts& size : problem.sizes) {
      over_default.add(size.over_default());
      over_peer.add(size.over_peer());
    }
  }
  const auto count = [](const Standing& standing) {
    return fmt::format("geometric mean; faster in {} of {} cases", standing.wins, standing.factors.size());
  };
  std::string out;
  if (!facts.peer.empty()) out += figure(over_peer.value(), "the speed of " + facts.peer, count(over_peer));
  out += figure(over_default.value(), "the speed of the built-in default",
                over_default.factors.empty() ? "no default measured beside a winner" : count(over_default));
  out += figure(fmt::format("{}", facts.winners.size()), facts.winners.size() == 1 ? "winner" : "winners",
                fmt::format("for {} {}", facts.problems.size(), facts.problems.size() == 1 ? "problem" : "problems"));
  int failures = 0;
  for (const auto& [verdict, number] : facts.failures) failures += number;
  out += figure(fmt::format("{}", facts.trials), facts.trials == 1 ? "trial" : "trials",
                fmt::format("{} of them without a time", failures));
  return out;
}

std::string device_text(const DeviceIdentity& device) {
  if (device.compute_major == 0) return escaped(device.name);
  return escaped(fmt::format("{}, {}, {} multiprocessors, ECC {}", device.name, architecture_of(device),
                             device.multiprocessors, device.ecc ? "on" : "off"));
}

std::string list(const std::string& term, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", term, fmt::join(items, "<br>"));
}

std::string failures(const Facts& facts) {
  std::string out;
  for (const auto& [verdict, number] : facts.failures) {
    fmt::format_to(std::back_inserter(out), "<span class=\"verdict\"><b>{}</b> {}</span> ", number,
                   words(std::string(tuning_db::name(verdict))));
  }
  return out;
}

std::string hint(const Facts& facts) {
  if (!facts.peer.empty()) return "";
  return "<p class=\"hint\">Curves of CUB and memcpy come from a bench document: <code>upsweep bench --grid -o "
         "bench.json</code>, then <code>upsweep report --bench bench.json</code>.</p>\n";
}

// ---- the matrix

using RowKey = std::pair<Algorithm, Operator>;

// Of a factor: -1 for half as fast or worse, 1 for twice as fast or better.
double heat(std::optional<double> factor) {
  return factor ? std::clamp(std::log2(*factor), -1.0, 1.0) : 0;
}

std::string factor_span(const char* basis, std::optional<double> factor) {
  const double warmth = heat(factor);
  return fmt::format("<span class=\"{} {}\" style=\"--heat:{:.2f}\">{}</span>", basis, warmth < 0 ? "slower" : "faster",
                     std::abs(warmth), factor_text(factor));
}

std::string cell(const Facts& facts, std::size_t index) {
  const ProblemFacts& problem = facts.problems[index];
  return fmt::format("<td><a href=\"#p{}\" title=\"{}\">{}{}</a></td>", index, escaped(heading(problem.problem)),
                     factor_span("of-default", problem.over_default()), factor_span("of-peer", problem.over_peer()));
}

std::string table(const Facts& facts, const DeviceIdentity& device) {
  std::map<RowKey, std::map<std::string, std::size_t>> rows;
  std::vector<std::pair<std::tuple<Type, Type, Type>, std::string>> columns;
  for (std::size_t i = 0; i < facts.problems.size(); ++i) {
    const Problem& problem = facts.problems[i].problem;
    if (facts.problems[i].device != device) continue;
    rows[{problem.algorithm, problem.op}][types_text(problem)] = i;
    columns.push_back({{problem.input, problem.accumulator, problem.output}, types_text(problem)});
  }
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  std::string out = fmt::format(
      "<div class=\"scroll\"><table class=\"matrix\"><caption>{}</caption><thead><tr><td></td>", escaped(device.name));
  for (const auto& [types, text] : columns) out += "<th scope=\"col\">" + escaped(text) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const auto& [key, cells] : rows) {
    out += fmt::format("<tr><th scope=\"row\">{} <i>{}</i></th>", words(std::string(name(key.first))),
                       words(std::string(name(key.second))));
    for (const auto& [types, text] : columns) {
      const auto at = cells.find(text);
      out += at == cells.end() ? "<td></td>" : cell(facts, at->second);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string headline(const Facts& facts) {
  std::vector<std::string> devices, environments;
  for (const DeviceIdentity& each : facts.devices) devices.push_back(device_text(each));
  for (const Environment& each : facts.environments) environments.push_back(escaped(environment_text(each)));
  std::string out = "<div class=\"figures\">\n" + figures(facts) + "</div>\n<dl class=\"facts\">\n";
  out += list(devices.size() > 1 ? "Devices" : "Device", devices);
  out += list(environments.size() > 1 ? "Environments" : "Environment", environments);
  if (!facts.first_at.empty()) {
    out += list("Measured", {escaped(date_text(facts.first_at) + " to " + date_text(facts.last_at) + " UTC")});
  }
  if (!facts.failures.empty()) out += list("Without a time", {failures(facts)});
  out += list("Database", {"<code>" + escaped(facts.database) + "</code>"});
  return out + "</dl>\n" + hint(facts);
}

std::string matrix(const Facts& facts) {
  std::string out;
  if (!facts.peer.empty()) {
    out += fmt::format(
        "<div class=\"switch\" role=\"group\" aria-label=\"compared with\">"
        "<button type=\"button\" data-basis=\"peer\" aria-pressed=\"true\">against {}</button>"
        "<button type=\"button\" data-basis=\"default\" aria-pressed=\"false\">against the default</button>"
        "</div>\n",
        escaped(facts.peer));
  }
  out += fmt::format("<div id=\"matrix\" data-basis=\"{}\">\n", facts.peer.empty() ? "default" : "peer");
  for (const DeviceIdentity& device : facts.devices) out += table(facts, device);
  return out + "</div>\n";
}

}  // namespace upsweep::report
