#include "tuner/search/evaluated_set.hpp"

namespace upsweep::tuner {

EvaluatedSet::EvaluatedSet(const SearchSpace& space, const SearchOptions& options, Begin begin) : space_(space) {
  if (begin == Begin::with_all || begin == Begin::with_known) first_.assign(options.known.begin(), options.known.end());
  if ((begin == Begin::with_all || begin == Begin::with_seed_configs) && options.seed_configs) {
    const std::vector<Config> seed_configs = space.seed_configs();
    first_.insert(first_.end(), seed_configs.begin(), seed_configs.end());
  }
}

std::optional<Config> EvaluatedSet::first() {
  if (default_pending_) {
    default_pending_ = false;
    Config config = space_.default_config();
    if (is_new(config) && space_.is_valid(config)) {
      note(config);
      return config;
    }
  }
  while (!first_.empty()) {
    const std::optional<std::uint64_t> index = space_.index_of(first_.front());
    first_.pop_front();
    if (index && is_new(*index) && space_.suits(*index) && space_.contains(*index)) return give(*index);
  }
  return std::nullopt;
}

bool EvaluatedSet::is_new(const Config& config) const {
  const std::optional<std::uint64_t> index = space_.index_of(config);
  return index ? is_new(*index) : !seen_outside_.contains(config);
}

void EvaluatedSet::note(const Config& config) {
  if (const std::optional<std::uint64_t> index = space_.index_of(config)) {
    seen_.insert(*index);
  } else {
    seen_outside_.insert(config);
  }
}

Config EvaluatedSet::give(std::uint64_t index) {
  seen_.insert(index);
  return space_.point(index);
}

std::optional<std::uint64_t> EvaluatedSet::sample(std::mt19937_64& random) {
  constexpr int attempts = 16;
  for (int i = 0; i < attempts && walked_ == 0; ++i) {
    const std::optional<std::uint64_t> index = space_.sample(random);
    if (index && is_new(*index)) return index;
  }
  if (walked_ == 0 && space_.points() > 0) walk_from_ = random() % space_.points();
  return walk();
}

std::optional<std::uint64_t> EvaluatedSet::walk() {
  while (walked_ < space_.points()) {
    const std::uint64_t index = (walk_from_ + walked_++) % space_.points();
    if (is_new(index) && space_.suits(index) && space_.contains(index)) return index;
  }
  return std::nullopt;
}

}  // namespace upsweep::tuner
