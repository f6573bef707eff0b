#include "base/cancellation.hpp"

#include <utility>

namespace upsweep::base {
namespace {

thread_local const CancellationScope* innermost = nullptr;

}  // namespace

CancellationScope::CancellationScope(std::stop_token stop, Clock::time_point deadline)
    : stop_(std::move(stop)), deadline_(deadline), outer_(std::exchange(innermost, this)) {}

CancellationScope::~CancellationScope() {
  innermost = outer_;
}

bool cancelled() noexcept {
  for (const CancellationScope* scope = innermost; scope != nullptr; scope = scope->outer_) {
    if (scope->stop_.stop_requested()) return true;
    const bool has_deadline = scope->deadline_ != CancellationScope::Clock::time_point::max();
    if (has_deadline && CancellationScope::Clock::now() >= scope->deadline_) return true;
  }
  return false;
}

void throw_if_cancelled() {
  if (cancelled()) throw Cancelled();
}

}  // namespace upsweep::base
