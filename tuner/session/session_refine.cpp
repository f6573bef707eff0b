// The best of a session are timed again: in the time in which the device would wait for the compilers, and as they will
// be launched.
#include <algorithm>
#include <limits>

#include "base/median.hpp"
#include "tuner/session/session.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::size_t refined_at_once = 4;  // of the best
constexpr int fewest_rounds = 3;
constexpr int most_rounds = 48;
constexpr std::size_t most_samples = 200;  // kept of a config
// Launched calls of small kernels are ordered a little differently than the replayed ones by which configs are found,
// and those with workspaces elsewhere.
constexpr double heat_factor = 1.1;    // times the best, replayed: as far as the order may differ
constexpr std::size_t heat_size = 12;  // configs
constexpr int heat_alike = 3;          // of them with as many blocks and threads
constexpr int heat_samples = 3;
constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

// The best, and of those near it the ones that were timed least: their places are the least certain.
std::vector<std::size_t> Session::to_refine() const {
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < ranking_.size() && near.size() < refined_count; ++i) {
    const Measured& measured = ranking_[i];
    if (measured.median_us > best_us() * near_factor()) break;
    if (!measured.earlier) near.push_back(i);
  }
  if (near.size() > refined_at_once) {
    std::stable_sort(near.begin() + 1, near.end(), [&](std::size_t a, std::size_t b) {
      return ranking_[a].samples_us.size() < ranking_[b].samples_us.size();
    });
    near.resize(refined_at_once);
  }
  return near;
}

// A few rounds of the best, while `next` is made ready; false if there is nothing worth it.
bool Session::refine(const std::vector<Config>& next) {
  if (!options_.overlap) return false;
  const std::vector<std::size_t> places = to_refine();
  if (places.empty()) return false;
  std::vector<Config> configs;
  for (const std::size_t place : places) configs.push_back(ranking_[place].config);
  RunRequest request;
  request.size = setting_.problem.size;
  const double round_us = static_cast<double>(configs.size()) * sample_us(best_us(), request);
  pace_.begin(steady_microseconds(), parts_.runner.busy_seconds() * 1e6);
  request.samples = static_cast<int>(std::clamp<double>(pace_.stretch_us() / round_us, fewest_rounds, most_rounds));
  request.next = next;
  const std::vector<std::vector<double>> samples =
      beside_device(request, [&] { return parts_.runner.run_in_turn(configs, request); });
  std::vector<Measured> refined;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const auto at = std::find_if(ranking_.begin(), ranking_.end(),
                                 [&](const Measured& measured) { return measured.config == configs[i]; });
    Measured measured = std::move(*at);
    ranking_.erase(at);
    std::vector<double>& all = measured.samples_us;
    all.insert(all.end(), samples[i].begin(), samples[i].end());
    if (all.size() > most_samples) all.erase(all.begin(), all.end() - most_samples);
    measured.median_us = samples[i].empty() ? never : base::median(all);  // one that fails now is the final's to report
    measured.refined = true;
    refined.push_back(std::move(measured));
  }
  for (Measured& measured : refined) rank(std::move(measured));
  return true;
}

// Of the best of each number of blocks and threads, those that are the fastest when they are launched.
std::vector<Config> Session::best_as_launched() {
  if (ranking_.size() <= finalist_count || best_us() >= placement_matters_below_us) return best(finalist_count);
  std::vector<Config> configs;
  std::map<std::vector<std::pair<std::uint64_t, int>>, int> alike;
  for (const Measured& measured : ranking_) {
    if (configs.size() == heat_size || measured.median_us > best_us() * heat_factor) break;
    std::vector<std::pair<std::uint64_t, int>> launched;
    for (const LaunchRule& launch : pruner_.launches_of(measured.config)) {
      launched.emplace_back(launch.blocks(setting_.problem.size, setting_.limits.multiprocessors),
                            launch.threads_per_block);
    }
    if (alike[launched]++ < heat_alike) configs.push_back(measured.config);
  }
  if (configs.size() <= finalist_count) return best(finalist_count);
  RunRequest request;
  request.size = setting_.problem.size;
  request.samples = heat_samples;
  request.replay = false;
  request.moves = heat_samples;
  const std::vector<std::vector<double>> samples = parts_.runner.run_in_turn(configs, request);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < configs.size(); ++i) order.emplace_back(trimmed_mean(samples[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<Config> found;
  for (std::size_t i = 0; i < finalist_count; ++i) found.push_back(configs[order[i].second]);
  return found;
}

void Session::record_refined() {
  for (Measured& measured : ranking_) {
    if (!measured.refined) continue;
    measured.row = record(measured.config, tuning_db::Stage::race, outcome_of(measured, measured.samples_us));
    measured.refined = false;
  }
}

}  // namespace upsweep::tuner
