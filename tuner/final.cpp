#include "tuner/final.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tuner/measurement.hpp"

namespace upsweep::tuner {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

class Final {
 public:
  Final(Runner& runner, std::span<const Config> configs, std::uint64_t size, const FinalOptions& options)
      : runner_(runner), configs_(configs), size_(size), options_(options) {}

  std::optional<FinalResult> run(std::optional<std::size_t> incumbent) {
    RaceResult race = hold_race(
        configs_.size(), incumbent,
        [this](std::span<const std::size_t> numbers, int rounds) { return time(numbers, rounds, rounds, size_); },
        options_.race);
    FinalResult result{.winner = race.winner, .rounds = race.rounds, .finalists = {}};
    for (std::size_t i = 0; i < configs_.size(); ++i) {
      const bool failed = trimmed_mean(race.contestants[i].samples_us) == never;
      result.finalists.push_back({configs_[i], std::move(race.contestants[i]), failed, {}});
    }
    if (result.finalists[result.winner].failed) return std::nullopt;
    visit_neighbours(result);
    return result;
  }

 private:
  // A config that no longer runs takes for ever.
  std::vector<std::vector<double>> time(std::span<const std::size_t> numbers, int rounds, int moves,
                                        std::uint64_t size) {
    std::vector<Config> configs;
    for (const std::size_t number : numbers) configs.push_back(configs_[number]);
    RunRequest request;
    request.size = size;
    request.samples = rounds;
    request.sample_us = options_.sample_us;
    // The winner is for those who launch it, and its times stand beside others' that are launched.
    request.replay = false;
    if (options_.move) request.moves = moves;
    std::vector<std::vector<double>> samples = runner_.run_in_turn(configs, request);
    for (std::vector<double>& row : samples) row.resize(static_cast<std::size_t>(rounds), never);
    return samples;
  }

  void visit_neighbours(FinalResult& result) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < result.finalists.size(); ++i) {
      const Finalist& finalist = result.finalists[i];
      if (i == result.winner || (!finalist.failed && finalist.race.ratio <= 1 + options_.neighbour_margin)) {
        numbers.push_back(i);
      }
    }
    if (numbers.size() < 2 || options_.neighbour_samples <= 0) return;
    for (const std::uint64_t size : neighbouring_sizes(size_)) {
      const std::vector<std::vector<double>> samples =
          time(numbers, options_.neighbour_samples, options_.neighbour_samples / 2, size);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        result.finalists[numbers[i]].sizes.push_back(trimmed_mean(samples[i]));
      }
    }
    const std::size_t best = *std::min_element(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
      return score(result.finalists[a]) < score(result.finalists[b]);
    });
    const double own = score(result.finalists[result.winner]), least = score(result.finalists[best]);
    if (own > least + std::log1p(options_.tolerance)) result.winner = best;
  }

  // Logarithm of the geometric mean of its times, in the leader's at the size itself.
  static double score(const Finalist& finalist) {
    double sum = std::log(finalist.race.ratio);
    for (const double us : finalist.sizes) sum += std::log(us);
    return sum / static_cast<double>(1 + finalist.sizes.size());
  }

  Runner& runner_;
  std::span<const Config> configs_;
  std::uint64_t size_;
  FinalOptions options_;
};

}  // namespace

std::vector<std::uint64_t> neighbouring_sizes(std::uint64_t size) {
  std::vector<std::uint64_t> sizes{(size - size / 4) | 1, (size + size / 3) | 1};
  std::erase_if(sizes, [&](std::uint64_t other) { return other == 0 || other == size; });
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::optional<FinalResult> hold_final(Runner& runner, std::span<const Config> configs,
                                      std::optional<std::size_t> incumbent, std::uint64_t size,
                                      const FinalOptions& options) {
  return Final(runner, configs, size, options).run(incumbent);
}

}  // namespace upsweep::tuner
