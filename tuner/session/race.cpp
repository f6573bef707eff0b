#include "tuner/session/race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

namespace upsweep::tuner {
namespace {

std::size_t trimmed_at_each_end(std::size_t values) {
  return values / 8;
}

// Of ascending values.
double mean_within(std::span<const double> sorted) {
  const std::size_t cut = trimmed_at_each_end(sorted.size());
  const auto within = sorted.subspan(cut, sorted.size() - 2 * cut);
  return std::accumulate(within.begin(), within.end(), 0.0) / static_cast<double>(within.size());
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
      const double us = trimmed_mean(contestants_[i].samples_us);
      if (us < best) best = us, leader_ = i;
    }
    for (Contestant& contestant : contestants_) compare(contestant);
    contestants_[leader_].standing = Standing::leader;
  }

  void compare(Contestant& contestant) {
    const std::vector<double>& leader = contestants_[leader_].samples_us;
    std::vector<double> ratios;
    const std::size_t common = std::min(leader.size(), contestant.samples_us.size());
    // Where all fail there is a leader that fails.
    const auto ratio = [](double us, double leader_us) { return std::isinf(us) ? us : us / leader_us; };
    for (std::size_t i = 0; i < common; ++i) ratios.push_back(ratio(contestant.samples_us[i], leader[i]));
    contestant.ratio = trimmed_mean(ratios);
    contestant.interval = trimmed_interval(std::move(ratios), options_.error);
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
    const bool open = contestant.standing == Standing::open;
    return contestant.ratio <= 1 + (open ? std::max(options_.undecided, options_.indifference) : options_.indifference);
  }

  const Rounds& rounds_;
  RaceOptions options_;
  std::vector<Contestant> contestants_;
  std::size_t leader_ = 0;
};

}  // namespace

double trimmed_mean(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  if (values.empty() || std::isinf(values.back())) return std::numeric_limits<double>::infinity();
  return mean_within(values);
}

Interval trimmed_interval(std::vector<double> values, double error) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t cut = trimmed_at_each_end(values.size()), within = values.size() - 2 * cut;
  if (within < 2) return {-infinity, infinity};
  std::sort(values.begin(), values.end());
  if (!std::isfinite(values.back())) return {infinity, infinity};
  const double mean = mean_within(values);
  // The standard error is that of the winsorized values, stretched by how many were cut off.
  std::fill_n(values.begin(), cut, values[cut]);
  std::fill_n(values.rbegin(), cut, values[values.size() - 1 - cut]);
  const auto n = static_cast<double>(values.size());
  const double center = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  const double deviation = std::sqrt(squares / (n - 1) / n) * n / static_cast<double>(within);
  const boost::math::students_t distribution(static_cast<double>(within - 1));
  const double reach = deviation * boost::math::quantile(boost::math::complement(distribution, error / 2));
  return {mean - reach, mean + reach};
}

RaceResult hold_race(std::size_t contestants, std::optional<std::size_t> incumbent, const Rounds& rounds,
                     const RaceOptions& options) {
  return Race(contestants, rounds, options).run(incumbent);
}

}  // namespace upsweep::tuner
