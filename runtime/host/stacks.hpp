// Stacks for the host device's threads, kept for the next launch.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include <boost/context/stack_context.hpp>

namespace upsweep::runtime {

// A mapping with a guard page below the stack.
class HostStack {
 public:
  // `colour` staggers the tops: stacks at equal distances would all lie in the same few sets of the cache.
  // Throws DeviceError if there is no memory.
  explicit HostStack(std::size_t colour);
  HostStack(HostStack&& other) noexcept;
  HostStack& operator=(HostStack&& other) noexcept;
  ~HostStack();

  [[nodiscard]] const boost::context::stack_context& context() const noexcept { return context_; }

 private:
  void* mapping_ = nullptr;
  boost::context::stack_context context_;
};

// Thread-safe.
class HostStacks {
 public:
  [[nodiscard]] std::vector<HostStack> take(std::size_t count);
  void give_back(std::vector<HostStack> stacks) noexcept;

 private:
  std::mutex mutex_;
  std::vector<HostStack> free_;
};

}  // namespace upsweep::runtime
