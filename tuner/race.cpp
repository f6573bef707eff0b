#include "tuner/race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tuner/measurement.hpp"

namespace upsweep::tuner {
namespace {

// The most values that may be cut off at each end: the largest k with 2 P(X < k) <= error for X ~ Binomial(n, 1/2).
std::size_t cut(std::size_t values, double error) {
  double term = std::ldexp(1.0, -static_cast<int>(values)), below = 0;
  std::size_t k = 0;
  for (; k < values && 2 * (below + term) <= error; ++k) {
    below += term;
    term *= static_cast<double>(values - k) / static_cast<double>(k + 1);
  }
  return k;
}

class Race {
 public:
  Race(std::size_t contestants, const Rounds& rounds, const RaceOptions& options)
      : rounds_(rounds), options_(options), contestants_(contestants) {}

  RaceResult run(std::optional<std::size_t> incumbent) {
    RaceResult result;
    int wanted = contestants_.size() > 1 ? options_.first_rounds : 1;
    while (true) {
      time(wanted);
      result.rounds += wanted;
      judge();
      wanted = std::min(options_.more_rounds, options_.most_rounds - result.rounds);
      if (!anything_open() || wanted <= 0) break;
    }
    result.winner = leader_;
    if (incumbent && is_as_good(contestants_[*incumbent])) result.winner = *incumbent;
    result.contestants = std::move(contestants_);
    return result;
  }

 private:
  void time(int rounds) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
      const Standing standing = contestants_[i].standing;
      if (standing == Standing::open || standing == Standing::leader) numbers.push_back(i);
    }
    const std::vector<std::vector<double>> samples = rounds_(numbers, rounds);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::vector<double>& all = contestants_[numbers[i]].samples_us;
      all.insert(all.end(), samples[i].begin(), samples[i].end());
    }
  }

  // Those that are out keep their standing: they were as good as, or slower than, one that was no faster than today's.
  void judge() {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
      if (is_out(contestants_[i])) continue;
      const double us = median(contestants_[i].samples_us);
      if (us < best) best = us, leader_ = i;
    }
    for (Contestant& contestant : contestants_) compare(contestant);
    contestants_[leader_].standing = Standing::leader;
  }

  void compare(Contestant& contestant) {
    const std::vector<double>& leader = contestants_[leader_].samples_us;
    std::vector<double> ratios;
    const std::size_t common = std::min(leader.size(), contestant.samples_us.size());
    for (std::size_t i = 0; i < common; ++i) ratios.push_back(contestant.samples_us[i] / leader[i]);
    contestant.ratio = median(ratios);
    contestant.interval = median_interval(std::move(ratios), options_.error);
    if (is_out(contestant)) return;
    contestant.standing = Standing::open;
    if (contestant.interval.low > 1) contestant.standing = Standing::slower;
    if (contestant.interval.low >= 1 - options_.indifference && contestant.interval.high <= 1 + options_.indifference) {
      contestant.standing = Standing::even;
    }
  }

  [[nodiscard]] static bool is_out(const Contestant& contestant) {
    return contestant.standing == Standing::slower || contestant.standing == Standing::even;
  }
  [[nodiscard]] bool anything_open() const {
    return std::any_of(contestants_.begin(), contestants_.end(),
                       [](const Contestant& contestant) { return contestant.standing == Standing::open; });
  }
  [[nodiscard]] bool is_as_good(const Contestant& contestant) const {
    return contestant.ratio <= 1 + options_.indifference;
  }

  const Rounds& rounds_;
  RaceOptions options_;
  std::vector<Contestant> contestants_;
  std::size_t leader_ = 0;
};

}  // namespace

Interval median_interval(std::vector<double> values, double error) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t k = cut(values.size(), error);
  if (k == 0) return {-infinity, infinity};
  std::sort(values.begin(), values.end());
  return {values[k - 1], values[values.size() - k]};
}

RaceResult hold_race(std::size_t contestants, std::optional<std::size_t> incumbent, const Rounds& rounds,
                     const RaceOptions& options) {
  return Race(contestants, rounds, options).run(incumbent);
}

}  // namespace upsweep::tuner
