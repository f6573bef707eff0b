#include "tuning-db/candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "generator/density.hpp"
#include "generator/shape.hpp"

namespace upsweep::tuning_db {
namespace {

bool is_host(const DeviceIdentity& device) {
  return device.compute_major == 0;
}

// A device whose memory gives each multiprocessor more or less by a greater factor is no guide. In a green context of
// 64 of an H200's 132 multiprocessors (a factor of 2.05), its winner for 2^26 sums of i32 takes 1.26 times as long as
// the best config there, and the built-in default, which knows of the multiprocessors, 1.01 times.
constexpr double most_bandwidth_ratio = 1.5;

// |log2| of the ratio; what is not known is as far as a factor of 2.
double ratio_distance(double a, double b) {
  return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : 1.0;
}

// What the memory can give each multiprocessor, in GB/s; 0 if it is not known. A multiprocessor takes no more than
// that, however few there are: in green contexts of 8 and 16 of an H200's 132, a plain read gets 116 and 112 GB/s for
// each, of 4,900 GB/s that there are.
double bandwidth_each(const DeviceIdentity& device) {
  constexpr double most = 112;
  if (device.multiprocessors <= 0) return 0;
  return std::min(memory_gb_per_second(device) / device.multiprocessors, most);
}

// Of what the memory gives each multiprocessor, as far as it is known.
bool has_other_balance(const DeviceIdentity& a, const DeviceIdentity& b) {
  const double of_a = bandwidth_each(a), of_b = bandwidth_each(b);
  return of_a > 0 && of_b > 0 && std::max(of_a, of_b) > most_bandwidth_ratio * std::min(of_a, of_b);
}

DeviceDistance distance(const DeviceIdentity& a, const DeviceIdentity& b) {
  if (a == b) return {};
  const auto capability = [](const DeviceIdentity& d) { return 10 * d.compute_major + d.compute_minor; };
  return {1, std::abs(capability(a) - capability(b)),
          ratio_distance(a.multiprocessors, b.multiprocessors) + ratio_distance(bandwidth_each(a), bandwidth_each(b))};
}

// The rung that a winner so near gives, without looking at its config; built_in if none.
Rung rung_of(Nearness near, const Problem& problem, const DeviceIdentity& device, const Winner& winner) {
  if (near < Nearness::same_kinds) return Rung::built_in;
  if (near < Nearness::same_problem) return Rung::type_class;
  if (winner.trial.device != device) return Rung::nearest_device;
  return winner.size_class == size_class(problem.size) ? Rung::exact : Rung::nearest_size;
}

auto key_of(const Candidate& c) {
  return std::tie(c.rung, c.other_problem, c.device, c.density, c.row_length, c.size, c.smaller, c.other_operator,
                  c.side, c.shipped, c.other_environment);
}

bool is_nearer(const Candidate& a, const Candidate& b) {
  if (key_of(a) != key_of(b)) return key_of(a) < key_of(b);
  return is_earlier(b.winner->trial.measured_at, a.winner->trial.measured_at);  // the newest
}

// How far the winner's side of its size class is from the asked one's. Another class is known best by its power of two.
int side_distance(const Winner& winner, std::uint64_t size) {
  const SizeSide asked = winner.size_class == size_class(size) ? size_side(size) : SizeSide::at;
  return std::abs(static_cast<int>(size_side(winner.trial.problem.size)) - static_cast<int>(asked));
}

// "2^20 items", "the sizes below 2^20".
std::string items_text(const Winner& winner) {
  switch (size_side(winner.trial.problem.size)) {
    case SizeSide::below:
      return fmt::format("the sizes below 2^{}", winner.size_class);
    case SizeSide::above:
      return fmt::format("the sizes above 2^{}", winner.size_class);
    case SizeSide::at:
      break;
  }
  return fmt::format("2^{} items", winner.size_class);
}

// "; measured with another driver and compiler", or nothing.
std::string changes_since(const Environment& then, const Environment& now) {
  std::vector<std::string_view> changed;
  if (then.driver != now.driver) changed.emplace_back("driver");
  if (then.compiler != now.compiler) changed.emplace_back("compiler");
  if (then.generator != now.generator) changed.emplace_back("generator");
  return changed.empty() ? std::string() : fmt::format("; measured with another {}", fmt::join(changed, " and "));
}

}  // namespace

std::vector<Candidate> ranked(const Problem& problem, const DeviceIdentity& device, std::span<const Winner> winners,
                              const std::optional<Environment>& environment) {
  const int asked = size_class(problem.size);
  std::vector<Candidate> candidates;
  for (const Winner& winner : winners) {
    const Trial& trial = winner.trial;
    if (is_host(trial.device) != is_host(device)) continue;
    const Nearness near = nearness(trial.problem, problem);
    if (near < Nearness::may_serve) continue;
    candidates.push_back({.winner = &winner,
                          .rung = rung_of(near, problem, device, winner),
                          .other_problem = !same_but_for_hints(trial.problem, problem),
                          .device = distance(trial.device, device),
                          .other_balance = has_other_balance(trial.device, device),
                          .density = density_distance(trial.problem.density, problem.density),
                          .row_length = row_length_distance(trial.problem, problem),
                          .size = std::abs(winner.size_class - asked),
                          .extents = extent_distance(trial.problem, problem),
                          .smaller = winner.size_class < asked,
                          .side = side_distance(winner, problem.size),
                          .other_operator = trial.problem.op != problem.op,
                          .shipped = winner.origin == "shipped",
                          .other_environment = environment && trial.environment != *environment});
  }
  std::stable_sort(candidates.begin(), candidates.end(), is_nearer);
  return candidates;
}

std::string reason_of(const Candidate& candidate, const Problem& problem,
                      const std::optional<Environment>& environment) {
  const Winner& winner = *candidate.winner;
  const Trial& trial = winner.trial;
  std::string reason = candidate.shipped           ? "shipped with upsweep: tuned"
                       : winner.origin == "pinned" ? "pinned database: tuned"
                                                   : "tuned";
  if (candidate.rung == Rung::type_class) {
    const char* const what = candidate.other_problem
                                 ? "types of the same widths and kinds, an operator of the same cost"
                             : !same_shape(trial.problem, problem) ? "the same but for the lengths"
                                                                   : "the same but for the density of results";
    reason += fmt::format(" for {} ({})", to_string(trial.problem), what);
  }
  if (candidate.device.other == 0) {
    reason += " on this device";
  } else if (is_host(trial.device)) {
    reason += fmt::format(" on {} (another host)", trial.device.name);
  } else {
    reason += fmt::format(" on {} (compute capability {}.{}, {} multiprocessors, the nearest device known)",
                          trial.device.name, trial.device.compute_major, trial.device.compute_minor,
                          trial.device.multiprocessors);
  }
  reason += " for " + items_text(winner);
  if (candidate.size != 0) reason += fmt::format(" (this call: 2^{})", size_class(problem.size));
  if (environment) reason += changes_since(trial.environment, *environment);
  return reason;
}

std::string why_behind(const Candidate& candidate, const Candidate& taken) {
  if (candidate.rung == Rung::built_in) return "values of another kind (integer, floating-point or complex)";
  if (candidate.rung != taken.rung) return fmt::format("a lower rung, {}", name(candidate.rung));
  if (candidate.other_problem != taken.other_problem) return "other types or another operator";
  if (candidate.device != taken.device) return "a less similar device";
  if (candidate.density != taken.density) return "a less similar density of results";
  if (candidate.row_length != taken.row_length) return "a less similar length of the rows";
  if (candidate.size != taken.size) return "a more distant size";
  if (candidate.smaller != taken.smaller) return "the smaller of two equally distant sizes";
  if (candidate.other_operator != taken.other_operator) return "another operator";
  if (candidate.side != taken.side) return "another side of the power of two";
  if (candidate.shipped != taken.shipped) return "shipped; your own results come first";
  if (candidate.other_environment != taken.other_environment) return "measured with another driver or compiler";
  const bool older = is_earlier(candidate.winner->trial.measured_at, taken.winner->trial.measured_at);
  return older ? "an older result" : "equally good; another result came first";
}

}  // namespace upsweep::tuning_db
