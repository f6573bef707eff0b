#include "tuner/compile/compilations.hpp"

#include <chrono>

namespace upsweep::tuner {

// What failed for a reason that may pass is tried again.
bool CompiledOnce::is_known(const Config& config) const {
  const auto at = done_.find(config);
  return at != done_.end() && !at->second.may_pass;
}

void CompiledOnce::submit(const Config& config) {
  if (is_known(config)) {
    known_.push_back(config);
    return;
  }
  // One that was forgotten while it was being compiled is not compiled twice.
  if (wanted_.insert(config).second && !forgotten_.erase(config)) compilations_.submit(config);
}

void CompiledOnce::compile_ahead(const Config& config) {
  if (is_known(config) || wanted_.contains(config)) return;
  if (forgotten_.insert(config).second) compilations_.submit(config);
}

void CompiledOnce::take_one() {
  CompileResult compiled = compilations_.wait();
  if (wanted_.erase(compiled.config) > 0) known_.push_back(compiled.config);
  forgotten_.erase(compiled.config);
  done_[compiled.config] = std::move(compiled);
}

bool CompiledOnce::ready() {
  while (known_.empty() && compilations_.pending() > 0 && compilations_.ready()) take_one();
  return !known_.empty();
}

CompileResult CompiledOnce::wait() {
  const auto begin = std::chrono::steady_clock::now();
  while (known_.empty()) take_one();
  waited_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Config config = std::move(known_.front());
  known_.pop_front();
  return done_.at(config);
}

void CompiledOnce::forget_pending() {
  known_.clear();
  forgotten_.merge(wanted_);
  wanted_.clear();
}

}  // namespace upsweep::tuner
