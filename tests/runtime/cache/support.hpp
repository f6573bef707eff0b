// A directory, a warning sink and environment variables for one test each.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/log.hpp>

#include "runtime/cache/binary_cache.hpp"
#include "runtime/cache/record.hpp"
#include "tests/support/test_folder.hpp"

namespace upsweep::runtime::test {

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

// Sets a variable, or unsets it for a null value, and puts it back.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value != nullptr) {
      ::setenv(name_, value, 1);
    } else {
      ::unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

inline Binary bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return Binary(begin, begin + text.size());
}

inline Binary read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return bytes_of(std::string(std::istreambuf_iterator<char>(file), {}));
}

inline void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Sets when a file was last used.
inline void set_last_use(const std::filesystem::path& path, const timespec& time) {
  const timespec times[2] = {time, time};
  if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) throw std::runtime_error("cannot date " + path.string());
}

// The same, a number of seconds before now.
inline void set_age(const std::filesystem::path& path, int seconds) {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec -= seconds;
  set_last_use(path, time);
}

}  // namespace upsweep::runtime::test
