#include "tests/tuner/search/recorded_space.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "generator/device_limits.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::tuner {
namespace {

using tuning_db::Trial;
using tuning_db::Verdict;

std::string unzipped(const std::filesystem::path& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  std::string text;
  std::array<char, 1 << 16> part;
  int count = 0;
  while (file && (count = gzread(file.get(), part.data(), part.size())) > 0) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  if (!file || count < 0) throw InputError(path.string() + " cannot be read");
  return text;
}

GeneratedSpace generated_space(std::span<const Trial> trials) {
  if (trials.empty()) throw InputError("there are no trials");
  return {trials.front().problem, limits_of(trials.front().device).value_or(limits_of_architecture("sm_90"))};
}

// Values of the space's parameters that the trials have, in the space's order.
std::vector<ScheduleParameters> recorded_part(std::span<const Trial> trials, const GeneratedSpace& space) {
  std::vector<ScheduleParameters> found;
  for (ScheduleParameters part : space.schedules()) {
    const auto is_recorded = [&](const std::string& parameter, const ParameterValue& value) {
      return std::ranges::any_of(trials, [&](const Trial& trial) {
        return trial.config.schedule == part.name && trial.config.values.at(parameter) == value;
      });
    };
    bool used = false;
    for (Parameter& parameter : part.parameters) {
      std::erase_if(parameter.values, [&](const auto& value) { return !is_recorded(parameter.name, value); });
      used |= !parameter.values.empty();
    }
    if (used) found.push_back(std::move(part));
  }
  return found;
}

}  // namespace

std::vector<Trial> read_trials(const std::filesystem::path& path) {
  const nlohmann::json file = nlohmann::json::parse(unzipped(path));
  std::vector<Trial> trials;
  for (const nlohmann::json& trial : file.at("trials")) {
    trials.push_back(tuning_db::trial_from_json(trial, path.string()));
  }
  return trials;
}

RecordedSpace::RecordedSpace(std::span<const Trial> trials) : RecordedSpace(trials, generated_space(trials)) {}

RecordedSpace::RecordedSpace(std::span<const Trial> trials, const GeneratedSpace& space)
    : SearchSpace(recorded_part(trials, space)),
      default_(space.default_config()),
      seed_configs_(space.seed_configs()),
      optimum_us_(std::numeric_limits<double>::infinity()) {
  for (const Trial& trial : trials) {
    if (!space.contains(trial.config)) throw InputError("no longer valid: " + to_json(trial.config));
    const std::uint64_t index = index_of(trial.config).value();
    const bool measured = trial.verdict == Verdict::measured;
    times_[index] = measured ? std::optional(trial.median_us()) : std::nullopt;
    if (!suits(index)) continue;
    indices_.push_back(index);
    if (measured) optimum_us_ = std::min(optimum_us_, trial.median_us());
  }
  std::ranges::sort(indices_);
  if (!SearchSpace::contains(default_) || !time(default_)) {
    throw InputError("there is no time for the present default config, " + to_json(default_));
  }
  std::erase_if(seed_configs_, [&](const Config& config) { return !SearchSpace::contains(config); });
}

std::optional<std::uint64_t> RecordedSpace::sample(std::mt19937_64& random) const {
  return indices_[random() % indices_.size()];
}

std::optional<std::uint64_t> RecordedSpace::sample(std::mt19937_64& random, std::size_t schedule) const {
  const auto first = std::ranges::lower_bound(indices_, first_point(schedule));
  const auto end = std::ranges::lower_bound(indices_, end_point(schedule));
  if (first == end) return std::nullopt;
  return first[static_cast<std::ptrdiff_t>(random() % static_cast<std::uint64_t>(end - first))];
}

std::vector<std::uint64_t> RecordedSpace::neighbours(std::uint64_t index) const {
  const Coordinates own = coordinates(index);
  const std::vector<Parameter>& parameters = schedules()[own.schedule].parameters;
  std::vector<std::uint64_t> found;
  std::uint64_t stride = 1;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    // Keeps the point if it was recorded, and says whether another one is wanted.
    const auto goes_on = [&](std::size_t value) {
      const std::uint64_t at = index + (value - own.values[i]) * stride;  // wraps where less
      if (contains(at)) found.push_back(at);
      return !contains(at) || !is_ordered(parameters[i]);
    };
    const std::size_t values = parameters[i].values.size();
    for (std::size_t value = own.values[i]; value-- > 0 && goes_on(value);) {
    }
    for (std::size_t value = own.values[i] + 1; value < values && goes_on(value); ++value) {
    }
    stride *= values;
  }
  return found;
}

std::optional<double> RecordedSpace::time(const Config& config) const {
  return times_.at(index_of(config).value());
}

}  // namespace upsweep::tuner
