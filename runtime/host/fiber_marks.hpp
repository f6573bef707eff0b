// Tells the address and thread sanitizers on which stack this host thread runs: Debian's Boost.Context is not built to.
// Nothing in builds without them. CMake defines which of them it is, for all files alike: the compiler's own macros
// differ between files, since those that switch fibers are compiled without a sanitizer.
#pragma once

#include <cstddef>

#if defined(UPSWEEP_MARKS_FOR_ASAN)
#include <sanitizer/common_interface_defs.h>
#elif defined(UPSWEEP_MARKS_FOR_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace upsweep::runtime {

#if defined(UPSWEEP_MARKS_FOR_ASAN)

// A fiber, or the scheduler that resumes it, as the sanitizer knows it.
class FiberMark {
 public:
  // `top` is where the stack starts, as Boost has it.
  void begin(void* top, std::size_t bytes) {
    bottom_ = static_cast<std::byte*>(top) - bytes;
    bytes_ = bytes;
  }
  void end() {}

 private:
  friend class FiberSwitch;
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  void* fake_stack_ = nullptr;
};

// Stands around a switch, on the side that will go on after it: from this stack to the other and back again.
class FiberSwitch {
 public:
  FiberSwitch(FiberMark& from, const FiberMark& to) : from_(&from) {
    __sanitizer_start_switch_fiber(&from.fake_stack_, to.bottom_, to.bytes_);
  }
  FiberSwitch(const FiberSwitch&) = delete;
  FiberSwitch& operator=(const FiberSwitch&) = delete;
  ~FiberSwitch() { __sanitizer_finish_switch_fiber(from_->fake_stack_, nullptr, nullptr); }

  // The first and the last that a fiber does. The scheduler's stack is the one that it was resumed from.
  static void arrive(FiberMark& scheduler) {
    __sanitizer_finish_switch_fiber(nullptr, &scheduler.bottom_, &scheduler.bytes_);
  }
  static void leave(const FiberMark& scheduler) {
    __sanitizer_start_switch_fiber(nullptr, scheduler.bottom_, scheduler.bytes_);
  }

 private:
  FiberMark* from_;
};

// On the scheduler's side and on the fiber's.
using SchedulerSwitch = FiberSwitch;

#else

#if defined(UPSWEEP_MARKS_FOR_TSAN)

class FiberMark {
 public:
  FiberMark() = default;
  FiberMark(const FiberMark&) = delete;
  FiberMark& operator=(const FiberMark&) = delete;
  ~FiberMark() { end(); }
  void begin(void*, std::size_t) {
    end();
    fiber_ = __tsan_create_fiber(0);
  }
  void end() {
    if (fiber_ != nullptr) __tsan_destroy_fiber(fiber_);
    fiber_ = nullptr;
  }

 private:
  friend class SchedulerSwitch;
  void* fiber_ = nullptr;
};

// In one function of the scheduler, before and after: the sanitizer keeps a stack of calls for each fiber, and the
// calls that Boost makes on the way there and back then stand on the fiber's alone.
class SchedulerSwitch {
 public:
  SchedulerSwitch(FiberMark&, const FiberMark& to) : before_(__tsan_get_current_fiber()) {
    __tsan_switch_to_fiber(to.fiber_, 0);
  }
  SchedulerSwitch(const SchedulerSwitch&) = delete;
  SchedulerSwitch& operator=(const SchedulerSwitch&) = delete;
  ~SchedulerSwitch() { __tsan_switch_to_fiber(before_, 0); }

 private:
  void* before_;
};

#else

struct FiberMark {
  void begin(void*, std::size_t) {}
  void end() {}
};
struct SchedulerSwitch {
  SchedulerSwitch(FiberMark&, const FiberMark&) {}
};

#endif

struct FiberSwitch {
  FiberSwitch(FiberMark&, const FiberMark&) {}
  static void arrive(FiberMark&) {}
  static void leave(const FiberMark&) {}
};

#endif

}  // namespace upsweep::runtime
