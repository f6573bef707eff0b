#include "tuner/session/ranking.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "base/median.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::size_t refined_at_once = 4;  // of the best
constexpr std::size_t most_samples = 200;   // kept of a config

bool contains(const std::vector<Config>& configs, const Config& config) {
  return std::find(configs.begin(), configs.end(), config) != configs.end();
}

}  // namespace

void Ranking::add(Measured measured) {
  const auto slower = std::upper_bound(ranked_.begin(), ranked_.end(), measured.median_us,
                                       [](double us, const Measured& other) { return us < other.median_us; });
  ranked_.insert(slower, std::move(measured));
}

const Measured* Ranking::find(const Config& config) const {
  const auto at =
      std::find_if(ranked_.begin(), ranked_.end(), [&](const Measured& measured) { return measured.config == config; });
  return at == ranked_.end() ? nullptr : &*at;
}

std::vector<Config> Ranking::best(std::size_t most) const {
  std::vector<Config> configs;
  for (std::size_t i = 0; i < std::min(ranked_.size(), most); ++i) configs.push_back(ranked_[i].config);
  return configs;
}

std::vector<Config> Ranking::with_places(std::vector<Config> configs) const {
  for (const Measured& measured : ranked_) {
    if (has_place(measured.config) && !contains(configs, measured.config)) configs.push_back(measured.config);
  }
  return configs;
}

std::vector<Config> Ranking::with_schedules(std::vector<Config> configs, double factor) const {
  std::set<std::string_view> schedules;
  for (const Measured& measured : ranked_) {
    if (measured.median_us > best_us() * factor) break;
    const bool first = schedules.insert(measured.config.schedule).second;
    if (first && !contains(configs, measured.config)) configs.push_back(measured.config);
  }
  return configs;
}

std::optional<std::size_t> Ranking::place_of_incumbent(const std::vector<Config>& configs) const {
  const auto at = std::find(configs.begin(), configs.end(), incumbent_.value_or(default_));
  return at == configs.end() ? std::nullopt : std::optional<std::size_t>(at - configs.begin());
}

std::vector<Config> Ranking::shortlist() const {
  return with_schedules(with_places(best(finalist_count)), std::numeric_limits<double>::infinity());
}

std::vector<Config> Ranking::least_certain(double factor) const {
  std::vector<const Measured*> near;
  for (std::size_t i = 0; i < ranked_.size() && near.size() < refined_count; ++i) {
    if (ranked_[i].median_us > best_us() * factor) break;
    if (!ranked_[i].earlier) near.push_back(&ranked_[i]);
  }
  if (near.size() > refined_at_once) {
    std::stable_sort(near.begin() + 1, near.end(),
                     [](const Measured* a, const Measured* b) { return a->samples_us.size() < b->samples_us.size(); });
    near.resize(refined_at_once);
  }
  std::vector<Config> configs;
  for (const Measured* measured : near) configs.push_back(measured->config);
  return configs;
}

void Ranking::refine(const std::vector<Config>& configs, const Samples& samples) {
  std::vector<Measured> refined;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const auto at = std::find_if(ranked_.begin(), ranked_.end(),
                                 [&](const Measured& measured) { return measured.config == configs[i]; });
    Measured measured = std::move(*at);
    ranked_.erase(at);
    std::vector<double>& all = measured.samples_us;
    all.insert(all.end(), samples[i].begin(), samples[i].end());
    if (all.size() > most_samples) all.erase(all.begin(), all.end() - most_samples);
    // One that fails now is the final's to report.
    measured.median_us = samples[i].empty() ? std::numeric_limits<double>::infinity() : base::median(all);
    measured.refined = true;
    refined.push_back(std::move(measured));
  }
  for (Measured& measured : refined) add(std::move(measured));
}

}  // namespace upsweep::tuner
