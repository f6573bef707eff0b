// Faults that a worker commits when it is told to, so that what a tune makes of them can be tested.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include <upsweep/source.hpp>

namespace upsweep::tuner {

enum class Fault : std::uint8_t {
  none,
  crash,    // the process dies by a segmentation fault
  hang,     // the process waits for ever
  lie,      // the last result of each call is another than the kernel's
  oom,      // the device's memory is out
  loop,     // the kernel never ends
  outside,  // the kernel writes far outside of its output
  wrong,    // the kernel writes its results one item too far
  smem      // the kernel asks for more shared memory than there is (CUDA only)
};

// Which run commits which fault.
class Faults {
 public:
  // "crash@3,hang@5": the third run crashes, the fifth hangs; runs are counted from 1 and across workers. Throws
  // UsageError naming the faults there are.
  [[nodiscard]] static Faults parse(std::string_view text);
  // From UPSWEEP_WORKER_FAULTS.
  [[nodiscard]] static Faults from_environment();

  [[nodiscard]] bool empty() const noexcept { return by_run_.empty(); }
  [[nodiscard]] Fault at(std::uint64_t run) const;

 private:
  std::map<std::uint64_t, Fault> by_run_;
};

// Whether the fault is one of the kernel's text.
[[nodiscard]] bool is_of_text(Fault fault) noexcept;
// The source with that fault in the kernel.
[[nodiscard]] Source with_fault(Source source, Fault fault);

}  // namespace upsweep::tuner
