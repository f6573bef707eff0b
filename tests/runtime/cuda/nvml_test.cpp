// Clocks through a stand-in for NVML.
#include <gtest/gtest.h>

#include "runtime/cuda/nvml.hpp"
#include "tests/runtime/cuda/fake_device.hpp"

namespace upsweep::runtime {
namespace {

// As in fake_libnvml.cpp.
struct FakeNvml {
  int initialised;
  int failure;
  unsigned clock_mhz;
  unsigned long long reasons;
};

class NvmlTest : public test::FakeDevice {
 protected:
  NvmlTest() {
    void* library = ::dlopen(UPSWEEP_FAKE_LIBNVML, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(::dlerror());
    nvml = reinterpret_cast<FakeNvml* (*)()>(::dlsym(library, "fake_nvml"))();
    *nvml = {0, 0, 1755, 0};
  }
  FakeNvml* nvml = nullptr;
  test::Variable path{"UPSWEEP_LIBNVML", UPSWEEP_FAKE_LIBNVML};
};

TEST_F(NvmlTest, ReadsTheClockOfTheDeviceOnThatPlaceOfTheBus) {
  const auto device = CudaDevice::open(0);
  EXPECT_EQ(nvml->initialised, 0) << "who does not ask for clocks does not load NVML";
  EXPECT_EQ(device->clocks().multiprocessor_mhz, 1755);
  EXPECT_FALSE(device->clocks().throttled());
  EXPECT_EQ(nvml->initialised, 1);
}

TEST_F(NvmlTest, SaysWhatHoldsTheClocksDown) {
  const auto device = CudaDevice::open(0);
  nvml->reasons = 0x04 | 0x40;
  EXPECT_EQ(device->clocks().throttled_by, "power cap, temperature (hardware)");
  nvml->reasons = 0x01 | 0x02 | 0x100;  // idle, clocks set by somebody, a display
  EXPECT_FALSE(device->clocks().throttled());
}

TEST_F(NvmlTest, WhatCannotBeReadIsNotKnown) {
  nvml->reasons = 0x08;
  EXPECT_EQ(CudaDevice::open(1)->clocks().multiprocessor_mhz, 0) << "NVML does not know this one";
  const auto device = CudaDevice::open(0);
  nvml->failure = 3;
  EXPECT_EQ(device->clocks().multiprocessor_mhz, 0);
  EXPECT_FALSE(device->clocks().throttled());
  const test::Variable missing("UPSWEEP_LIBNVML", "/no/such/library.so");
  EXPECT_FALSE(CudaDevice::open(0)->clocks().throttled());
}

}  // namespace
}  // namespace upsweep::runtime
