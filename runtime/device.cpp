#include "runtime/device.hpp"

#include <utility>

#include <fmt/format.h>

#include "runtime/compiler.hpp"

namespace upsweep::runtime {

std::string numbered(const std::string& text) {
  std::string result;
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    result += fmt::format("{:4} | {}\n", line, std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::unique_ptr<StartedTiming> Device::start_timing(Stream stream, std::span<const std::function<void()>> works) {
  struct Done final : StartedTiming {
    std::vector<double> finish() override { return std::move(times); }
    std::vector<double> times;
  };
  auto done = std::make_unique<Done>();
  for (const std::function<void()>& work : works) done->times.push_back(elapsed_us(stream, work));
  return done;
}

CapturedCall Device::last_captured(Stream /*stream*/) {
  return nullptr;
}

bool Device::runs_after(Stream /*stream*/, CapturedCall /*call*/) {
  return false;
}

bool Device::when_graph_is_gone(Stream /*stream*/, void (* /*then*/)(void*) noexcept, void* /*data*/) {
  return false;
}

std::unique_ptr<Recording> Device::record(Stream /*stream*/, const std::function<void()>& /*work*/) {
  return nullptr;
}

std::vector<double> Device::back_to_back_us(Stream stream, std::span<const Batch> batches) {
  std::vector<double> times;
  for (const Batch& batch : batches) {
    times.push_back(elapsed_us(stream, [&] {
      for (int i = 0; i < batch.calls; ++i) batch.call();
    }));
  }
  return times;
}

}  // namespace upsweep::runtime
