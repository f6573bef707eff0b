#include "cli/interrupt.hpp"

#include <atomic>
#include <chrono>
#include <utility>

namespace upsweep::cli {
namespace {

// A handler can do little more than set a flag; the watcher turns it into a stop request.
std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not wait for a lock");

extern "C" void on_signal(int number) {
  if (!signalled.exchange(true, std::memory_order_relaxed)) return;
  ::signal(number, SIG_DFL);  // whichever of the two the first was
  ::raise(number);
}

}  // namespace

Interrupt::Interrupt(std::function<void()> noticed) {
  signalled = false;
  watcher_ = std::jthread([this, noticed = std::move(noticed)](const std::stop_token& done) {
    constexpr std::chrono::milliseconds step{20};
    while (!done.stop_requested() && !signalled.load(std::memory_order_relaxed)) std::this_thread::sleep_for(step);
    if (!signalled.load(std::memory_order_relaxed)) return;
    source_.request_stop();
    if (noticed) noticed();
  });
  // Last: where there is no thread to watch, signals do what they did.
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &before_interrupt_);
  sigaction(SIGTERM, &action, &before_terminate_);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &before_interrupt_, nullptr);
  sigaction(SIGTERM, &before_terminate_, nullptr);
}

}  // namespace upsweep::cli
