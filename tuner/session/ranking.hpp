// The configs of a session that ran well, best first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/config.hpp>

#include "tuner/worker/runner.hpp"

namespace upsweep::tuner {

struct Measured {
  double median_us = 0;
  Config config;
  std::size_t row = 0;                  // its place in the TrialLog
  std::string binary = {};              // as in Outcome
  std::vector<double> samples_us = {};  // the latest of the race and later; none if there are none of this run
  int clock_mhz = 0;                    // as in Outcome
  bool refined = false;                 // there are samples that no row holds
  bool earlier = false;                 // measured by an earlier run: nobody has compiled it in this one

  // As the outcome of these samples.
  [[nodiscard]] Outcome outcome(std::vector<double> samples) const {
    return {.samples_us = std::move(samples), .failure = {}, .binary = binary, .clock_mhz = clock_mhz};
  }
};

inline constexpr std::size_t finalist_count = 4;  // besides the default and the incumbent
inline constexpr std::size_t refined_count = 12;  // of the best, timed again while the compilers are behind

class Ranking {
 public:
  // The default and the incumbent, the winner so far, are in every final.
  explicit Ranking(Config default_config) : default_(std::move(default_config)) {}
  void set_incumbent(std::optional<Config> config) { incumbent_ = std::move(config); }
  [[nodiscard]] const std::optional<Config>& incumbent() const noexcept { return incumbent_; }

  void add(Measured measured);
  // Adds samples to those that each of them has, and ranks it anew by all of these; one without new ones, last.
  void refine(const std::vector<Config>& configs, const Samples& samples);
  [[nodiscard]] std::vector<Measured>& all() noexcept { return ranked_; }
  [[nodiscard]] const std::vector<Measured>& all() const noexcept { return ranked_; }
  [[nodiscard]] bool empty() const noexcept { return ranked_.empty(); }
  [[nodiscard]] double best_us() const noexcept { return ranked_.empty() ? 0 : ranked_.front().median_us; }
  [[nodiscard]] const Measured* find(const Config& config) const;  // null: not measured

  [[nodiscard]] std::vector<Config> best(std::size_t most) const;
  // Those and, if they are not among them, the default and the incumbent.
  [[nodiscard]] std::vector<Config> with_places(std::vector<Config> configs) const;
  // Those and the best of each schedule that has none among them, if it is within the factor of the best.
  [[nodiscard]] std::vector<Config> with_schedules(std::vector<Config> configs, double factor) const;
  [[nodiscard]] bool has_place(const Config& config) const { return config == default_ || config == incumbent_; }
  // The one of these that stays where it does not matter: the incumbent, and before there was one, the default.
  [[nodiscard]] std::optional<std::size_t> place_of_incumbent(const std::vector<Config>& configs) const;
  // The best, those with a place, and the best of each schedule.
  [[nodiscard]] std::vector<Config> shortlist() const;
  // The best, and of those within the factor of it the ones that were timed least: their places are the least certain.
  [[nodiscard]] std::vector<Config> least_certain(double factor) const;

 private:
  Config default_;
  std::optional<Config> incumbent_;
  std::vector<Measured> ranked_;
};

}  // namespace upsweep::tuner
