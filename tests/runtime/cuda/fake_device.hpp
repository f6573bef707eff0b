// A CUDA device over the stand-in for libcuda, clean for each test.
#pragma once

#include <dlfcn.h>

#include <memory>

#include <gtest/gtest.h>

#include "runtime/cuda/cuda_device.hpp"
#include "tests/runtime/cuda/fake_libcuda.hpp"
#include "tests/runtime/cuda/support.hpp"

namespace upsweep::runtime::test {

class FakeDevice : public testing::Test {
 protected:
  FakeDevice() {
    void* library = ::dlopen(UPSWEEP_FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);  // never closed: the state lives in it
    if (library == nullptr) throw std::runtime_error(::dlerror());
    cuda = reinterpret_cast<FakeCuda* (*)()>(::dlsym(library, "fake_cuda"))();
    stack = reinterpret_cast<std::vector<CUcontext>* (*)()>(::dlsym(library, "fake_cuda_stack"));
    mode = reinterpret_cast<CUstreamCaptureMode* (*)()>(::dlsym(library, "fake_cuda_mode"));
    stack()->clear();
  }
  ~FakeDevice() override {
    for (const auto& [block, bytes] : cuda->memory) std::free(block);
    static_cast<FakeState&>(*cuda) = {};
    stack()->clear();
    *mode() = CU_STREAM_CAPTURE_MODE_GLOBAL;
  }
  // Nothing that a test made may be left.
  void TearDown() override {
    EXPECT_TRUE(cuda->memory.empty());
    EXPECT_TRUE(cuda->modules.empty());
    EXPECT_TRUE(cuda->events.empty());
    EXPECT_TRUE(cuda->graphs.empty());
    EXPECT_TRUE(cuda->executables.empty());
    EXPECT_TRUE(cuda->captures.empty());
    EXPECT_TRUE(cuda->streams.empty());
    for (const auto& [device, count] : cuda->retained) EXPECT_EQ(count, 0) << "primary context of device " << device;
    EXPECT_EQ(*mode(), CU_STREAM_CAPTURE_MODE_GLOBAL);
  }

  [[nodiscard]] CUcontext primary(CUdevice device) const { return reinterpret_cast<CUcontext>(&cuda->primary[device]); }
  [[nodiscard]] static std::span<const std::byte> image(const char* text) {
    return std::as_bytes(std::span(text, std::char_traits<char>::length(text) + 1));
  }

  Variable library_{"UPSWEEP_LIBCUDA", UPSWEEP_FAKE_LIBCUDA};
  FakeCuda* cuda = nullptr;
  std::vector<CUcontext>* (*stack)() = nullptr;
  CUstreamCaptureMode* (*mode)() = nullptr;
};

// The first of its devices is open.
class OpenDevice : public FakeDevice {
 protected:
  void TearDown() override {
    device.reset();
    FakeDevice::TearDown();
  }
  [[nodiscard]] std::unique_ptr<Kernel> load(const LaunchRule& rule = {}) {
    return device->load(image("good kernel"), "kernel", rule);
  }
  // With one argument.
  void launch(const Kernel& kernel, const Launch& launch, Stream stream = nullptr, int argument = 17) {
    void* arguments[] = {&argument};
    device->launch(kernel, launch, arguments, stream);
  }

  std::shared_ptr<CudaDevice> device = CudaDevice::open(0);
};

}  // namespace upsweep::runtime::test
