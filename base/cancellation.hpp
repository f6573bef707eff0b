// Ends work that is under way, at a stop request or at a deadline.
#pragma once

#include <chrono>
#include <exception>
#include <stop_token>

namespace upsweep::base {

// What cancelled work throws. Not an upsweep::Error: nothing has failed.
struct Cancelled : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

// While a scope lives, work of the thread that made it ends with Cancelled soon after a stop is requested or the
// deadline has passed, wherever that work looks: programs that are waited for (base/process.hpp), and all that calls
// throw_if_cancelled(). Scopes nest, and the outer ones count as well. A scope ends on the thread that made it.
class CancellationScope {
 public:
  using Clock = std::chrono::steady_clock;
  explicit CancellationScope(std::stop_token stop, Clock::time_point deadline = Clock::time_point::max());
  ~CancellationScope();
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

 private:
  friend bool cancelled() noexcept;
  std::stop_token stop_;
  Clock::time_point deadline_;
  const CancellationScope* outer_;
};

// Whether the calling thread's work is to end.
[[nodiscard]] bool cancelled() noexcept;

// Throws Cancelled if the calling thread's work is to end.
void throw_if_cancelled();

}  // namespace upsweep::base
