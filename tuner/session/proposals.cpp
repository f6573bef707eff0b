#include "tuner/session/proposals.hpp"

#include <algorithm>
#include <utility>

namespace upsweep::tuner {

void Proposals::submit(std::size_t most) {
  while (compilations_.pending() + compiled_.size() < std::min(compilations_.enough(), most)) {
    const std::optional<Config> config = search_.next();
    if (!config) return;
    if (*config == default_) awaits_default_ = true;
    compilations_.submit(*config);
  }
}

CompileResult Proposals::next() {
  while (awaits_default_) {
    CompileResult result = compilations_.wait();
    if (result.config == default_) {
      awaits_default_ = false;
      return result;
    }
    compiled_.push_back(std::move(result));
  }
  if (compiled_.empty()) return compilations_.wait();
  CompileResult result = std::move(compiled_.front());
  compiled_.pop_front();
  return result;
}

std::vector<Config> Proposals::upcoming(const Pruner& pruner, std::size_t most) {
  std::vector<Config> configs;
  for (std::size_t i = 0; configs.size() < most; ++i) {
    if (i == compiled_.size()) {
      if (!compilations_.ready()) break;
      compiled_.push_back(compilations_.wait());
    }
    const CompileResult& result = compiled_[i];
    const bool will_run = result.verdict == tuning_db::Verdict::measured && pruner.reason(result).empty();
    if (will_run && !pruner.twin_of(result)) configs.push_back(result.config);
  }
  return configs;
}

}  // namespace upsweep::tuner
