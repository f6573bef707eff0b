// Ctrl-C as a stop token.
#pragma once

#include <csignal>
#include <functional>
#include <stop_token>
#include <thread>

namespace upsweep::cli {

// Exit code after an interrupt, as shells have it: 128 + SIGINT.
inline constexpr int interrupted = 130;

// While it lives, the first SIGINT or SIGTERM asks to stop and the second ends the process at once. One at a time.
class Interrupt {
 public:
  // noticed: called once the first has come, by another thread.
  explicit Interrupt(std::function<void()> noticed = {});
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  std::stop_source source_;
  struct sigaction before_interrupt_ {};
  struct sigaction before_terminate_ {};
  std::jthread watcher_;
};

}  // namespace upsweep::cli
