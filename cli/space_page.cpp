// docs/config-space.md.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "cli/space_report.hpp"
#include "generator/algorithm.hpp"

namespace upsweep::cli {
namespace {

// A schedule with the parameters that it has for any problem.
struct Described {
  std::string algorithms;  // "scan", "reduce" or "difference"
  ScheduleInfo info;

  [[nodiscard]] std::string label() const { return fmt::format("`{}` ({})", info.name, algorithms); }
};

void merge(ScheduleInfo& known, const ScheduleInfo& more) {
  for (const Parameter& parameter : more.parameters) {
    const auto same = [&](const Parameter& other) { return other.name == parameter.name; };
    const auto at = std::find_if(known.parameters.begin(), known.parameters.end(), same);
    if (at == known.parameters.end()) {
      known.parameters.push_back(parameter);
      continue;
    }
    for (std::size_t i = 0; i < parameter.values.size(); ++i) {
      if (std::find(at->values.begin(), at->values.end(), parameter.values[i]) != at->values.end()) continue;
      at->values.push_back(parameter.values[i]);
      if (!parameter.value_meanings.empty()) at->value_meanings.push_back(parameter.value_meanings[i]);
    }
  }
}

// One algorithm of each emission, with all that it can apply.
std::vector<std::pair<Algorithm, Operator>> algorithms_with_operators() {
  std::vector<std::pair<Algorithm, Operator>> all;
  for (const Operator op : all_operators()) all.emplace_back(Algorithm::inclusive_scan, op);
  for (const Operator op : all_operators()) all.emplace_back(Algorithm::reduce, op);
  for (const Operator op : all_predicates()) all.emplace_back(Algorithm::select_if, op);
  for (const Operator op : all_operators()) all.emplace_back(Algorithm::adjacent_difference, op);
  for (const Operator op : all_nonassociative_operators()) all.emplace_back(Algorithm::adjacent_difference, op);
  return all;
}

// With the schedules that the problem has; nothing if the problem is not valid.
void add_described(std::vector<Described>& found, const Problem& problem) {
  try {
    validate(problem);
  } catch (const UsageError&) {
    return;
  }
  const std::string algorithms = !is_folded(problem)                                  ? "difference"
                                 : is_scanned(problem) || is_scan_along_axis(problem) ? "scan"
                                                                                      : "reduce";
  for (ScheduleInfo& info : ConfigSpace(problem, limits_of_architecture("sm_90")).describe()) {
    const auto at = std::find_if(found.begin(), found.end(), [&](const Described& each) {
      return each.algorithms == algorithms && each.info.name == info.name;
    });
    if (at == found.end()) {
      found.push_back({algorithms, std::move(info)});
    } else {
      merge(at->info, info);
    }
  }
}

// In the order of the generator: the schedules of scans and selections, then those of reduces and of differences.
std::vector<Described> all_described() {
  std::vector<Described> found;
  for (const auto& [algorithm, op] : algorithms_with_operators()) {
    for (const Type type : all_types()) {
      const Problem problem = problem_of(algorithm, op, type, std::nullopt, std::nullopt);
      add_described(found, problem);
      add_described(found, in_rows(problem, 1 << 16, 256));
      add_described(found, along_axis(problem, axis(1, 1 << 16, 256)));
      add_described(found, along_axis(problem, axis(1, 1 << 23, 2)));  // few columns
      add_described(found, in_segments(problem, 1 << 16, 1 << 24));
    }
  }
  return found;
}
template <typename Items, typename Name>
std::string listed(const Items& items, Name name) {
  std::vector<std::string> names;
  for (const auto& each : items) names.push_back(name(each));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string schedules_section(const std::vector<Described>& all) {
  std::string text = "## Schedules\n";
  for (const Described& each : all) {
    text += fmt::format("\n### {}\n\n{}\n\nSource: {}.\n\nParameters: {}.\n", each.label(), each.info.meaning,
                        each.info.source,
                        listed(each.info.parameters, [](const Parameter& p) { return fmt::format("`{}`", p.name); }));
  }
  return text;
}

// What one or several schedules say of a parameter.
struct Meaning {
  Parameter parameter;
  std::vector<std::string> schedules;
};

std::string describe(const Meaning& meaning) {
  const Parameter& parameter = meaning.parameter;
  std::string text = fmt::format("\n{}\n\nSchedules: {}.\n", parameter.meaning, fmt::join(meaning.schedules, ", "));
  if (parameter.value_meanings.empty()) {
    return text + fmt::format("Values: {}.\n", listed(parameter.values, [](const auto& v) { return to_string(v); }));
  }
  text += "\n| value | meaning |\n|---|---|\n";
  for (std::size_t i = 0; i < parameter.values.size(); ++i) {
    text += fmt::format("| `{}` | {} |\n", to_string(parameter.values[i]), parameter.value_meanings[i]);
  }
  return text;
}

std::string parameters_section(const std::vector<Described>& all) {
  std::map<std::string, std::vector<Meaning>> by_name;
  for (const Described& each : all) {
    for (const Parameter& parameter : each.info.parameters) {
      std::vector<Meaning>& meanings = by_name[parameter.name];
      const auto at = std::find_if(meanings.begin(), meanings.end(), [&](const Meaning& known) {
        return known.parameter.meaning == parameter.meaning && known.parameter.values == parameter.values;
      });
      if (at == meanings.end()) {
        meanings.push_back({parameter, {each.label()}});
      } else {
        at->schedules.push_back(each.label());
      }
    }
  }
  std::string text = "\n## Parameters\n";
  for (const auto& [name, meanings] : by_name) {
    text += fmt::format("\n### `{}`\n", name);
    for (const Meaning& meaning : meanings) text += describe(meaning);
  }
  return text;
}

// The names of the given schedules, or "all but" the names of the others if these are fewer.
std::string named(const std::vector<std::string>& schedules, const std::vector<Described>& all) {
  std::vector<std::string> others;
  for (const Described& each : all) {
    if (std::find(schedules.begin(), schedules.end(), each.label()) == schedules.end()) others.push_back(each.label());
  }
  if (others.empty()) return "all";
  return others.size() < schedules.size() ? fmt::format("all but {}", fmt::join(others, ", "))
                                          : fmt::format("{}", fmt::join(schedules, ", "));
}

std::string constraints_section(const std::vector<Described>& all) {
  std::vector<std::pair<Constraint, std::vector<std::string>>> found;
  for (const Described& each : all) {
    for (const Constraint& constraint : each.info.constraints) {
      const auto at = std::find_if(found.begin(), found.end(), [&](const auto& known) {
        return known.first.name == constraint.name && known.first.meaning == constraint.meaning;
      });
      if (at == found.end()) {
        found.push_back({constraint, {each.label()}});
      } else {
        at->second.push_back(each.label());
      }
    }
  }
  std::string text =
      "\n## Constraints\n\nThese constraints are checked before a kernel is compiled. An error message begins with the "
      "name of the constraint.\n\n"
      "| constraint | meaning | schedules |\n|---|---|---|\n";
  for (const auto& [constraint, schedules] : found) {
    text += fmt::format("| {} | {} | {} |\n", constraint.name, constraint.meaning, named(schedules, all));
  }
  return text;
}

}  // namespace

std::string space_page() {
  const std::vector<Described> all = all_described();
  return "# The config space\n\n"
         "<!-- Written by `upsweep space --markdown`. A test compares. -->\n\n"
         "A config is a schedule and one value for each parameter of the schedule. This page lists all schedules, "
         "parameters and values. `upsweep space ALGORITHM --op OP --type TYPE --size N` shows the schedules for one "
         "problem on one device, with the default values and the values that the device does not allow. `--arch sm_80` "
         "and `--for \"NVIDIA H200\"` choose another device.\n\n"
         "Wherever upsweep accepts a config, the config may be partial: in `--config`, in `UPSWEEP_FORCE_CONFIG` and "
         "in `Context::plan(problem, config)`. If the schedule is left out, the config gets the default schedule for "
         "the problem and size. If a parameter is left out, the parameter gets the default of the schedule. If the "
         "defaults are not valid together with the given values, the config becomes the nearest valid config: the one "
         "with the fewest and smallest changes of the defaults. In C++, `upsweep::ConfigSpace` "
         "(`upsweep/config_space.hpp`) gives the same information as this page and the command.\n\n"
         "This page uses the terms of CUB and of the literature:\n\n"
         "- A *tile* is the set of items that a block processes at a time.\n"
         "- The *aggregate* of a tile is the reduction of its items.\n"
         "- The *inclusive prefix* of a tile is the reduction of all items up to the last item of the tile.\n"
         "- A *descriptor* is the place in the workspace where a tile publishes its aggregate and its inclusive "
         "prefix.\n"
         "- A *ticket* is the number of the next tile. Each block draws its ticket from an atomic counter, so a tile "
         "waits only for tiles of blocks that already run.\n\n" +
         schedules_section(all) + parameters_section(all) + constraints_section(all);
}

}  // namespace upsweep::cli
