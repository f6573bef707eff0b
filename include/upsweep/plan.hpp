// A plan: all that a call needs for a problem on a device. Looked up and compiled once, run many times.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/source.hpp>

namespace upsweep {

// cudaStream_t or CUstream; nullptr is the default stream.
using Stream = void*;

namespace runtime {
class Engine;
struct PlanState;
}  // namespace runtime

// Device memory that the caller brings for one plan instead of the context's own. Use it with one stream at a time, and
// keep it until the work has run. Made by Plan::borrow_workspace.
class BorrowedWorkspace {
 public:
  [[nodiscard]] void* memory() const noexcept { return memory_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] const std::string& layout() const noexcept { return layout_; }

 private:
  friend class Plan;
  void* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::string layout_;
};

// The shell command that tunes a problem.
[[nodiscard]] std::string tune_command(const Problem& problem);

// A handle; copies share one plan. Thread-safe, and valid for as long as any copy lives, beyond the context's life too.
class Plan {
 public:
  explicit Plan(std::shared_ptr<const runtime::PlanState> state) : state_(std::move(state)) {}

  // Nothing but a launch, in stream order. Pointers are device pointers, aligned for their types (of complex ones to 8
  // and 16 bytes, more than std::complex asks for); `in` holds n items of the input type, `out` room for n items of the
  // output type (one for a reduce), which may be the same memory where the types are of one size. `initial` is of the
  // accumulator type: what an exclusive scan or a reduce starts from, the operator's identity if left out. n = 0 is
  // allowed; a reduce then gives `initial`. Throws UsageError for an `initial` of another type, and DeviceError where
  // the launch fails, or where the workspace would have to grow while the stream is being captured and no memory can be
  // had: see `prepare`.
  void run(const void* in, void* out, std::uint64_t n, Stream stream = nullptr) const;
  void run(const void* in, void* out, std::uint64_t n, const Scalar& initial, Stream stream = nullptr) const;
  // With the caller's workspace. Throws UsageError if it is too small or was made for another layout.
  void run(const void* in, void* out, std::uint64_t n, const Scalar& initial, Stream stream,
           const BorrowedWorkspace& workspace) const;

  // Sees to it that calls of up to n items on the stream allocate nothing.
  void prepare(std::uint64_t n, Stream stream = nullptr) const;

  // Bytes of workspace that n items need; 0 if the kernel needs none.
  [[nodiscard]] std::uint64_t workspace_bytes(std::uint64_t n) const;
  // Clears `bytes` bytes of device memory, aligned to 128, in stream order, for use with `run`. Better align it to 512:
  // at other addresses some calls take 15% longer (docs/tuning.md, "Where a workspace lies").
  [[nodiscard]] BorrowedWorkspace borrow_workspace(void* memory, std::uint64_t bytes, Stream stream = nullptr) const;

  [[nodiscard]] const Problem& problem() const noexcept;
  [[nodiscard]] const Config& config() const noexcept;
  [[nodiscard]] const Source& source() const noexcept;
  // Where the config comes from: "exact", "nearest_size", ... and one sentence why.
  [[nodiscard]] std::string rung() const;
  [[nodiscard]] const std::string& reason() const noexcept;
  // Whether the result is bit-identical from run to run on this device.
  [[nodiscard]] bool reproducible() const;
  // Problem, device, rung, config, resources, and the command that would tune it; several lines for people.
  [[nodiscard]] std::string explain() const;

 private:
  std::shared_ptr<const runtime::PlanState> state_;
};

}  // namespace upsweep
