#include "report/fact_groups.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "generator/problem_family.hpp"
#include "tuner/session/final.hpp"

namespace upsweep::report {
namespace {

using bench::Who;
using tuning_db::Trial;
using tuning_db::Winner;

bool same_case(const Winner& a, const Winner& b) {
  return a.size_class == b.size_class && size_side(a.trial.problem.size) == size_side(b.trial.problem.size) &&
         a.trial.device == b.trial.device && same_but_for_size(a.trial.problem, b.trial.problem);
}

// Size classes whose power of two has a winner.
using Powers = std::set<std::pair<FactKey, int>>;

Powers powers_of(const Sources& sources) {
  Powers powers;
  for (const std::vector<Winner>* winners : {&sources.winners, &sources.shipped}) {
    for (const Winner& each : *winners) {
      if (size_side(each.trial.problem.size) != SizeSide::at) continue;
      powers.insert({{each.trial.device, of_no_size(each.trial.problem)}, each.size_class});
    }
  }
  return powers;
}

// Whether the trial is one of those that a tune makes beside a power of two.
bool is_beside(const Trial& trial, const Powers& powers) {
  const std::uint64_t size = trial.problem.size;
  if (size_side(size) == SizeSide::at ||
      !powers.contains({{trial.device, of_no_size(trial.problem)}, size_class(size)})) {
    return false;
  }
  const std::vector<std::uint64_t> sizes = tuner::typical_sizes(size_class(size), size_side(size));
  return std::ranges::find(sizes, size) != sizes.end();
}

void add_winners(FactGroups& groups, const Sources& sources, const Powers& powers) {
  const auto add = [&](const Winner& winner) {
    if (is_beside(winner.trial, powers)) return;
    groups[{winner.trial.device, of_no_size(winner.trial.problem)}].winners.push_back(&winner);
  };
  for (const Winner& each : sources.winners) add(each);
  for (const Winner& each : sources.shipped) {
    const auto has = [&](const Winner& own) { return same_case(own, each); };
    if (std::ranges::none_of(sources.winners, has)) add(each);
  }
}

// A bench document knows its device by name and, of a GPU, by the number of multiprocessors: it goes to every device of
// which that is true, or makes one.
void add_rows(FactGroups& groups, const BenchDocument& document) {
  std::vector<DeviceIdentity> devices;
  const auto is_it = [&](const DeviceIdentity& device) {
    const bool same_size = document.multiprocessors == 0 || device.multiprocessors == document.multiprocessors;
    return device.name == document.device && same_size;
  };
  for (const auto& [key, group] : groups) {
    if (is_it(key.device) && std::ranges::find(devices, key.device) == devices.end()) {
      devices.push_back(key.device);
    }
  }
  if (devices.empty()) {
    devices.emplace_back();
    devices.back().name = document.device;
    devices.back().multiprocessors = document.multiprocessors;
  }
  for (const DeviceIdentity& device : devices) {
    for (const bench::Cell& cell : document.cells) {
      std::map<Who, bench::Row>& rows = groups[{device, of_no_size(cell.problem)}].rows[cell.problem.size];
      rows.clear();
      for (const bench::Row& row : cell.rows) rows[row.who] = row;
    }
  }
}

}  // namespace

bool FactKey::operator<(const FactKey& other) const {
  return device != other.device ? device < other.device : problem < other.problem;
}

FactGroups group(const Sources& sources) {
  FactGroups groups;
  const Powers powers = powers_of(sources);
  for (const Trial& trial : sources.trials) {
    if (!is_beside(trial, powers)) groups[{trial.device, of_no_size(trial.problem)}].trials.push_back(&trial);
  }
  add_winners(groups, sources, powers);
  for (const BenchDocument& each : sources.documents) add_rows(groups, each);
  return groups;
}

}  // namespace upsweep::report
