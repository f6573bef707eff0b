// The top of the page: what was measured, where, and what came of it.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/summary.hpp"
#include "report/axis.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace upsweep::report {
namespace {

using bench::Who;

struct Standing {
  std::vector<double> factors;
  int wins = 0;
  std::set<std::string> devices;  // names of those that the factors are of

  void add(const std::optional<double>& factor, const DeviceIdentity& device) {
    if (!factor) return;
    devices.insert(device.name);
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

// What is known of upsweep's speed, beside what, over all problems and sizes.
struct Known {
  Standing over_default, over_peer;
  const ProblemFacts* fastest = nullptr;  // the problem of the greatest throughput
  bool limit = false;                     // memcpy, or a plain read of a reduce
};

bool is_faster(const ProblemFacts& one, const ProblemFacts* other) {
  return one.fastest() != nullptr && (other == nullptr || one.fastest()->throughput() > other->fastest()->throughput());
}

Known known_of(const Facts& facts) {
  Known known;
  for (const ProblemFacts& problem : facts.problems) {
    if (is_faster(problem, known.fastest)) known.fastest = &problem;
    for (const SizeFacts& size : problem.sizes) {
      known.over_default.add(size.over_default(), problem.device);
      known.over_peer.add(size.over_peer(), problem.device);
      known.limit = known.limit || size.bench_us(Who::memcpy) || size.bench_us(Who::plain_read);
    }
  }
  return known;
}

std::size_t count_devices(const Facts& facts) {
  std::set<std::string> names;
  for (const DeviceIdentity& each : facts.devices) names.insert(each.name);
  return names.size();
}

std::string throughput_figure(const ProblemFacts& problem, bool name_device) {
  const SizeFacts& size = *problem.fastest();
  return figure(throughput_text(size.throughput()), "highest throughput",
                fmt::format("{}, {} items{}", heading(problem.problem), size_text(size.size),
                            name_device ? ", on " + problem.device.name : ""));
}

std::string figures(const Facts& facts, const Known& known) {
  const std::size_t devices = count_devices(facts);
  const auto count = [devices](const Standing& standing) {
    return fmt::format(
        "geometric mean; faster in {} of {} {}{}", standing.wins, standing.factors.size(),
        standing.factors.size() == 1 ? "case" : "cases",
        standing.devices.size() < devices ? fmt::format(", on {}", fmt::join(standing.devices, ", ")) : "");
  };
  std::string out;
  if (!facts.peer.empty()) out += figure(known.over_peer.value(), "the speed of " + facts.peer, count(known.over_peer));
  if (!known.over_default.factors.empty()) {
    out += figure(known.over_default.value(), "the speed of the built-in default", count(known.over_default));
  }
  if (known.fastest != nullptr) out += throughput_figure(*known.fastest, devices > 1);
  out += figure(fmt::format("{}", facts.winners.size()), facts.winners.size() == 1 ? "winner" : "winners",
                fmt::format("for {} {}", facts.problems.size(), facts.problems.size() == 1 ? "problem" : "problems"));
  if (facts.trials == 0) return out;
  int failures = 0;
  for (const auto& [verdict, number] : facts.failures) failures += number;
  out += figure(fmt::format("{}", facts.trials), facts.trials == 1 ? "trial" : "trials",
                failures == 0 ? "all were measured" : fmt::format("{} without a time", failures));
  return out;
}

std::string device_text(const DeviceIdentity& device) {
  if (device.compute_major == 0)
    return escaped(device.multiprocessors > 0
                       ? fmt::format("{}, {} multiprocessors", device.name, device.multiprocessors)
                       : device.name);
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

// CUB needs a GPU. Of a device that only a bench document knows, the architecture is not known.
bool is_gpu(const DeviceIdentity& device) {
  return device.compute_major > 0 || device.name != "host";
}

std::string paragraph(const std::string& text) {
  return "<p class=\"hint\">" + text + "</p>\n";
}

// What the page could show and does not, and how to get it.
std::string hints(const Facts& facts, const Known& known) {
  const bool has_document = std::ranges::any_of(facts.problems, [](const ProblemFacts& problem) {
    return std::ranges::any_of(problem.sizes, [](const SizeFacts& size) { return !size.rows.empty(); });
  });
  std::vector<std::string> missing;
  if (facts.peer.empty() && std::ranges::any_of(facts.devices, is_gpu)) missing.emplace_back("CUB");
  if (!known.limit) missing.emplace_back("memcpy");
  std::string out;
  if (!missing.empty() && !has_document) {
    out += paragraph(fmt::format(
        "To see the {} of {}, run <code>upsweep bench --grid -o bench.json</code>, then <code>upsweep report --bench "
        "bench.json</code>.",
        missing.size() > 1 ? "curves" : "curve", fmt::join(missing, " and ")));
  } else if (!missing.empty() && missing.front() == "CUB") {
    out += paragraph(
        "The results of <code>upsweep bench</code> have no times of CUB: build upsweep with "
        "<code>-DUPSWEEP_CUB=ON</code>, and run <code>upsweep bench</code> again.");
  }
  if (!facts.winners.empty() && known.over_default.factors.empty()) {
    out += paragraph(
        "How much faster the winners are than the built-in default is not known: shipped and exported winners come "
        "without the time of the default. <code>upsweep tune</code> measures both.");
  }
  return out;
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

// The greatest throughput, without its unit.
std::string throughput_span(const ProblemFacts& problem) {
  const SizeFacts* const fastest = problem.fastest();
  if (fastest == nullptr) return "<span class=\"of-throughput\">–</span>";
  return fmt::format("<span class=\"of-throughput\" title=\"{} items\">{}</span>", size_text(fastest->size),
                     rate_text(fastest->throughput()));
}

std::string cell(const Facts& facts, std::size_t index) {
  const ProblemFacts& problem = facts.problems[index];
  return fmt::format("<td><a href=\"#p{}\" title=\"{}\">{}{}{}</a></td>", index, escaped(heading(problem.problem)),
                     factor_span("of-default", problem.over_default()), factor_span("of-peer", problem.over_peer()),
                     throughput_span(problem));
}

std::string table(const Facts& facts, const DeviceIdentity& device) {
  std::map<RowKey, std::map<std::string, std::size_t>> rows;
  std::vector<std::pair<std::vector<Type>, std::string>> columns;
  for (std::size_t i = 0; i < facts.problems.size(); ++i) {
    const Problem& problem = facts.problems[i].problem;
    if (facts.problems[i].device != device) continue;
    rows[{problem.algorithm, problem.op}][types_text(problem)] = i;
    columns.push_back({types_of(problem), types_text(problem)});
  }
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  std::string out =
      fmt::format("<div class=\"scroll\"><table class=\"matrix\"><caption>{}</caption><thead><tr><td></td>",
                  escaped(distinct_name(device, facts.devices)));
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
  const Known known = known_of(facts);
  std::vector<std::string> devices, environments;
  for (const DeviceIdentity& each : facts.devices) devices.push_back(device_text(each));
  for (const Environment& each : facts.environments) environments.push_back(escaped(environment_text(each)));
  std::string out = "<div class=\"figures\">\n" + figures(facts, known) + "</div>\n<dl class=\"facts\">\n";
  out += list(devices.size() > 1 ? "Devices" : "Device", devices);
  out += list(environments.size() > 1 ? "Environments" : "Environment", environments);
  if (!facts.first_at.empty()) {
    out += list("Measured", {escaped(date_text(facts.first_at) + " to " + date_text(facts.last_at) + " UTC")});
  }
  if (!facts.failures.empty()) out += list("Trials without a time", {failures(facts)});
  std::vector<std::string> sources;
  if (!facts.database.empty()) sources.push_back("<code>" + escaped(facts.database) + "</code>");
  const auto is_shipped = [](const WinnerRow& row) { return row.winner.origin == "shipped"; };
  if (std::ranges::any_of(facts.winners, is_shipped)) sources.emplace_back("results shipped with upsweep");
  out += list("Database", sources);
  return out + "</dl>\n" + hints(facts, known);
}

std::string matrix(const Facts& facts) {
  const bool has_default = std::ranges::any_of(
      facts.problems, [](const ProblemFacts& problem) { return problem.over_default().has_value(); });
  std::vector<std::pair<std::string, std::string>> bases;  // what can be shown, and the button's text
  if (!facts.peer.empty()) bases.emplace_back("peer", "against " + facts.peer);
  if (has_default) bases.emplace_back("default", "against the default");
  bases.emplace_back("throughput", "GB/s, the highest of all sizes");
  std::string buttons;
  for (const auto& [basis, text] : bases) {
    buttons += fmt::format("<button type=\"button\" data-basis=\"{}\" aria-pressed=\"{}\">{}</button>", basis,
                           basis == bases.front().first, escaped(text));
  }
  std::string out =
      fmt::format("<div class=\"switch\" role=\"group\" aria-label=\"what the table shows\">{}</div>\n", buttons);
  if (bases.size() == 1) out = fmt::format("<p class=\"lead\">{}</p>\n", escaped(bases.front().second));
  out += fmt::format("<div id=\"matrix\" data-basis=\"{}\">\n", bases.front().first);
  for (const DeviceIdentity& device : facts.devices) out += table(facts, device);
  return out + "</div>\n";
}

}  // namespace upsweep::report
