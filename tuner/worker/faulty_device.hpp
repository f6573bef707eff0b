// A device that fails on demand, and is the one beneath it otherwise.
#pragma once

#include <memory>
#include <set>

#include <upsweep/problem.hpp>

#include "runtime/compiler.hpp"
#include "runtime/device.hpp"
#include "tuner/worker/faults.hpp"

namespace upsweep::tuner {

class FaultyDevice final : public runtime::Device {
 public:
  FaultyDevice(std::shared_ptr<runtime::Device> device, std::shared_ptr<runtime::Compiler> compiler,
               const Problem& problem)
      : device_(std::move(device)), compiler_(std::move(compiler)), problem_(problem) {}

  // For the kernel of that source, if it is loaded before the device is armed anew.
  void arm(Fault fault, Source source) {
    fault_ = fault;
    source_ = std::move(source);
    liars_.clear();
  }

  [[nodiscard]] const DeviceIdentity& identity() const override { return device_->identity(); }
  [[nodiscard]] const DeviceLimits& limits() const override { return device_->limits(); }
  [[nodiscard]] std::string driver_version() const override { return device_->driver_version(); }
  [[nodiscard]] std::string label() const override { return device_->label(); }
  [[nodiscard]] Target target() const override { return device_->target(); }

  [[nodiscard]] std::unique_ptr<runtime::Kernel> load(std::span<const std::byte> binary, const std::string& entry,
                                                      const LaunchRule& launch) override;
  [[nodiscard]] runtime::KernelResources resources(const runtime::Kernel& kernel,
                                                   const runtime::Launch& launch) const override {
    return device_->resources(kernel, launch);
  }
  [[nodiscard]] runtime::Stream default_stream() const override { return device_->default_stream(); }
  [[nodiscard]] int multiprocessors_of(runtime::Stream stream) const override {
    return device_->multiprocessors_of(stream);
  }
  void check_pointer(const void* address, const char* what) const override { device_->check_pointer(address, what); }
  void launch(const runtime::Kernel& kernel, const runtime::Launch& launch, void** arguments,
              runtime::Stream stream) override;

  [[nodiscard]] void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override { device_->release(memory); }
  void copy_to_device(void* to, const void* from, std::size_t bytes, runtime::Stream stream) override {
    device_->copy_to_device(to, from, bytes, stream);
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes, runtime::Stream stream) override {
    device_->copy_to_host(to, from, bytes, stream);
  }
  void copy_on_device(void* to, const void* from, std::size_t bytes, runtime::Stream stream) override {
    device_->copy_on_device(to, from, bytes, stream);
  }
  void fill(void* memory, std::uint8_t byte, std::size_t bytes, runtime::Stream stream) override {
    device_->fill(memory, byte, bytes, stream);
  }
  [[nodiscard]] void* allocate_zeroed(std::size_t bytes) override { return device_->allocate_zeroed(bytes); }

  [[nodiscard]] runtime::Stream create_stream() override { return device_->create_stream(); }
  void destroy_stream(runtime::Stream stream) noexcept override { device_->destroy_stream(stream); }
  void synchronize(runtime::Stream stream) override { device_->synchronize(stream); }
  [[nodiscard]] StreamIdentity identify(runtime::Stream stream) override { return device_->identify(stream); }
  [[nodiscard]] runtime::CapturedCall last_captured(runtime::Stream stream) override {
    return device_->last_captured(stream);
  }
  [[nodiscard]] bool runs_after(runtime::Stream stream, runtime::CapturedCall call) override {
    return device_->runs_after(stream, call);
  }
  [[nodiscard]] bool when_graph_is_gone(runtime::Stream stream, void (*then)(void*) noexcept, void* data) override {
    return device_->when_graph_is_gone(stream, then, data);
  }
  [[nodiscard]] double elapsed_us(runtime::Stream stream, const std::function<void()>& work) override {
    return device_->elapsed_us(stream, work);
  }
  [[nodiscard]] std::unique_ptr<runtime::StartedTiming> start_timing(
      runtime::Stream stream, std::span<const std::function<void()>> works) override {
    return device_->start_timing(stream, works);
  }
  [[nodiscard]] std::unique_ptr<runtime::Recording> record(runtime::Stream stream,
                                                           const std::function<void()>& work) override {
    return device_->record(stream, work);
  }
  [[nodiscard]] std::vector<double> back_to_back_us(runtime::Stream stream,
                                                    std::span<const runtime::Batch> batches) override {
    return device_->back_to_back_us(stream, batches);
  }
  [[nodiscard]] runtime::ClockState clocks() const override { return device_->clocks(); }

 private:
  std::shared_ptr<runtime::Device> device_;
  std::shared_ptr<runtime::Compiler> compiler_;
  Problem problem_;
  Fault fault_ = Fault::none;
  Source source_;
  std::set<const runtime::Kernel*> liars_;  // kernels of that source, where the fault is that they lie
};

}  // namespace upsweep::tuner
