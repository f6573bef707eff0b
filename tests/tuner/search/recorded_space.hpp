// Measured configs of one problem, on which searches are replayed without a device.
#pragma once

#include <filesystem>
#include <span>
#include <unordered_map>
#include <vector>

#include "tuner/search/space.hpp"
#include "tuning-db/trial.hpp"

namespace upsweep::tuner {

// The trials in a file that `upsweep db export --trials` wrote and gzip compressed. Throws InputError for another file.
[[nodiscard]] std::vector<tuning_db::Trial> read_trials(const std::filesystem::path& path);

// The configs of these trials, with all values of their parameters. Default config and seed configs are those that the
// library has now.
class RecordedSpace final : public SearchSpace {
 public:
  // Trials of one problem on one device, one for each config. Throws InputError where a config is no longer valid, or
  // the present default config is missing or failed.
  explicit RecordedSpace(std::span<const tuning_db::Trial> trials);

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
  // Microseconds of a config that is in it; none: it failed.
  [[nodiscard]] std::optional<double> time(const Config& config) const;
  [[nodiscard]] double optimum_us() const noexcept { return optimum_us_; }

 private:
  RecordedSpace(std::span<const tuning_db::Trial> trials, const GeneratedSpace& space);

  std::vector<std::uint64_t> indices_;                              // of schedules that suit, ascending
  std::unordered_map<std::uint64_t, std::optional<double>> times_;  // none: it failed
  Config default_;
  std::vector<Config> seed_configs_;
  double optimum_us_ = 0;
};

}  // namespace upsweep::tuner
