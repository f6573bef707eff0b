// A section for each problem: throughput, speed-up, the search, and which parameters mattered.
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "report/axis.hpp"
#include "report/chart.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace upsweep::report {
namespace {

using bench::Who;

constexpr double most_slowdown = 4;         // drawn: what is slower lies at the edge of the chart
constexpr std::size_t many_problems = 40;   // from here on the page tells less of each
constexpr std::size_t most_parameters = 4;  // shown value by value
constexpr std::ptrdiff_t most_bars = 10;

std::string at(std::uint64_t size) {
  return size_text(size) + " items";
}

// ---- throughput

Mark throughput_mark(const SizeFacts& facts, double us, const std::string& label) {
  const double value = facts.gigabytes_per_second(us);
  return {static_cast<double>(facts.size), value, at(facts.size),
          fmt::format("{}: {}, {}", label, throughput_text(value), time_text(us))};
}

// A line of what `time` gives for each size.
template <typename Time>
Series line(const ProblemFacts& facts, const char* style, const std::string& label, Time&& time) {
  Series series{style, label, {}, false, {}, 0, 0, ""};
  for (const SizeFacts& each : facts.sizes) {
    const std::optional<double> us = time(each);
    if (us && *us > 0) series.marks.push_back(throughput_mark(each, *us, label));
  }
  return series;
}

std::string label_of(const ProblemFacts& facts, Who who) {
  for (const SizeFacts& each : facts.sizes) {
    if (const auto row = each.rows.find(who); row != each.rows.end()) return row->second.label;
  }
  return "";
}

// The winners; where none is known, what the bench document has.
std::vector<Series> throughput_lines(const ProblemFacts& facts) {
  const bool tuned = std::ranges::any_of(facts.sizes, [](const SizeFacts& each) { return each.winner.has_value(); });
  const bool writes_all = is_dense(facts.problem) || is_partition(facts.problem);
  const Who limit = writes_all ? Who::memcpy : Who::plain_read;
  std::vector<Series> lines;
  lines.push_back(line(facts, "winner", tuned ? "winner" : "upsweep",
                       [&](const SizeFacts& each) { return tuned ? each.winner_us() : each.bench_us(Who::upsweep); }));
  lines.push_back(line(facts, "default", "default", [&](const SizeFacts& each) {
    return tuned ? each.default_us() : each.bench_us(Who::upsweep_default);
  }));
  for (const auto& [who, style] : {std::pair{Who::peer, "peer"}, std::pair{limit, "limit"}}) {
    lines.push_back(
        line(facts, style, label_of(facts, who), [who = who](const SizeFacts& each) { return each.bench_us(who); }));
  }
  std::erase_if(lines, [](const Series& each) { return each.marks.empty(); });
  return lines;
}

std::string legend(const std::vector<Series>& lines) {
  std::string out = "<ul class=\"legend\">";
  for (const Series& each : lines) {
    fmt::format_to(std::back_inserter(out), "<li class=\"{}\" style=\"--shade:{:.2f}\">{}</li>", each.style, each.shade,
                   escaped(each.label));
  }
  return out + "</ul>\n";
}

std::string figure(const std::string& kind, const std::string& title, const std::string& note,
                   const std::string& content) {
  return fmt::format("<figure class=\"{}\"><figcaption><b>{}</b> {}</figcaption>\n{}</figure>\n", kind, title, note,
                     content);
}

std::string throughput(const ProblemFacts& facts) {
  const std::vector<Series> lines = throughput_lines(facts);
  if (lines.empty()) return "";
  const Chart chart{"Throughput against size: " + heading(facts.problem), "items", "GB/s", true, true, 0, {}, lines};
  return figure("throughput", "Throughput", "bytes read and written per second, against size",
                svg(chart) + legend(lines));
}

// ---- speed-up

template <typename Factor>
Series factors(const ProblemFacts& facts, const char* style, const std::string& label, Factor&& factor) {
  Series series{style, label, {}, false, {}, 0, 0, ""};
  for (const SizeFacts& each : facts.sizes) {
    if (const std::optional<double> value = factor(each)) {
      series.marks.push_back({static_cast<double>(each.size), *value, at(each.size),
                              fmt::format("{} the speed of {}", factor_text(value), label)});
    }
  }
  return series;
}

std::string speedup(const ProblemFacts& facts) {
  std::vector<Series> lines;
  lines.push_back(
      factors(facts, "peer", label_of(facts, Who::peer), [](const SizeFacts& each) { return each.over_peer(); }));
  lines.push_back(factors(facts, "default", "default", [](const SizeFacts& each) { return each.over_default(); }));
  std::erase_if(lines, [](const Series& each) { return each.marks.empty(); });
  if (lines.empty()) return "";
  const Chart chart{
      "Speed-up against size: " + heading(facts.problem), "items", "times as fast as", true, false, 0.9, 1.0, lines};
  return figure("speedup", "Speed-up", "time of the other divided by the time of upsweep, both from the same session",
                svg(chart) + legend(lines));
}

// ---- the search

// "5 pruned, 1 wrong; the first: trial 7, spills 96 bytes"
std::string failures_note(const Progress& progress) {
  std::map<std::string, int> counts;
  for (const Failure& each : progress.failures) ++counts[words(std::string(tuning_db::name(each.verdict)))];
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts) parts.push_back(fmt::format("{} {}", count, verdict));
  const Failure& first = progress.failures.front();
  return fmt::format("{}: {}; the first: trial {}, {}", at(progress.size), fmt::join(parts, ", "), first.trial,
                     first.what);
}

Series search_line(const Progress& progress, double shade) {
  Series series{"search", size_text(progress.size), {}, true, {}, static_cast<double>(progress.trials),
                shade,    at(progress.size)};
  if (progress.steps.empty()) return series;
  const double best = progress.steps.back().us;
  double reached = most_slowdown;
  auto failure = progress.failures.begin();
  const auto crosses_before = [&](int trial) {
    for (; failure != progress.failures.end() && failure->trial < trial; ++failure) {
      series.crosses.push_back({static_cast<double>(failure->trial), reached, "", ""});
    }
  };
  for (const Step& step : progress.steps) {
    crosses_before(step.trial);
    reached = std::min(step.us / best, most_slowdown);
    series.marks.push_back({static_cast<double>(step.trial), reached, "",
                            fmt::format("trial {}: {}, {:.2f}×", step.trial, time_text(step.us), step.us / best)});
  }
  crosses_before(progress.trials + 1);
  if (!series.crosses.empty()) series.crosses.front().note = failures_note(progress);
  return series;
}

std::string search(const ProblemFacts& facts) {
  std::vector<Series> lines;
  int failed = 0;
  for (std::size_t i = 0; i < facts.searches.size(); ++i) {
    const double shade =
        facts.searches.size() < 2 ? 1 : static_cast<double>(i) / static_cast<double>(facts.searches.size() - 1);
    lines.push_back(search_line(facts.searches[i], shade));
    failed += facts.searches[i].failed;
  }
  std::erase_if(lines, [](const Series& each) { return each.marks.empty(); });
  if (lines.empty()) return "";
  const std::string key = legend(lines);
  for (Series& each : lines) each.label.clear();  // all lines end at 1: labels would lie on each other
  const Chart chart{
      "Progress of the search: " + heading(facts.problem), "trial", "best so far / best", false, false, 1, {}, lines};
  const std::string note = fmt::format("one line per size, {} trials{}", facts.trials,
                                       failed > 0 ? fmt::format("; × marks {} trials without a time", failed) : "");
  return figure("search", "Search", note, svg(chart) + key);
}

// ---- parameters

std::string bars(const std::vector<ParameterImportance>& all) {
  std::string out = "<ol class=\"bars\">\n";
  for (const ParameterImportance& each : all) {
    if (each.share < 0.005 || &each - all.data() >= most_bars) break;
    fmt::format_to(std::back_inserter(out), "<li style=\"--share:{:.4f}\"><span>{}</span><i></i><b>{:.0f}%</b></li>\n",
                   each.share / all.front().share, escaped(words(each.parameter)), 100 * each.share);
  }
  return out + "</ol>\n";
}

std::string values(const ParameterImportance& parameter) {
  std::vector<Range> ranges;
  for (const ValueTimes& each : parameter.values) {
    ranges.push_back({words(each.value), std::min(each.best, most_slowdown), std::min(each.median, most_slowdown),
                      fmt::format("best {:.2f}×, median {:.2f}× ({} {})", each.best, each.median, each.configs,
                                  each.configs == 1 ? "trial" : "trials")});
  }
  const std::string name = words(parameter.parameter);
  return figure("values", escaped(name), "best and median time for each value", svg_of_ranges(name, ranges));
}

std::string parameters(const ProblemFacts& facts) {
  if (facts.importance.empty()) return "";
  return figure("importance", "Importance", "share of the variation of times that each parameter explains",
                bars(facts.importance));
}

std::string parameter_values(const ProblemFacts& facts, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, facts.importance.size()); ++i) {
    if (facts.importance[i].share >= 0.02) out += values(facts.importance[i]);
  }
  return out.empty() ? "" : "<div class=\"multiples\">\n" + out + "</div>\n";
}

// Sizes with a winner, and those that only a bench document knows.
std::string sizes_text(const ProblemFacts& facts) {
  const auto tuned = std::ranges::count_if(facts.sizes, [](const SizeFacts& each) { return each.winner.has_value(); });
  const auto others = std::ssize(facts.sizes) - tuned;
  const auto sizes = [](std::ptrdiff_t count) { return fmt::format("{} {}", count, count == 1 ? "size" : "sizes"); };
  if (tuned == 0) return sizes(others) + ", not tuned";
  return sizes(tuned) + (others > 0 ? fmt::format(" tuned, {} more from the bench document", others) : "");
}

std::string summary(const ProblemFacts& facts, const std::string& device) {
  std::string out = escaped(device);
  out += " · " + sizes_text(facts);
  if (facts.trials > 0) out += fmt::format(" · {} {}", facts.trials, facts.trials == 1 ? "trial" : "trials");
  if (const auto factor = facts.over_default()) out += fmt::format(" · <b>{}</b> default", factor_text(factor));
  if (const auto factor = facts.over_peer()) {
    out += fmt::format(" · <b>{}</b> {}", factor_text(factor), escaped(label_of(facts, Who::peer)));
  }
  return out;
}

}  // namespace

std::string problems(const Facts& facts) {
  std::string out;
  for (std::size_t i = 0; i < facts.problems.size(); ++i) {
    const ProblemFacts& each = facts.problems[i];
    fmt::format_to(
        std::back_inserter(out),
        "<section class=\"problem\" id=\"p{}\"><h2>{}</h2><p class=\"summary\">{}</p>\n<div class=\"charts\">\n", i,
        escaped(heading(each.problem)), summary(each, distinct_name(each.device, facts.devices)));
    out += throughput(each) + speedup(each) + search(each) + parameters(each);
    out += "</div>\n" +
           parameter_values(each, facts.problems.size() > many_problems ? most_parameters / 2 : most_parameters) +
           "</section>\n";
  }
  return out;
}

}  // namespace upsweep::report
