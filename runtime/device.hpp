// A device: where kernels run. Two implementations: the CUDA driver API (runtime/cuda) and the host device
// (runtime/host).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>
#include <upsweep/stream.hpp>

namespace upsweep::runtime {

using upsweep::Stream;

// Compiled code for one architecture: a cubin, or a shared library for the host device.
using Binary = std::vector<std::byte>;

// There is less memory than was asked for; what is there can be used on.
struct OutOfDeviceMemory : DeviceError {
  using DeviceError::DeviceError;
};

// What a kernel did (an illegal address, a trap) ended all work of this process on the device: nothing will run there
// until the process starts anew.
struct DeviceRuined : DeviceError {
  using DeviceError::DeviceError;
};

struct Launch {
  std::uint64_t blocks = 1;
  int threads_per_block = 1;
  int shared_bytes = 0;
  int cluster_blocks = 1;    // as in LaunchRule
  bool cooperative = false;  // as in LaunchRule
  bool dependent = false;    // as in LaunchRule
};

// Resources of a loaded kernel, as the device reports them.
struct KernelResources {
  int registers_per_thread = 0;
  int static_shared_bytes = 0;
  int local_bytes_per_thread = 0;  // spills and stack
  int resident_blocks_per_multiprocessor = 0;
};

// How fast a device runs just now.
struct ClockState {
  int multiprocessor_mhz = 0;  // 0: not known
  std::string throttled_by;    // what holds the clocks down ("power cap"); empty: nothing, or not known
  [[nodiscard]] bool throttled() const noexcept { return !throttled_by.empty(); }
};

// A call in a graph that is being captured: a handle, for comparison.
using CapturedCall = const void*;

// Equal calls in a row.
struct Batch {
  std::function<void()> call;  // adds it to the stream
  int calls = 1;
  double call_us = 0;  // about what the device takes for one; 0: not known
  int launches = 3;    // that a call makes at most: streams hold no more than some
};

// Work that a stream was given once, and that can be given to it again: at a cost to the host that hardly grows with
// it.
class Recording {
 public:
  virtual ~Recording() = default;
  virtual void replay(Stream stream) = 0;  // adds it to the stream
};

// Pieces of work that a stream was given to be timed. Waits for them when it is destroyed; must not outlive the device.
class StartedTiming {
 public:
  virtual ~StartedTiming() = default;
  // Waits for them: a value a piece, in microseconds. To be called once. Throws DeviceError.
  [[nodiscard]] virtual std::vector<double> finish() = 0;
};

// A loaded binary, ready to launch. Unloads when destroyed.
class Kernel {
 public:
  virtual ~Kernel() = default;
};

// Memory of a device. Thread-safe, as all of Device.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;  // OutOfDeviceMemory says how much was asked and is free
  virtual void release(void* memory) noexcept = 0;
  virtual void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) = 0;  // done on return
  virtual void copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) = 0;    // done on return
  virtual void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) = 0;  // in stream order
  virtual void fill(void* memory, std::uint8_t byte, std::size_t bytes, Stream stream) = 0;       // in stream order
  // Zeroed memory, ready on return for any stream, allowed while a stream is being captured into a graph.
  [[nodiscard]] virtual void* allocate_zeroed(std::size_t bytes) = 0;
};

// How long work on a device takes, in microseconds. Thread-safe, as all of Device.
class DeviceTiming {
 public:
  virtual ~DeviceTiming() = default;

  // Time from before to after the work on the stream (device events; host clock on the host device).
  [[nodiscard]] virtual double elapsed_us(Stream stream, const std::function<void()>& work) = 0;
  // The same for several pieces of work in a row. Returns when the stream has them, where the device works beside the
  // host.
  [[nodiscard]] virtual std::unique_ptr<StartedTiming> start_timing(Stream stream,
                                                                    std::span<const std::function<void()>> works);
  // What `work` adds to the stream, which is not run now. Null where it cannot be kept as it would run. What `work`
  // reads and writes must live as long as the recording, which must not outlive the device.
  [[nodiscard]] virtual std::unique_ptr<Recording> record(Stream stream, const std::function<void()>& work);
  // The time of many calls, a value a batch of them. Where the device is faster than the host makes calls, it begins
  // when it will not catch up any more, so that the time is the device's; so a call must not wait for the device.
  [[nodiscard]] virtual std::vector<double> back_to_back_us(Stream stream, std::span<const Batch> batches);
  // Does not touch the device's work queues. Throws nothing: what cannot be read is not known.
  [[nodiscard]] virtual ClockState clocks() const { return {}; }
};

// Thread-safe. Every call leaves the calling thread's current CUDA context as it found it. Failures throw DeviceError.
class Device : public DeviceMemory, public DeviceTiming {
 public:
  [[nodiscard]] virtual const DeviceIdentity& identity() const = 0;
  [[nodiscard]] virtual const DeviceLimits& limits() const = 0;
  [[nodiscard]] virtual std::string driver_version() const = 0;
  [[nodiscard]] virtual std::string label() const = 0;  // "cuda:0", "cuda:0/16" or "host"
  [[nodiscard]] virtual Target target() const = 0;

  [[nodiscard]] virtual std::unique_ptr<Kernel> load(std::span<const std::byte> binary, const std::string& entry,
                                                     const LaunchRule& launch) = 0;
  [[nodiscard]] virtual KernelResources resources(const Kernel& kernel, const Launch& launch) const = 0;
  // The stream that calls run in which name none, as another library must name it: nullptr, but for a part of a GPU.
  [[nodiscard]] virtual Stream default_stream() const { return nullptr; }
  // How many multiprocessors serve the stream: fewer than the device has in a green context (CUDA driver API, "Green
  // Contexts"), never more.
  [[nodiscard]] virtual int multiprocessors_of(Stream /*stream*/) const { return limits().multiprocessors; }
  // Throws UsageError, saying what to pass, where kernels on this device cannot use the address, as far as can be told.
  // `what`: "in", "out", "initial".
  virtual void check_pointer(const void* /*address*/, const char* /*what*/) const {}
  // arguments: one pointer per kernel parameter, read before the call returns. Generated kernels have one parameter
  // (ArgumentsRule), and the host device knows no others.
  virtual void launch(const Kernel& kernel, const Launch& launch, void** arguments, Stream stream) = 0;

  [[nodiscard]] virtual Stream create_stream() = 0;
  virtual void destroy_stream(Stream stream) noexcept = 0;
  virtual void synchronize(Stream stream) = 0;
  // Identifies the work queue behind a handle, which may be reused for another stream after it was destroyed: equal
  // only for the same stream, and for the same capture if the stream is being captured.
  struct StreamIdentity {
    std::uint64_t stream = 0;
    std::uint64_t capture = 0;  // 0: not being captured
    auto operator<=>(const StreamIdentity&) const = default;
  };
  [[nodiscard]] virtual StreamIdentity identify(Stream stream) = 0;

  // ---- of a stream that is being captured; devices that capture nothing keep these

  // The call that was captured last on the stream; null where the device cannot tell.
  [[nodiscard]] virtual CapturedCall last_captured(Stream stream);
  // Whether what is captured next on the stream runs after that call, of the same capture, in every replay of the
  // graph. False where the device cannot tell.
  [[nodiscard]] virtual bool runs_after(Stream stream, CapturedCall call);
  // Calls `then(data)` once, when the graph that is being captured, its copies and its executables are gone and no
  // replay is left. It is called from any thread and must neither wait nor use the device. False: it will not be
  // called.
  [[nodiscard]] virtual bool when_graph_is_gone(Stream stream, void (*then)(void*) noexcept, void* data);
};

// Device memory that frees itself.
class Buffer {
 public:
  Buffer() = default;
  Buffer(DeviceMemory& device, std::size_t bytes) : device_(&device), data_(device.allocate(bytes)), bytes_(bytes) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (data_ != nullptr) device_->release(data_);
  }
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  DeviceMemory* device_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace upsweep::runtime
