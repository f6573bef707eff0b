#include "runtime/host/fibers.hpp"

#include <optional>

// There only under AddressSanitizer.
extern "C" __attribute__((weak)) void __asan_unpoison_memory_region(const volatile void* address, std::size_t bytes);

namespace upsweep::runtime {
namespace {

// The stacks are the pool's.
struct KeepStack {
  static boost::context::stack_context allocate() noexcept { return {}; }
  static void deallocate(boost::context::stack_context&) noexcept {}
};

}  // namespace

void HostFibers::start(HostThread& thread, const HostStack& of_thread, const HostLaunch& launch) {
  const boost::context::stack_context& stack = of_thread.context();
  // A kernel compiled with AddressSanitizer leaves its marks on a stack that was given up.
  if (&__asan_unpoison_memory_region != nullptr) {
    __asan_unpoison_memory_region(static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
  }
  const auto body = [this, &launch](boost::context::fiber&& scheduler) {
    FiberSwitch::arrive(scheduler_mark_);
    thread_->started = true;
    scheduler_ = std::move(scheduler);
    try {
      launch.call();
    } catch (const boost::context::detail::forced_unwind&) {
      FiberSwitch::leave(scheduler_mark_);
      throw;
    } catch (...) {
      failure_ = std::current_exception();
    }
    FiberSwitch::leave(scheduler_mark_);
    return std::move(scheduler_);
  };
  thread.started = false;
  thread.mark.begin(stack.sp, stack.size);
  thread.fiber = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                       KeepStack{}, body);
  wake(thread);
}

// Each fiber is unwound by a switch that sanitizers are to know of.
void HostFibers::unwind(HostBlock& block) {
  for (HostThread& thread : block.threads) {
    if (!thread.fiber) continue;
    // A fiber that has not started never runs its body, so it does not mark the switch back.
    std::optional<SchedulerSwitch> marked;
    if (thread.started) marked.emplace(scheduler_mark_, thread.mark);
    thread.fiber = {};
  }
}

void HostFibers::delay() {
  turns_.delay(*thread_);
  yield();
}

void HostFibers::wake(HostThread& thread) {
  thread.state = HostState::runnable;
  turns_.push(thread);
}

void HostFibers::wake_others(HostThread* first, std::size_t count) {
  for (HostThread* thread = first; thread != first + count; ++thread) {
    thread->state = HostState::runnable;
    if (thread != thread_) turns_.push(*thread);
  }
}

}  // namespace upsweep::runtime
