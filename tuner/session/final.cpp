#include "tuner/session/final.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "generator/algorithm.hpp"
#include "generator/density.hpp"
#include "tuner/measure/measurement.hpp"
#include "tuner/verify/density_data.hpp"

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
        [this](std::span<const std::size_t> numbers, int rounds) { return time(numbers, rounds, rounds, {size_}); },
        options_.race);
    FinalResult result{.winner = race.winner, .rounds = race.rounds, .finalists = {}};
    for (std::size_t i = 0; i < configs_.size(); ++i) {
      const bool failed = trimmed_mean(race.contestants[i].samples_us) == never;
      result.finalists.push_back({configs_[i], std::move(race.contestants[i]), failed, {}});
    }
    if (result.finalists[result.winner].failed) return std::nullopt;
    make_other_calls(result);
    return result;
  }

 private:
  // A config that no longer runs takes for ever.
  std::vector<std::vector<double>> time(std::span<const std::size_t> numbers, int rounds, int moves, CallKind call) {
    std::vector<Config> configs;
    for (const std::size_t number : numbers) configs.push_back(configs_[number]);
    RunRequest request;
    request.size = call.size;
    request.misaligned = call.misaligned;
    request.density = call.density;
    request.samples = rounds;
    request.sample_us = options_.sample_us;
    // The winner is for those who launch it, and its times stand beside others' that are launched.
    request.replay = false;
    if (options_.move) request.moves = moves;
    std::vector<std::vector<double>> samples = runner_.run_in_turn(configs, request);
    for (std::vector<double>& row : samples) row.resize(static_cast<std::size_t>(rounds), never);
    return samples;
  }

  void make_other_calls(FinalResult& result) {
    const double margin = std::max(options_.other_margin, options_.densities.empty() ? 0 : options_.density_margin);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < result.finalists.size(); ++i) {
      const Finalist& finalist = result.finalists[i];
      if (i == result.winner || (!finalist.failed && finalist.race.ratio <= 1 + margin)) numbers.push_back(i);
    }
    if (numbers.size() < 2) return;
    if (options_.other_samples > 0) {
      for (const CallKind& call : other_calls(size_)) {
        append(result, numbers, call, options_.other_samples, &Finalist::other);
      }
    }
    for (const Density density : options_.densities) {
      append(result, numbers, {size_, false, density}, options_.density_samples, &Finalist::by_density);
    }
    const std::vector<double> costs = costs_of(result, numbers);
    const std::size_t best = *std::min_element(numbers.begin(), numbers.end(),
                                               [&](std::size_t a, std::size_t b) { return costs[a] < costs[b]; });
    if (costs[result.winner] > costs[best] + std::log1p(options_.tolerance)) result.winner = best;
  }

  void append(FinalResult& result, std::span<const std::size_t> numbers, CallKind call, int rounds,
              std::vector<double> Finalist::*means) {
    const std::vector<std::vector<double>> samples = time(numbers, rounds, rounds / 2, call);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      (result.finalists[numbers[i]].*means).push_back(trimmed_mean(samples[i]));
    }
  }

  // By finalist, the greatest of: its score, and the logarithm of its time with data of each density; each less the
  // lowest of all finalists.
  static std::vector<double> costs_of(const FinalResult& result, std::span<const std::size_t> numbers) {
    std::vector<double> costs(result.finalists.size(), never);
    for (const std::size_t i : numbers) costs[i] = 0;
    const auto add = [&](const auto& log_us_of) {
      double least = never;
      for (const std::size_t i : numbers) least = std::min(least, log_us_of(result.finalists[i]));
      if (least == never) return;
      for (const std::size_t i : numbers) costs[i] = std::max(costs[i], log_us_of(result.finalists[i]) - least);
    };
    add(score);
    for (std::size_t k = 0; k < result.finalists[result.winner].by_density.size(); ++k) {
      add([k](const Finalist& finalist) { return std::log(finalist.by_density[k]); });
    }
    return costs;
  }

  // Logarithm of the geometric mean of its times, in the leader's at the size itself.
  static double score(const Finalist& finalist) {
    double sum = std::log(finalist.race.ratio);
    for (const double us : finalist.other) sum += std::log(us);
    return sum / static_cast<double>(1 + finalist.other.size());
  }

  Runner& runner_;
  std::span<const Config> configs_;
  std::uint64_t size_;
  FinalOptions options_;
};

}  // namespace

std::vector<std::uint64_t> typical_sizes(int exponent, SizeSide side) {
  const std::uint64_t power = std::uint64_t{1} << exponent;
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t sixteenths : side == SizeSide::above ? std::array{2, 5} : std::array{1, 3}) {
    const std::uint64_t distance = power / 16 * sixteenths + power % 16 * sixteenths / 16;
    const std::uint64_t size = (side == SizeSide::above ? power + distance : power - distance) | 1;
    const bool is_of_it = size_class(size) == exponent && size_side(size) == side;
    if (is_of_it && std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  }
  return sizes;
}

std::vector<CallKind> other_calls(std::uint64_t size) {
  const SizeSide side = size_side(size);
  if (side == SizeSide::at) return {};
  // Of the two sizes the one that is farther away.
  const auto distance = [&](std::uint64_t other) { return other > size ? other - size : size - other; };
  const std::vector<std::uint64_t> sizes = typical_sizes(size_class(size), side);
  std::vector<CallKind> calls;
  const auto farthest = std::max_element(sizes.begin(), sizes.end(),
                                         [&](std::uint64_t a, std::uint64_t b) { return distance(a) < distance(b); });
  if (farthest != sizes.end() && *farthest != size) calls.push_back({*farthest});
  calls.push_back({size, true});
  if (side == SizeSide::above) calls.push_back({std::uint64_t{1} << size_class(size), true});
  return calls;
}

std::vector<Density> other_densities(const Problem& problem) {
  if (problem.density != Density::unknown || !takes_density(problem)) return {};
  std::vector<Density> densities;
  for (const Density density : {Density::few, Density::half, Density::all}) {
    Problem with_density = problem;
    with_density.density = density;
    const std::vector<Port> all = ports(with_density);
    const bool is_known = std::any_of(all.begin(), all.end(), [&](const Port& port) {
      return port.direction == Direction::in && gives_density(with_density, port);
    });
    const bool is_possible = results_per_item(density) * entry_of(problem).result_distance <= 1;
    if (is_known && is_possible) densities.push_back(density);
  }
  return densities;
}

std::optional<FinalResult> hold_final(Runner& runner, std::span<const Config> configs,
                                      std::optional<std::size_t> incumbent, std::uint64_t size,
                                      const FinalOptions& options) {
  return Final(runner, configs, size, options).run(incumbent);
}

}  // namespace upsweep::tuner
