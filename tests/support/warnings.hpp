// The warnings of the library, for one test.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/log.hpp>

namespace upsweep::test {

// Collects warnings while it lives.
class Warnings {
 public:
  Warnings() {
    before_ = set_log_sink([this](LogLevel, const std::string& text) {
      const std::lock_guard lock(mutex_);
      texts_.push_back(text);
    });
  }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;
  ~Warnings() { set_log_sink(std::move(before_)); }
  [[nodiscard]] std::vector<std::string> texts() const {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
  LogSink before_;
};

}  // namespace upsweep::test
