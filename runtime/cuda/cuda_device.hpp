// A GPU through the CUDA driver API.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/events.hpp"
#include "runtime/cuda/green_context.hpp"
#include "runtime/cuda/nvml.hpp"
#include "runtime/cuda/stream_hold.hpp"
#include "runtime/device.hpp"

namespace upsweep::runtime {

class CudaDevice final : public Device {
 public:
  // Number of GPUs; 0 where there is no driver.
  [[nodiscard]] static int count() noexcept;
  // The device of the calling thread's current CUDA context, if it has one.
  [[nodiscard]] static std::optional<int> current() noexcept;
  // Runs in the context that is current in the calling thread, if it is on this device (a framework's, a green
  // context), else in the device's primary context, which is the CUDA runtime's. Throws DeviceError.
  [[nodiscard]] static std::shared_ptr<CudaDevice> open(int ordinal);
  // A part of its multiprocessors: what it is given runs in streams of a green context, which it makes itself.
  // Throws UsageError for a part that the device cannot have, and DeviceError.
  [[nodiscard]] static std::shared_ptr<CudaDevice> open(int ordinal, const Part& part);

  CudaDevice(const Driver& driver, CUdevice device, int ordinal, const std::optional<Part>& part = std::nullopt);
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  ~CudaDevice() override;

  [[nodiscard]] const DeviceIdentity& identity() const override { return identity_; }
  [[nodiscard]] const DeviceLimits& limits() const override { return limits_; }
  [[nodiscard]] std::string driver_version() const override;
  [[nodiscard]] std::string label() const override;
  [[nodiscard]] Target target() const override { return Target::cuda; }

  [[nodiscard]] std::unique_ptr<Kernel> load(std::span<const std::byte> binary, const std::string& entry,
                                             const LaunchRule& launch) override;
  [[nodiscard]] KernelResources resources(const Kernel& kernel, const Launch& launch) const override;
  [[nodiscard]] Stream default_stream() const override;
  [[nodiscard]] int multiprocessors_of(Stream stream) const override;
  // What parts of the device can be opened. Throws DeviceError where it has none.
  [[nodiscard]] PartSizes part_sizes() const;
  void check_pointer(const void* address, const char* what) const override;
  void launch(const Kernel& kernel, const Launch& launch, void** arguments, Stream stream) override;

  [[nodiscard]] void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) override;
  void copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) override;
  void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) override;
  void fill(void* memory, std::uint8_t byte, std::size_t bytes, Stream stream) override;
  [[nodiscard]] void* allocate_zeroed(std::size_t bytes) override;

  [[nodiscard]] Stream create_stream() override;
  void destroy_stream(Stream stream) noexcept override;
  void synchronize(Stream stream) override;
  [[nodiscard]] StreamIdentity identify(Stream stream) override;
  [[nodiscard]] CapturedCall last_captured(Stream stream) override;
  [[nodiscard]] bool runs_after(Stream stream, CapturedCall call) override;
  [[nodiscard]] bool when_graph_is_gone(Stream stream, void (*then)(void*) noexcept, void* data) override;
  [[nodiscard]] double elapsed_us(Stream stream, const std::function<void()>& work) override;
  [[nodiscard]] std::unique_ptr<StartedTiming> start_timing(Stream stream,
                                                            std::span<const std::function<void()>> works) override;
  // CUDA graphs. None of the legacy stream, and none by drivers whose graphs lose dependent launches.
  [[nodiscard]] std::unique_ptr<Recording> record(Stream stream, const std::function<void()>& work) override;
  [[nodiscard]] std::vector<double> back_to_back_us(Stream stream, std::span<const Batch> batches) override;
  [[nodiscard]] ClockState clocks() const override;

 private:
  // The device begins when so many calls are in the stream.
  [[nodiscard]] std::vector<double> while_held(Stream stream, std::span<const Batch> batches, int held);
  [[nodiscard]] double in_parts(Stream stream, const Batch& batch, int most);
  // False where the driver cannot hold streams.
  [[nodiscard]] bool hold_stream(Stream stream);
  [[nodiscard]] int attribute(CUdevice_attribute which) const;
  // The capture that the stream is part of; the context must be current.
  [[nodiscard]] std::optional<std::uint64_t> captured_as(CUstream stream) const;
  void read_identity();
  void read_limits();
  void read_partition();
  void take_context(const std::optional<Part>& part);
  // The stream of the driver: of a part, another one for the legacy stream, which has all of the device.
  [[nodiscard]] CUstream queue(Stream stream) const;

  const Driver& driver_;
  CUdevice device_;
  int ordinal_;
  CUcontext context_ = nullptr;
  bool retained_ = false;
  std::unique_ptr<GreenPart> part_;      // null: all that the context has
  mutable std::mutex green_mutex_;       // "can be used safely from only one CPU thread at a time" (cuda.h, CUgreenCtx)
  int all_multiprocessors_ = 0;          // of the device
  bool graphs_keep_dependence_ = false;  // whether a dependent launch may be captured
  DeviceIdentity identity_;
  DeviceLimits limits_;
  std::unique_ptr<Events> events_ = std::make_unique<Events>(driver_);
  std::mutex hold_mutex_;             // locked while a stream is held
  std::unique_ptr<StreamHold> hold_;  // made at the first use
  bool hold_failed_ = false;
  double host_us_ = 3;                     // what the host took for a call lately
  mutable std::once_flag monitor_opened_;  // NVML is loaded by those who ask for clocks
  mutable std::unique_ptr<ClockMonitor> monitor_;
};

}  // namespace upsweep::runtime
