// How many multiprocessors serve a stream, remembered for calls that come again and again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "runtime/device.hpp"

namespace upsweep::runtime {

// Thread-safe. Streams are known by their handles, so that a call asks the driver nothing. A handle may come to name a
// stream of another green context, once its stream was destroyed: it is asked about anew after some calls, and when the
// stream is released. Until then, calls use the config of a partition that is larger or smaller. So where results must
// not depend on that, every call asks. A look-up takes 26 ns, of about 3 us that a call takes, and none where the
// stream is null (one thread).
class StreamSizes {
 public:
  StreamSizes(std::shared_ptr<const Device> device, bool asks_always)
      : device_(std::move(device)), asks_always_(asks_always) {}

  [[nodiscard]] int of(Stream stream) {
    if (stream.handle() == nullptr) return device_->limits().multiprocessors;
    if (asks_always_) return device_->multiprocessors_of(stream);
    {
      const std::shared_lock lock(mutex_);
      const auto at = known_.find(stream.handle());
      if (at != known_.end() && at->second.calls.fetch_add(1, std::memory_order_relaxed) < calls_between_questions) {
        return at->second.multiprocessors;
      }
    }
    return ask(stream);
  }

  void forget(Stream stream) {
    const std::unique_lock lock(mutex_);
    known_.erase(stream.handle());
  }

 private:
  static constexpr std::uint32_t calls_between_questions = 1000;
  static constexpr std::size_t most_known = 4096;

  struct Known {
    int multiprocessors = 0;
    std::atomic<std::uint32_t> calls{0};  // since it was asked about
  };

  [[nodiscard]] int ask(Stream stream) {
    const int multiprocessors = device_->multiprocessors_of(stream);
    const std::unique_lock lock(mutex_);
    if (known_.size() >= most_known) known_.clear();  // of streams that were destroyed
    Known& known = known_[stream.handle()];
    known.multiprocessors = multiprocessors;
    known.calls.store(0, std::memory_order_relaxed);
    return multiprocessors;
  }

  std::shared_ptr<const Device> device_;
  bool asks_always_;
  std::shared_mutex mutex_;
  std::unordered_map<const CUstream_st*, Known> known_;
};

}  // namespace upsweep::runtime
