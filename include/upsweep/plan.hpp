/// @file
/// Plan: the compiled kernels for a problem on a device. Made once, run many times.
#pragma once

#include <upsweep/export.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <upsweep/arguments.hpp>
#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/source.hpp>
#include <upsweep/stream.hpp>

namespace upsweep::runtime {
class Engine;
struct PlanState;
}  // namespace upsweep::runtime

namespace UPSWEEP_API upsweep {

/// Device memory of the caller that a plan uses as workspace instead of the context's memory. Plan::borrow_workspace()
/// makes it. The memory is not owned: keep it until the work that uses it has ended. Calls that use the same memory
/// must not run at the same time: use it in one stream at a time, or in one executable of a graph at a time.
class BorrowedWorkspace {
 public:
  /// Address of the memory.
  [[nodiscard]] void* memory() const noexcept { return memory_; }
  /// Size of the memory, in bytes.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Name of the layout that the memory was cleared for; only plans with this layout can use it.
  [[nodiscard]] const std::string& layout() const noexcept { return layout_; }
  /// Sizes of the parts that the memory is divided into, in bytes; the parts lie one after the other.
  [[nodiscard]] const std::vector<std::uint64_t>& parts() const noexcept { return parts_; }

 private:
  friend class Plan;
  void* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::string layout_;
  std::vector<std::uint64_t> parts_;
};

/// The shell command that tunes a problem at its size: `upsweep tune ...`.
[[nodiscard]] std::string tune_command(const Problem& problem);

/// The compiled kernels for a problem on a device, with the config that was chosen for it. Context::plan() makes plans.
/// A call launches the kernels one after the other; each of them is a step. Most plans have one step.
///
/// A Plan is a handle: copies share one plan. Plans are thread-safe. A plan stays valid as long as a copy of it lives,
/// also after the context is destroyed.
class Plan {
 public:
  /// For the library; programs get plans from Context::plan().
  explicit Plan(std::shared_ptr<const runtime::PlanState> state) : state_(std::move(state)) {}

  /// Launches the steps in stream order, starting from the identity of the operator. The call does not look up
  /// configs and does not compile.
  ///
  /// `in` and `out` are device addresses, aligned to the size of an item (8 bytes for c64, 16 bytes for c128, which is
  /// more than std::complex requires). They may be the same memory if the input and output types have the same size;
  /// they must not overlap in any other way.
  ///
  /// A call may start before the previous kernel in the stream has ended. It then waits for that kernel before it
  /// touches memory (ContextOptions::dependent_launch). If a kernel of your own between two calls is launched with
  /// programmatic stream serialization, it must wait too, with cudaGridDependencySynchronize or griddepcontrol.wait.
  /// Otherwise the second call may run at the same time as your kernel.
  /// @param in n items of the input type; may be null if n is 0.
  /// @param out room for n items of the output type, or for one item if the algorithm is reduce.
  /// @param n number of items; it may differ from problem().size. With n = 0 a scan does nothing and a reduce writes
  /// the initial value.
  /// @param stream the stream to run in, of the device that the plan was made for; nullptr is the device's default
  /// stream (Context::default_stream()).
  /// @throws UsageError for invalid addresses (see Context).
  /// @throws DeviceError if the launch fails, or if the workspace would have to grow while the stream is being captured
  /// and no memory is available: see prepare().
  void run(const void* in, void* out, std::uint64_t n, Stream stream = nullptr) const;
  /// The same with an initial value, which an exclusive scan or a reduce starts from.
  /// @param in,out,n,stream as above.
  /// @param initial a value of the accumulator type, on the host; an inclusive scan ignores its value.
  /// @throws UsageError if `initial` has another type; otherwise as above.
  void run(const void* in, void* out, std::uint64_t n, const Scalar& initial, Stream stream = nullptr) const;
  /// The same with a workspace of the caller.
  /// @param in,out,n,initial,stream as above.
  /// @param workspace made by borrow_workspace() of a plan with the same layout.
  /// @throws UsageError if the workspace is too small for n items or was made for another layout; otherwise as above.
  void run(const void* in, void* out, std::uint64_t n, const Scalar& initial, Stream stream,
           const BorrowedWorkspace& workspace) const;

  /// The general form: arrays and scalars by name, for every algorithm. Addresses and errors are those of the calls
  /// above.
  /// @param arguments the arrays that ports() lists and any of the scalars that scalars() lists. A scalar in device
  /// memory, an initial value or a threshold, must not lie within an output that has an item for each input item. It
  /// may be an output of one value, the result of a reduce or a count, which then takes its place.
  /// @param stream as above.
  /// @throws UsageError for a name that the problem does not have, a missing array, or an output whose address is
  /// const; otherwise as above.
  /// @throws CompilerError if a scalar is in device memory, or an axis has other extents than the plan's kernel is for
  /// (Problem::inner), and the kernel for that does not compile.
  /// @throws DeviceError if that kernel would have to be compiled while the stream is being captured: see prepare();
  /// otherwise as above.
  void run(const Arguments& arguments, Stream stream = nullptr) const;
  /// The same with a workspace of the caller.
  /// @throws UsageError, too, for an axis of other extents than the plan's kernel is for (Problem::inner).
  void run(const Arguments& arguments, Stream stream, const BorrowedWorkspace& workspace) const;

  /// Prepares for calls with such arguments, of up to arguments.items() items: compiles the kernel that reads an
  /// initial value or a threshold from device memory, if the arguments have one there, and the kernel for an axis of
  /// other extents than the plan's kernel is for (Problem::inner), and allocates the workspace. Addresses are not used
  /// and may be null. Without this, the first such call compiles the kernel.
  /// @throws UsageError for a name that the problem does not have, a missing array, or an output whose address is
  /// const.
  /// @throws CompilerError if the kernel does not compile.
  void prepare(const Arguments& arguments, Stream stream = nullptr) const;

  /// Allocates the workspace for calls of up to n items, so that later calls in the stream do not allocate. (Calls
  /// along an axis of other extents than the plan's kernel is for need prepare() with their arguments.) The first call
  /// of a capture that begins later does not allocate either. Captured calls keep their memory as long as their graph
  /// exists, so call prepare() again before the next capture. Other captured calls allocate memory of their own if they
  /// may run at the same time as another call of the graph.
  void prepare(std::uint64_t n, Stream stream = nullptr) const;

  /// Size of the workspace for n items, in bytes; 0 if no step needs any. The workspace has the state that kernels keep
  /// between calls, and the scratch through which the steps of one call pass values on.
  [[nodiscard]] std::uint64_t workspace_bytes(std::uint64_t n) const;
  /// Prepares device memory of the caller as a workspace for run(): clears the state in stream order.
  /// @param memory device memory, aligned to 128 bytes. An alignment of 512 bytes is better: at other addresses some
  /// calls take 15% longer (docs/notes/tuning-log.md, "Where a workspace lies").
  /// @param bytes size of the memory, at least workspace_bytes(n).
  /// @param stream the stream in which the memory is cleared.
  /// @throws UsageError if the memory is not aligned to 128 bytes.
  [[nodiscard]] BorrowedWorkspace borrow_workspace(void* memory, std::uint64_t bytes, Stream stream = nullptr) const;

  /// The problem that the plan was made for.
  [[nodiscard]] const Problem& problem() const noexcept;
  /// The config that was chosen. It is complete, also if the caller's config was partial.
  [[nodiscard]] const Config& config() const noexcept;
  /// Number of steps: of kernels that a call launches, one after the other. At least one.
  [[nodiscard]] std::size_t steps() const noexcept;
  /// The generated CUDA source of a step and its launch parameters.
  /// @param step below steps(); most plans have only step 0.
  /// @throws UsageError if there is no such step.
  [[nodiscard]] const Source& source(std::size_t step = 0) const;
  /// How well the config matches the problem: "exact", "nearest_size", "nearest_device", "type_class", "built_in" or
  /// "forced" (see the page "Tuning database").
  [[nodiscard]] std::string rung() const;
  /// One sentence that says where the config comes from.
  [[nodiscard]] const std::string& reason() const noexcept;
  /// Whether results are bit-identical from run to run on this device.
  [[nodiscard]] bool reproducible() const;
  /// What the compiled kernel of each step needs, as text for people: registers and bytes of local memory per thread,
  /// and how many of its blocks fit on a multiprocessor. On the host device the text says that these are not known.
  [[nodiscard]] std::string resources() const;
  /// A text of several lines for people: problem, device, rung, config, launch, resources, and the command that tunes
  /// the problem.
  [[nodiscard]] std::string explain() const;
  /// For upsweep's own tools. The type runtime::PlanState is not part of the public interface.
  [[nodiscard]] const runtime::PlanState& state() const noexcept { return *state_; }

 private:
  std::shared_ptr<const runtime::PlanState> state_;
};

}  // namespace upsweep
