/// @file
/// Context: one device with its compiled kernels, workspaces and tuning results. Most programs start here.
#pragma once

#include <upsweep/export.hpp>

#include <string>

#include <upsweep/arguments.hpp>
#include <upsweep/config.hpp>
#include <upsweep/context_options.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/typed_calls.hpp>

namespace upsweep::runtime {
class ContextEngine;
}

namespace UPSWEEP_API upsweep {

/// A device with its compiled kernels, workspaces and tuning results.
///
/// **Calls.** A call finds or makes the plan of its problem and launches it. Calls are asynchronous: they return when
/// the kernel is in the stream. On the host device they return when the result is available. The first call of a
/// problem compiles its kernel, unless the kernel is in the cache on disk. The environment variable
/// UPSWEEP_FORCE_CONFIG (a config such as "lookback, load=direct", a config as JSON, or the path of a file with one)
/// overrides the choice of config for every call. If that config is partial, it is completed for each problem, as by
/// plan().
///
/// **Threads.** A context is thread-safe. If several threads need the same kernel, one of them compiles it and the
/// others wait. The CUDA context that is current in the calling thread is the same after the call as before.
///
/// **Address checks.** A null or misaligned address, arrays that overlap, or memory that the device cannot access, is a
/// UsageError. Every call checks for null. The first call of each plan checks for the rest; with UPSWEEP_CHECK=1, every
/// call does. On the host device, accessibility is not checked.
///
/// **Workspaces.** The context owns the temporary device memory of its calls: 16 KB for each stream that it was called
/// with, more for large n. It keeps this memory until release() or the end of the context. Captured calls have memory
/// of their own, which lives until their graph and all executables of the graph are destroyed. A context must outlive
/// the graphs that were captured with it.
///
/// **Parts of a GPU.** A call in a stream of a green context uses the config that is best known for so many
/// multiprocessors, and has no more blocks than fit there. A program may make that context itself, or open a part of a
/// GPU as a device (ContextOptions::device). Then calls without a stream run in a stream of the part
/// (default_stream()). A stream that was not made for the part runs where it belongs.
///
/// **Graphs.** Calls that are captured into one graph may be on parallel branches, and executables of different graphs
/// may run at the same time. The same captured call must not run twice at the same time, because both runs would use
/// one workspace. So do not run two executables of one graph (or of clones of it) at the same time, and do not use one
/// child graph on two parallel branches. Otherwise results can be wrong, the launch can fail and the CUDA context can
/// be lost, or a call with the schedule all_aggregates or last_started may not end. Memory that does not belong to the
/// call is never written. Instead, capture once for each executable, with the context's workspaces or with a workspace
/// of your own (Plan::borrow_workspace()).
///
/// **Fork.** If a process is forked while its threads compute or hold contexts, do not compute in the child. Locks that
/// other threads held are never released in the child, and CUDA does not survive a fork. Make contexts after the fork,
/// or fork and exec. The processes that the library itself starts, such as compilers, are started safely.
class Context : public TypedCalls {
 public:
  /// Opens a device. If "auto" finds no GPU, or a driver that does not work, it uses the host device and prints one
  /// warning per process (set_log_sink()). "host" uses it without a warning.
  /// @throws DeviceError if the device does not exist or cannot be used.
  /// @throws UsageError for an unknown device name, a part that the GPU does not have, or an invalid environment
  /// variable.
  /// @throws DatabaseError if the pinned database cannot be read.
  explicit Context(const ContextOptions& options = {});

  /// Finds the best known config for the problem and its size, and compiles the kernel. The context keeps its plans, so
  /// asking for the same problem and side of a size class again is cheap. The plan is the best known one for arrays
  /// that begin at multiples of 16 bytes. Calls of the context with other arrays may use another plan, because the
  /// context sees their addresses.
  ///
  /// If the tuning database cannot be used (locked, damaged, or owned by another user), the context prints one warning
  /// (set_log_sink()) and uses the shipped results and the defaults. Plans made in that state are kept until
  /// refresh().
  /// @param problem what to compute; problem.size chooses the config, and the plan runs any number of items.
  /// @param stream the stream that is checked for an ongoing capture, and whose multiprocessors the plan is made for:
  /// it may be of a green context. The plan runs in any stream.
  /// @throws UsageError for an invalid problem.
  /// @throws CompilerError if the kernel does not compile.
  /// @throws DeviceError if the kernel would have to be compiled while `stream` is being captured: call plan() or
  /// prepare() before the capture.
  [[nodiscard]] Plan plan(const Problem& problem, Stream stream = nullptr);
  /// Makes a plan with a config of the caller. Such plans are not kept by the context.
  /// @param problem what to compute.
  /// @param config may be partial. ConfigSpace::resolve() completes it, and Plan::config() returns the complete config.
  /// @param stream as above.
  /// @throws UsageError if the config is not valid for this problem on this device; otherwise as plan() above.
  [[nodiscard]] Plan plan(const Problem& problem, const Config& config, Stream stream = nullptr);
  /// Compiles the kernels and allocates the workspaces for calls of up to problem.size items in the stream, also for
  /// arrays that do not begin at multiples of 16 bytes. After that, calls with problem.size items neither compile nor
  /// allocate, so they can be captured, unless their initial value or threshold is in device memory, or they scan along
  /// an axis with another number of items behind it, or several arrays in the place of one. Of captured calls
  /// this holds for the first one of the next capture; the memory then belongs to the graph (Plan::prepare()). The
  /// problem is that of the calls: the accumulator type of a selection is the type of its count, and Problem::key is
  /// the type of flags (u8 for bool) or keys. Errors are those of plan().
  void prepare(const Problem& problem, Stream stream = nullptr);
  /// The same for calls with such arguments: also compiles the kernels that read an initial value or a threshold from
  /// device memory, if `arguments` has one there, and that for other extents of an axis (Problem::inner). Addresses are
  /// not used and may be null.
  void prepare(const Problem& problem, const Arguments& arguments, Stream stream = nullptr);

  /// Forgets a stream, and makes its workspaces available to others, for programs that make and destroy many streams.
  /// Call this function when the work in the stream has ended and before the stream is destroyed, while no other thread
  /// uses the stream.
  /// @throws UsageError while the stream is being captured.
  void release(Stream stream);

  /// Forgets the plans, so that the next calls use the results that this or another process has tuned since.
  void refresh();

  /// The stream in which calls run that pass nullptr. For all but parts of a GPU, that is nullptr, the legacy default
  /// stream. For a part ("cuda:0/16"), it is a stream of the part: it does not wait for work in the legacy default
  /// stream, and that stream does not wait for it. So copy the data in this stream, and synchronize with it.
  [[nodiscard]] Stream default_stream() const;
  /// Name of the device: "cuda:0", "cuda:0/16" or "host".
  [[nodiscard]] std::string device() const;
  /// The identity of the device in the tuning database. The reference is valid while the context lives.
  [[nodiscard]] const DeviceIdentity& device_identity() const;
  /// Limits of the device, which decide what configs are valid. The reference is valid while the context lives.
  [[nodiscard]] const DeviceLimits& device_limits() const;

 private:
  friend class runtime::ContextEngine;
};

}  // namespace upsweep
