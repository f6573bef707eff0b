#include "tuning-db/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdlib>
#include <tuple>
#include <upsweep/error.hpp>
#include <vector>

#include "generator/schedule.hpp"
#include "generator/space.hpp"

namespace upsweep::tuning_db {
namespace {

// Beyond 2^4 in size a row needs the default's consent to its schedule; see choose.hpp.
constexpr int trusted_size_classes = 4;

// Operators of one class cost about the same and allow the same kernels.
enum class OperatorClass : std::uint8_t { arithmetic, extremum, carry, composition };

OperatorClass class_of(Operator op) {
  switch (op) {
    case Operator::minimum:
    case Operator::maximum:
      return OperatorClass::extremum;
    case Operator::last_nonzero:
      return OperatorClass::carry;
    case Operator::affine:
      return OperatorClass::composition;
    case Operator::plus:
    case Operator::multiplies:
    case Operator::bit_and:
    case Operator::bit_or:
    case Operator::bit_xor:
      break;
  }
  return OperatorClass::arithmetic;
}

bool same_class(const Problem& a, const Problem& b) {
  return a.algorithm == b.algorithm && class_of(a.op) == class_of(b.op) && size_of(a.input) == size_of(b.input) &&
         size_of(a.accumulator) == size_of(b.accumulator) && size_of(a.output) == size_of(b.output);
}

int kinds_that_differ(const Problem& a, const Problem& b) {
  const auto differ = [](Type x, Type y) {
    return is_floating(x) != is_floating(y) || is_complex(x) != is_complex(y) ? 1 : 0;
  };
  return differ(a.input, b.input) + differ(a.accumulator, b.accumulator) + differ(a.output, b.output);
}

bool is_host(const DeviceIdentity& device) {
  return device.compute_major == 0;
}

// |log2| of the ratio; what is not known is as far as a factor of 2.
double ratio_distance(double a, double b) {
  return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : 1.0;
}

struct DeviceDistance {
  int other = 0;  // 0: the very device
  int capability = 0;
  double size = 0;  // of the device: multiprocessors and bandwidth
  std::partial_ordering operator<=>(const DeviceDistance&) const = default;
};

DeviceDistance distance(const DeviceIdentity& a, const DeviceIdentity& b) {
  if (a == b) return {};
  const auto capability = [](const DeviceIdentity& d) { return 10 * d.compute_major + d.compute_minor; };
  const auto bandwidth = [](const DeviceIdentity& d) { return 1.0 * d.memory_bus_bits * d.memory_clock_khz; };
  return {1, std::abs(capability(a) - capability(b)),
          ratio_distance(a.multiprocessors, b.multiprocessors) + ratio_distance(bandwidth(a), bandwidth(b))};
}

struct Candidate {
  const Winner* winner = nullptr;
  Rung rung = Rung::built_in;
  DeviceDistance device;
  int size = 0;  // classes away
  bool smaller = false;
  int kinds = 0;
  bool other_operator = false;
  bool shipped = false;

  [[nodiscard]] auto key() const { return std::tie(rung, device, size, smaller, kinds, other_operator, shipped); }
};

// The rung that the winner gives, without looking at its config; built_in if none.
Rung rung_of(const Problem& problem, const DeviceIdentity& device, const Winner& winner) {
  const Trial& trial = winner.trial;
  if (is_host(trial.device) != is_host(device)) return Rung::built_in;
  if (!same_but_for_size(trial.problem, problem)) {
    return same_class(trial.problem, problem) ? Rung::type_class : Rung::built_in;
  }
  if (trial.device != device) return Rung::nearest_device;
  return winner.size_class == size_class(problem.size) ? Rung::exact : Rung::nearest_size;
}

std::vector<Candidate> ranked(const Problem& problem, const DeviceIdentity& device, std::span<const Winner> winners) {
  const int asked = size_class(problem.size);
  std::vector<Candidate> candidates;
  for (const Winner& winner : winners) {
    const Rung rung = rung_of(problem, device, winner);
    if (rung == Rung::built_in) continue;
    const Trial& trial = winner.trial;
    candidates.push_back({.winner = &winner,
                          .rung = rung,
                          .device = distance(trial.device, device),
                          .size = std::abs(winner.size_class - asked),
                          .smaller = winner.size_class < asked,
                          .kinds = kinds_that_differ(trial.problem, problem),
                          .other_operator = trial.problem.op != problem.op,
                          .shipped = winner.origin == "shipped"});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.key() < b.key(); });
  return candidates;
}

std::string reason_of(const Candidate& candidate, const Problem& problem) {
  const Trial& trial = candidate.winner->trial;
  std::string reason = candidate.shipped ? "shipped with upsweep: tuned" : "tuned";
  if (candidate.rung == Rung::type_class) {
    reason += fmt::format(" for {} (the same type widths and operator class)", to_string(trial.problem));
  }
  if (candidate.device.other == 0) {
    reason += " on this device";
  } else if (is_host(trial.device)) {
    reason += fmt::format(" on {} (another host)", trial.device.name);
  } else {
    reason += fmt::format(" on {} (compute capability {}.{}, the nearest device known)", trial.device.name,
                          trial.device.compute_major, trial.device.compute_minor);
  }
  reason += fmt::format(" for 2^{} items", candidate.winner->size_class);
  if (candidate.size != 0) reason += fmt::format(" (asked for 2^{})", size_class(problem.size));
  return reason;
}

// None if reproducibility is asked for and no schedule's default gives it.
std::optional<Config> default_config(const Space& space, const ChoiceOptions& options) {
  const Problem& problem = space.problem();
  Config config = space.default_config();
  if (!options.reproducible || is_reproducible(problem, config)) return config;
  // Every so many tiles a block's: the same tiles in every run.
  if (config.schedule == "lookahead") config.values["order"] = "strided";
  if (space.contains(config) && is_reproducible(problem, config)) return config;
  // Schedules of few blocks are listed first, and the space would have taken them if they were any good here.
  const std::vector<const Schedule*>& schedules = space.schedules();
  for (auto schedule = schedules.rbegin(); schedule != schedules.rend(); ++schedule) {
    config = space.complete(Config{std::string((*schedule)->name()), {}});
    if (space.contains(config) && is_reproducible(problem, config)) return config;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Rung rung) noexcept {
  switch (rung) {
    case Rung::forced:
      return "forced";
    case Rung::exact:
      return "exact";
    case Rung::nearest_size:
      return "nearest_size";
    case Rung::nearest_device:
      return "nearest_device";
    case Rung::type_class:
      return "type_class";
    case Rung::built_in:
      break;
  }
  return "built_in";
}

Choice choose(const Problem& problem, const DeviceIdentity& device, const DeviceLimits& limits,
              std::span<const Winner> user_then_shipped, const ChoiceOptions& options) {
  upsweep::validate(problem);
  const Space space(problem, limits);
  std::optional<Config> fallback = default_config(space, options);
  const std::vector<Candidate> candidates = ranked(problem, device, user_then_shipped);
  for (const Candidate& candidate : candidates) {
    const Config& config = candidate.winner->trial.config;
    const bool same_schedule = fallback && config.schedule == fallback->schedule;
    if (candidate.size > trusted_size_classes && !same_schedule) continue;
    if (!space.contains(config) || (options.reproducible && !is_reproducible(problem, config))) continue;
    return {config, candidate.rung, reason_of(candidate, problem), candidate.winner->trial};
  }
  if (!fallback) {
    throw UsageError(
        fmt::format("no schedule computes {} reproducibly: use an integer accumulator, or do without "
                    "reproducibility",
                    to_string(problem)));
  }
  return {*std::move(fallback), Rung::built_in,
          candidates.empty() ? "built-in default: nothing was tuned for this problem or one like it"
                             : "built-in default: no config that was tuned for problems like this one fits it",
          std::nullopt};
}

}  // namespace upsweep::tuning_db
