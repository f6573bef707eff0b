#include <upsweep/log.hpp>

#include <cstdio>
#include <mutex>
#include <utility>

namespace upsweep {
namespace {

std::mutex mutex;

std::function<void(const std::string&)>& sink() {
  static std::function<void(const std::string&)> current = [](const std::string& message) {
    std::fprintf(stderr, "upsweep: %s\n", message.c_str());
  };
  return current;
}

}  // namespace

std::function<void(const std::string&)> set_warning_sink(std::function<void(const std::string&)> replacement) {
  const std::lock_guard lock(mutex);
  return std::exchange(sink(), std::move(replacement));
}

void warn(const std::string& message) {
  std::function<void(const std::string&)> current;
  {
    const std::lock_guard lock(mutex);
    current = sink();
  }
  if (current) current(message);
}

}  // namespace upsweep
