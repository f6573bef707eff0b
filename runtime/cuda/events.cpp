#include "runtime/cuda/events.hpp"

namespace upsweep::runtime {

Events::~Events() {
  for (const CUevent event : free_) driver_.cuEventDestroy_v2(event);
}

std::vector<CUevent> Events::take(std::size_t count) {
  const std::lock_guard lock(mutex_);
  while (free_.size() < count) {
    free_.reserve(made_ + 1);  // for when all are put back
    CUevent event = nullptr;
    driver_.check(driver_.cuEventCreate(&event, CU_EVENT_DEFAULT), "making a CUDA event");
    free_.push_back(event);
    ++made_;
  }
  std::vector<CUevent> taken(free_.end() - static_cast<std::ptrdiff_t>(count), free_.end());
  free_.resize(free_.size() - count);
  return taken;
}

void Events::put_back(const std::vector<CUevent>& events) noexcept {
  const std::lock_guard lock(mutex_);
  free_.insert(free_.end(), events.begin(), events.end());
}

void Events::Lent::mark(CUstream stream) {
  pool_.driver_.check(pool_.driver_.cuEventRecord(events_.at(marked_), stream), "recording a CUDA event");
  ++marked_;
}

std::vector<double> Events::Lent::between() const {
  const Driver& driver = pool_.driver_;
  std::vector<double> times;
  if (marked_ < 2) return times;
  driver.check(driver.cuEventSynchronize(events_[marked_ - 1]), "waiting for a CUDA event");
  for (std::size_t i = 0; i + 1 < marked_; ++i) {
    float milliseconds = 0;
    driver.check(driver.cuEventElapsedTime(&milliseconds, events_[i], events_[i + 1]), "reading CUDA events");
    times.push_back(static_cast<double>(milliseconds) * 1e3);
  }
  return times;
}

}  // namespace upsweep::runtime
