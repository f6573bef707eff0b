// The host device: runs generated code on the processor, each CUDA thread a fiber, so that everything works without a
// GPU and so that schedules can be made hostile. It is no performance target.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/host/grid.hpp"
#include "runtime/host/schedule.hpp"
#include "runtime/host/stacks.hpp"

namespace upsweep::runtime {

// A launch runs on the calling host thread and is done on return, unless the schedule lets launches overlap; those of
// one stream take turns, as on a GPU. A launch that failed leaves memory as the threads left it, and so does one that
// was cancelled (base/cancellation.hpp). Streams are numbers that are never used twice; any other handle is taken
// for a stream too.
class HostDevice : public Device {
 public:
  // Four multiprocessors, and this machine's memory.
  HostDevice();
  // Limits for tests; memory_bytes of 0 is this machine's memory.
  HostDevice(DeviceIdentity identity, DeviceLimits limits);
  ~HostDevice() override;

  // For the launches from now on.
  void set_schedule(const HostSchedule& schedule);
  [[nodiscard]] HostSchedule schedule() const;

  [[nodiscard]] const DeviceIdentity& identity() const override { return identity_; }
  [[nodiscard]] const DeviceLimits& limits() const override { return limits_; }
  [[nodiscard]] std::string driver_version() const override { return {}; }
  [[nodiscard]] std::string label() const override { return "host"; }
  [[nodiscard]] Target target() const override { return Target::host; }

  [[nodiscard]] std::unique_ptr<Kernel> load(std::span<const std::byte> binary, const std::string& entry,
                                             const LaunchRule& launch) override;
  [[nodiscard]] KernelResources resources(const Kernel& kernel, const Launch& launch) const override;
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
  [[nodiscard]] double elapsed_us(Stream stream, const std::function<void()>& work) override;

 private:
  void check(const Launch& launch) const;
  // A stream's launches that have not run, and whose turn it is there.
  struct Lane {
    std::mutex turn;  // guards what follows
    std::vector<HostLaunch> pending;
    std::exception_ptr failure;  // of launches that nobody waited for
  };
  [[nodiscard]] std::shared_ptr<Lane> lane_of(Stream stream);
  void run(std::vector<HostLaunch> launches);
  void run_pending(Lane& lane);
  void run_all_pending() noexcept;
  [[nodiscard]] std::uint64_t next_seed();

  DeviceIdentity identity_;
  DeviceLimits limits_;
  HostStacks stacks_;
  mutable std::mutex mutex_;  // guards what follows
  HostSchedule schedule_;
  std::uint64_t launches_ = 0;  // since the schedule was set
  std::uint64_t streams_ = 0;
  std::map<const CUstream_st*, std::shared_ptr<Lane>> lanes_;
  std::unordered_map<void*, std::size_t> allocations_;
  std::uint64_t allocated_ = 0;
};

}  // namespace upsweep::runtime
