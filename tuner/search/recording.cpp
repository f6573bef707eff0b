#include "tuner/search/recording.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/median.hpp"
#include "generator/device_limits.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Trial;
using tuning_db::Verdict;

DeviceLimits known_limits(const DeviceIdentity& device) {
  if (const std::optional<DeviceLimits> limits = limits_of(device)) return *limits;
  return limits_of_architecture(architecture_of(device));  // throws, and says which there are
}

Space space_of(const Trial& trial) {
  return {trial.problem, known_limits(trial.device)};
}

// Values of the space's parameters that the configs have, in the space's order.
std::vector<Recording::ScheduleValues> values_of(const SearchSpace& space,
                                                 const std::map<Config, const Trial*>& configs) {
  std::vector<Recording::ScheduleValues> found;
  for (const ScheduleParameters& schedule : space.schedules()) {
    Recording::ScheduleValues values{.name = schedule.name, .parameters = {}};
    bool used = false;
    for (const Parameter& parameter : schedule.parameters) {
      Recording::Values& left = values.parameters.emplace_back();
      left.parameter = parameter.name;
      for (const ParameterValue& value : parameter.values) {
        const bool there = std::any_of(configs.begin(), configs.end(), [&](const auto& entry) {
          return entry.first.schedule == schedule.name && entry.first.values.at(parameter.name) == value;
        });
        if (there) left.values.push_back(value);
      }
      used |= !left.values.empty();
    }
    if (used) found.push_back(std::move(values));
  }
  return found;
}

// The standard deviation of a normal distribution is 1.4826 of its median absolute deviations.
double noise_of(std::span<const Trial> trials) {
  std::vector<double> deviations;
  for (const Trial& trial : trials) {
    if (trial.verdict != Verdict::measured || trial.samples_us.size() < 3) continue;
    const double middle = trial.median_us();
    std::vector<double> distances;
    for (const double us : trial.samples_us) distances.push_back(std::fabs(us - middle) / middle);
    deviations.push_back(1.4826 * base::upper_median(std::move(distances)));
  }
  return base::upper_median(std::move(deviations));
}

// By config, in the place of the same one's earlier and worse measured ones.
std::map<Config, const Trial*> best_measured(std::span<const Trial> trials) {
  std::map<Config, const Trial*> found;
  const auto quality = [](const Trial& trial) {
    if (trial.verdict != Verdict::measured) return 0;
    return trial.stage == tuning_db::Stage::final ? 1 : 2 + static_cast<int>(trial.stage);  // launched, not replayed
  };
  for (const Trial& trial : trials) {
    const Trial*& kept = found[trial.config];
    if (kept == nullptr || quality(trial) >= quality(*kept)) kept = &trial;
  }
  return found;
}

void check_trials(std::span<const Trial> trials, const GeneratedSpace& space) {
  for (const Trial& trial : trials) {
    if (trial.problem != trials.front().problem || trial.device != trials.front().device ||
        trial.environment != trials.front().environment) {
      throw UsageError(
          "a recording needs trials of one problem, size, device and environment: leave out the other trials");
    }
    if (!space.contains(trial.config)) {
      throw UsageError("a recorded config is no longer valid: " + to_json(trial.config));
    }
  }
}

std::vector<ScheduleParameters> schedules_of(const Recording& recording, const Space& space) {
  std::vector<ScheduleParameters> found;
  for (const Recording::ScheduleValues& schedule : recording.schedules) {
    ScheduleParameters& own = found.emplace_back();
    own.name = schedule.name;
    own.suits = space.suits({.schedule = schedule.name, .values = {}});
    for (const Recording::Values& values : schedule.parameters) {
      own.parameters.push_back({.name = values.parameter, .meaning = {}, .values = values.values});
    }
  }
  return found;
}

// Numbers the points of what was recorded.
class Numbers final : public SearchSpace {
 public:
  Numbers(const Recording& recording, const Space& space) : SearchSpace(schedules_of(recording, space)) {}
  using SearchSpace::contains;
  [[nodiscard]] bool contains(std::uint64_t) const override { return true; }
  [[nodiscard]] Config default_config() const override { return {}; }
  [[nodiscard]] std::vector<Config> seed_configs() const override { return {}; }
};

}  // namespace

Recording record(std::span<const Trial> trials) {
  if (trials.empty()) throw UsageError("there are no trials to record");
  const Trial& any = trials.front();
  const GeneratedSpace space(any.problem, known_limits(any.device));
  check_trials(trials, space);
  const std::map<Config, const Trial*> configs = best_measured(trials);
  for (const Config& config : space.seed_configs()) {
    if (configs.contains(config)) continue;
    throw UsageError("the recording lacks the default config or a seed config; measure this config and record again: " +
                     to_json(config));
  }
  Recording recording;
  recording.default_trial = *configs.at(space.default_config());
  recording.default_trial.id = 0;
  recording.noise = noise_of(trials);
  recording.schedules = values_of(space, configs);

  const Numbers numbers(recording, space.space());
  for (const auto& [config, trial] : configs) {
    const std::uint64_t index = numbers.index_of(config).value();
    if (trial->verdict == Verdict::measured) {
      recording.measured.push_back({index, trial->median_us()});
    } else {
      recording.failed.push_back({index, trial->verdict});
    }
  }
  const auto by_index = [](const auto& a, const auto& b) { return a.index < b.index; };
  std::sort(recording.measured.begin(), recording.measured.end(), by_index);
  std::sort(recording.failed.begin(), recording.failed.end(), by_index);
  return recording;
}

// A schedule or a device that the library does not know makes the recording bad input.
RecordedSpace::RecordedSpace(const Recording& recording) try
    : RecordedSpace(recording, space_of(recording.default_trial)) {
} catch (const UsageError& error) {
  throw InputError(fmt::format("recorded space: {}", error.what()));
}

RecordedSpace::RecordedSpace(const Recording& recording, const Space& space)
    : SearchSpace(schedules_of(recording, space)),
      default_(space.default_config()),
      optimum_us_(std::numeric_limits<double>::infinity()) {
  for (const Recording::Measured& measured : recording.measured) {
    times_.emplace(measured.index, measured.us);
    if (suits(measured.index)) optimum_us_ = std::min(optimum_us_, measured.us);
  }
  for (const Recording::Failed& failed : recording.failed) {
    times_.emplace(failed.index, std::numeric_limits<double>::quiet_NaN());
  }
  for (const auto& [index, us] : times_) {
    if (suits(index)) indices_.push_back(index);
  }
  std::sort(indices_.begin(), indices_.end());
  if (!SearchSpace::contains(default_) || !time(default_)) {
    throw InputError("the recording of " + to_string(space.problem()) +
                     " has no time for the current default config, so record the space again; the default config is " +
                     to_json(default_));
  }
  seed_configs_ = space.seed_configs();
  std::erase_if(seed_configs_, [&](const Config& config) { return !SearchSpace::contains(config); });
}

std::optional<std::uint64_t> RecordedSpace::sample(std::mt19937_64& random) const {
  return indices_[random() % indices_.size()];
}

std::optional<std::uint64_t> RecordedSpace::sample(std::mt19937_64& random, std::size_t schedule) const {
  const auto first = std::lower_bound(indices_.begin(), indices_.end(), first_point(schedule));
  const auto end = std::lower_bound(first, indices_.end(), end_point(schedule));
  if (first == end) return std::nullopt;
  return first[static_cast<std::ptrdiff_t>(random() % static_cast<std::uint64_t>(end - first))];
}

std::vector<std::uint64_t> RecordedSpace::neighbours(std::uint64_t index) const {
  const Coordinates own = coordinates(index);
  const std::vector<Parameter>& parameters = schedules()[own.schedule].parameters;
  std::vector<std::uint64_t> found;
  std::uint64_t stride = 1;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto at = [&](std::size_t value) { return index + (value - own.values[i]) * stride; };  // wraps where less
    const std::size_t values = parameters[i].values.size();
    const bool one_step = is_ordered(parameters[i]);
    for (std::size_t value = own.values[i]; value-- > 0;) {
      if (!contains(at(value))) continue;
      found.push_back(at(value));
      if (one_step) break;
    }
    for (std::size_t value = own.values[i] + 1; value < values; ++value) {
      if (!contains(at(value))) continue;
      found.push_back(at(value));
      if (one_step) break;
    }
    stride *= values;
  }
  return found;
}

std::optional<double> RecordedSpace::time(const Config& config) const {
  const std::optional<std::uint64_t> index = index_of(config);
  const auto found = index ? times_.find(*index) : times_.end();
  if (found == times_.end()) throw UsageError("the config was not recorded: " + to_json(config));
  return std::isnan(found->second) ? std::nullopt : std::optional(found->second);
}

}  // namespace upsweep::tuner
