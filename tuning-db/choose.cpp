#include "tuning-db/choose.hpp"

#include <array>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/names.hpp"
#include "generator/schedule.hpp"
#include "generator/shape.hpp"
#include "generator/space.hpp"
#include "tuning-db/candidates.hpp"

namespace upsweep::tuning_db {
namespace {

// How many size classes away a row may be; see choose.hpp.
constexpr int trusted_with_any_schedule = 1;
constexpr int trusted_of_another_problem = 4;
// How many classes away the lengths and the number of rows may be together: what is best depends on both.
constexpr int trusted_extents = 4;
constexpr std::size_t most_considered = 8;

// None if reproducibility is asked for and no schedule's default gives it.
std::optional<Config> default_config(const Space& space, const ChoiceOptions& options) {
  const Problem& problem = space.problem();
  Config config = space.default_config();
  if (!options.reproducible || is_reproducible(problem, config)) return config;
  // Every so many tiles a block's: the same tiles in every run.
  if (config.schedule == "lookahead") config.values["order"] = "strided";
  if (space.contains(config) && is_reproducible(problem, config)) return config;
  // Schedules of few blocks are listed first, and the space would have taken them if they were any good here. A
  // schedule that does not suit the problem is slow, but better than none.
  const std::vector<const Schedule*>& schedules = space.schedules();
  for (const bool suiting : {true, false}) {
    for (auto schedule = schedules.rbegin(); schedule != schedules.rend(); ++schedule) {
      if ((*schedule)->suits(of_classes(problem)) != suiting || (*schedule)->is_baseline()) continue;
      if ((*schedule)->name() == "sequential") continue;
      config = space.complete(Config{std::string((*schedule)->name()), {}});
      if (space.contains(config) && is_reproducible(problem, config)) return config;
    }
  }
  return std::nullopt;
}

// What stands in the way of a candidate's config; empty if nothing does.
std::string obstacle(const Candidate& candidate, const Space& space, const std::optional<Config>& fallback,
                     const ChoiceOptions& options) {
  if (candidate.rung == Rung::built_in) return "values of another kind (integer, floating-point or complex)";
  const Config& config = candidate.winner->trial.config;
  if (candidate.other_balance) return "a device with another memory bandwidth per multiprocessor";
  if (candidate.size > trusted_of_another_problem && candidate.other_problem) {
    return "size too different for a result of another problem";
  }
  if (candidate.extents > trusted_extents) {
    return fmt::format("size or lengths too different for a result {}", words_of(space.problem().shape).of_parts);
  }
  if (candidate.size > trusted_with_any_schedule && (!fallback || config.schedule != fallback->schedule)) {
    return fmt::format("size too different for the schedule {}", config.schedule);
  }
  if (const auto violations = space.violations(config); !violations.empty()) {
    return "not valid here: " + violations.front();
  }
  if (candidate.size > 0 && !space.suits(config)) {
    return fmt::format("the schedule {} is not meant for this number of items", config.schedule);
  }
  if (options.reproducible && !is_reproducible(space.problem(), config)) return "not reproducible";
  return {};
}

Considered considered(const Candidate& candidate, std::string verdict) {
  const Trial& trial = candidate.winner->trial;
  return {.rung = candidate.rung,
          .device = trial.device.name,
          .problem = trial.problem,
          .config = trial.config,
          .median_us = trial.median_us(),
          .same_environment = !candidate.other_environment,
          .origin = candidate.winner->origin,
          .verdict = std::move(verdict)};
}

// What of the device decides on the default, after a semicolon; or nothing.
std::string what_of_device(const Problem& problem, const Config& config, const DeviceLimits& limits) {
  const std::string decides = find_schedule(problem, config.schedule).reason_for_defaults(limits);
  return decides.empty() ? decides : "; " + decides;
}

UsageError not_reproducible(const Problem& problem) {
  return UsageError(fmt::format(
      "no schedule computes {} reproducibly: use an integer accumulator, or a context without 'reproducible'",
      to_string(problem)));
}

std::string reason_for_default(const std::vector<Candidate>& candidates) {
  if (candidates.empty()) return "built-in default: neither this problem nor a similar one was tuned";
  if (candidates.front().rung != Rung::built_in) {
    return "built-in default: no result for this problem or a similar one fits the size and the device";
  }
  return fmt::format(
      "built-in default: neither this problem nor a similar one was tuned ({} was tuned, but its values are of another "
      "kind)",
      to_string(candidates.front().winner->trial.problem));
}

}  // namespace

std::string_view name(Rung rung) noexcept {
  constexpr std::array names{"forced", "exact", "nearest_size", "nearest_device", "type_class", "built_in"};
  return names[static_cast<std::size_t>(rung)];
}

std::span<const Rung> chosen_rungs() noexcept {
  static constexpr std::array all{Rung::exact, Rung::nearest_size, Rung::nearest_device, Rung::type_class,
                                  Rung::built_in};
  return all;
}

Rung parse_rung(std::string_view text) {
  std::vector<std::string> known;
  for (const Rung rung : chosen_rungs()) {
    known.emplace_back(name(rung));
    if (known.back() == text) return rung;
  }
  known.emplace_back("all");  // which options take
  throw UsageError(unknown_name("rung", text, known));
}

Choice choose(const Problem& problem, const DeviceIdentity& device, const DeviceLimits& limits,
              std::span<const Winner> user_then_shipped, const ChoiceOptions& options) {
  upsweep::validate(problem);
  const Space space(problem, limits);
  std::optional<Config> fallback = default_config(space, options);
  const std::vector<Candidate> candidates = ranked(problem, device, user_then_shipped, options.environment);
  Choice choice;
  const Candidate* taken = nullptr;
  for (const Candidate& candidate : candidates) {
    if (taken != nullptr) {
      if (choice.considered.size() >= most_considered) break;
      choice.considered.push_back(considered(candidate, why_behind(candidate, *taken)));
      continue;
    }
    std::string reason = obstacle(candidate, space, fallback, options);
    if (reason.empty()) taken = &candidate;
    // The taken one is always listed, if it must be in the last one's place.
    if (choice.considered.size() >= most_considered && taken != nullptr) choice.considered.pop_back();
    if (choice.considered.size() < most_considered) {
      choice.considered.push_back(considered(candidate, taken != nullptr ? "taken" : std::move(reason)));
    }
  }
  if (taken != nullptr) {
    choice.config = taken->winner->trial.config;
    choice.rung = taken->rung;
    choice.reason = reason_of(*taken, problem, options.environment);
    choice.trial = taken->winner->trial;
    return choice;
  }
  if (!fallback) throw not_reproducible(problem);
  choice.config = *std::move(fallback);
  choice.reason = reason_for_default(candidates) + what_of_device(problem, choice.config, limits);
  return choice;
}

RungChoice choose_on(Rung rung, const Problem& problem, const DeviceIdentity& device, const DeviceLimits& limits,
                     std::span<const Winner> user_then_shipped, const ChoiceOptions& options) {
  upsweep::validate(problem);
  const Space space(problem, limits);
  const std::optional<Config> fallback = default_config(space, options);
  if (rung == Rung::built_in) {
    if (!fallback) throw not_reproducible(problem);
    return {rung, fallback, "built-in default" + what_of_device(problem, *fallback, limits)};
  }
  std::string nearest;  // and why it is not used
  for (const Candidate& candidate : ranked(problem, device, user_then_shipped, options.environment)) {
    if (candidate.rung != rung) continue;
    const std::string why_not = obstacle(candidate, space, fallback, options);
    const std::string reason = reason_of(candidate, problem, options.environment);
    if (why_not.empty()) return {rung, candidate.winner->trial.config, reason};
    if (nearest.empty()) nearest = fmt::format("no result fits; the nearest ({}) is not used: {}", reason, why_not);
  }
  return {rung, std::nullopt, nearest.empty() ? "there is no result" : nearest};
}

}  // namespace upsweep::tuning_db
