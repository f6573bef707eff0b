// A recording: a space with the measured time of every config. Searches are compared on recordings, without a device.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tuner/search/space.hpp"
#include "tuning-db/trial.hpp"

namespace upsweep::tuner {

// What became of the configs of a part of one problem's space at one size on one device. As text it is one JSON
// document:
//   {"format": "upsweep recorded space", "version": 1,
//    "default": the default config's trial, as in exchanged files: problem, size, device and environment are its,
//    "noise": 0.004,
//    "schedules": [{"name": "lookback", "parameters": [{"name": "threads_per_block", "values": [128, 256]}, ...]},
//    ...], "measured": [[index, median in microseconds], ...], "failed": [[index, "verdict"], ...]}
// where an index is a point's number in the space of these schedules and values (SearchSpace).
struct Recording {
  struct Measured {
    std::uint64_t index = 0;
    double us = 0;
    bool operator==(const Measured&) const = default;
  };
  struct Failed {
    std::uint64_t index = 0;
    tuning_db::Verdict verdict = tuning_db::Verdict::failed;
    bool operator==(const Failed&) const = default;
  };
  struct Values {
    std::string parameter;
    std::vector<ParameterValue> values;
    bool operator==(const Values&) const = default;
  };
  struct ScheduleValues {
    std::string name;
    std::vector<Values> parameters;
    bool operator==(const ScheduleValues&) const = default;
  };

  tuning_db::Trial default_trial;
  double noise = 0;  // relative standard deviation of a sample
  std::vector<ScheduleValues> schedules;
  std::vector<Measured> measured;  // ascending by index
  std::vector<Failed> failed;      // ascending by index

  bool operator==(const Recording&) const = default;
};

// Of trials of one problem, size, device and environment; of several trials of one config the one that was measured
// best, as searches are told (finals are timed in another way), the last of these. Throws UsageError for trials of
// several problems, devices or environments, for a config outside the generator's space, and where the default config
// or a seed config is missing: searches begin with these.
[[nodiscard]] Recording record(std::span<const tuning_db::Trial> trials);

[[nodiscard]] std::string write_recording(const Recording& recording);
// Throws InputError, saying where, for text that is no recording, or a damaged one.
[[nodiscard]] Recording read_recording(std::string_view text);

// The recorded configs. Default config and seed configs are those that the library has now.
class RecordedSpace final : public SearchSpace {
 public:
  // Throws InputError where what is now the default config was not recorded or did not run.
  explicit RecordedSpace(const Recording& recording);

  using SearchSpace::contains;
  [[nodiscard]] bool contains(std::uint64_t index) const override { return times_.contains(index); }
  [[nodiscard]] Config default_config() const override { return default_; }
  [[nodiscard]] std::vector<Config> seed_configs() const override { return seed_configs_; }
  using SearchSpace::sample;
  [[nodiscard]] std::optional<std::uint64_t> sample(std::mt19937_64& random) const override;
  [[nodiscard]] std::optional<std::uint64_t> sample(std::mt19937_64& random, std::size_t schedule) const override;
  // One parameter differs, by the next value that was recorded with the others as they are.
  [[nodiscard]] std::vector<std::uint64_t> neighbours(std::uint64_t index) const override;

  [[nodiscard]] std::size_t size() const noexcept { return indices_.size(); }
  // Microseconds; none: it failed. Throws UsageError for a config that is not in it.
  [[nodiscard]] std::optional<double> time(const Config& config) const;
  [[nodiscard]] double optimum_us() const noexcept { return optimum_us_; }

 private:
  RecordedSpace(const Recording& recording, const Space& space);

  std::vector<std::uint64_t> indices_;               // of schedules that suit, ascending
  std::unordered_map<std::uint64_t, double> times_;  // NaN: it failed
  Config default_;
  std::vector<Config> seed_configs_;
  double optimum_us_ = 0;
};

}  // namespace upsweep::tuner
