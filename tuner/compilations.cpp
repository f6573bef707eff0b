#include "tuner/compilations.hpp"

namespace upsweep::tuner {

void CompiledOnce::submit(const Config& config) {
  if (done_.contains(config)) {
    known_.push_back(config);
    return;
  }
  // One that was forgotten while it was being compiled is not compiled twice.
  if (wanted_.insert(config).second && !forgotten_.erase(config)) compilations_.submit(config);
}

CompileResult CompiledOnce::wait() {
  if (!known_.empty()) {
    const Config config = std::move(known_.back());
    known_.pop_back();
    return done_.at(config);
  }
  while (true) {
    CompileResult compiled = compilations_.wait();
    done_[compiled.config] = compiled;
    if (wanted_.erase(compiled.config) > 0) return compiled;
    forgotten_.erase(compiled.config);
  }
}

void CompiledOnce::forget_pending() {
  known_.clear();
  forgotten_.merge(wanted_);
  wanted_.clear();
}

}  // namespace upsweep::tuner
