// A caller's current CUDA context is respected and left as it was, whatever upsweep does and whether it works or not.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cuda/fake_device.hpp"

namespace upsweep::runtime {
namespace {

using testing::ElementsAre;

class CurrentContext : public test::FakeDevice {
 protected:
  // Every operation of a device on good arguments, by name.
  using Operation = std::pair<const char*, std::function<void(Device&)>>;
  std::vector<Operation> operations() {
    return {
        {"load", [](Device& device) { (void)device.load(image("good kernel"), "kernel", {.shared_bytes = 1}); }},
        {"resources", [this](Device& device) { (void)device.resources(*kernel_, {.threads_per_block = 32}); }},
        {"launch",
         [this](Device& device) {
           int argument = 0;
           void* arguments[] = {&argument};
           device.launch(*kernel_, {}, arguments, nullptr);
         }},
        {"launch_extended",
         [this](Device& device) {
           int argument = 0;
           void* arguments[] = {&argument};
           device.launch(*kernel_, {.cluster_blocks = 1, .cooperative = true, .dependent = true}, arguments, nullptr);
         }},
        {"allocate", [](Device& device) { device.release(device.allocate(8)); }},
        {"allocate_zeroed", [](Device& device) { device.release(device.allocate_zeroed(8)); }},
        {"copy_to_device", [this](Device& device) { device.copy_to_device(memory_, &value_, 4, nullptr); }},
        {"copy_to_host", [this](Device& device) { device.copy_to_host(&value_, memory_, 4, nullptr); }},
        {"copy_on_device", [this](Device& device) { device.copy_on_device(memory_, memory_, 4, nullptr); }},
        {"fill", [this](Device& device) { device.fill(memory_, 0, 4, nullptr); }},
        {"stream", [](Device& device) { device.destroy_stream(device.create_stream()); }},
        {"synchronize", [](Device& device) { device.synchronize(nullptr); }},
        {"identify", [](Device& device) { (void)device.identify(nullptr); }},
        {"elapsed_us", [](Device& device) { (void)device.elapsed_us(nullptr, [] {}); }},
        {"record", [this](Device& device) { device.record(stream_, [] {})->replay(stream_); }},
    };
  }

  void open(int ordinal) {
    device_ = CudaDevice::open(ordinal);
    kernel_ = device_->load(image("good kernel"), "kernel", {});
    memory_ = device_->allocate(4);
    stream_ = device_->create_stream();
    cuda->calls.clear();
  }
  void TearDown() override {
    cuda->failures.clear();
    kernel_.reset();
    if (device_) device_->release(memory_);
    if (device_) device_->destroy_stream(stream_);
    device_.reset();
    test::FakeDevice::TearDown();
  }

  std::shared_ptr<CudaDevice> device_;
  std::unique_ptr<Kernel> kernel_;
  void* memory_ = nullptr;
  Stream stream_ = nullptr;
  int value_ = 0;
  FakeContext own_{1};  // a context on device 1 that somebody made: not the primary one
  CUcontext own = reinterpret_cast<CUcontext>(&own_);
};

TEST_F(CurrentContext, NoneIsNoDevice) {
  EXPECT_EQ(CudaDevice::current(), std::nullopt);
  EXPECT_TRUE(stack()->empty());
}

TEST_F(CurrentContext, TellsItsDevice) {
  stack()->push_back(own);
  EXPECT_EQ(CudaDevice::current(), 1);
  EXPECT_THAT(*stack(), ElementsAre(own));
}

TEST_F(CurrentContext, PrimaryIsTakenAndGivenBackWhereNoneIsCurrent) {
  open(0);
  EXPECT_EQ(cuda->retained[0], 1);
  EXPECT_EQ(cuda->retained[1], 0);
  EXPECT_TRUE(stack()->empty());
}

TEST_F(CurrentContext, OfTheSameDeviceIsUsed) {
  stack()->push_back(own);
  open(1);
  stack()->clear();
  for (const auto& [name, operation] : operations()) operation(*device_);
  ASSERT_FALSE(cuda->calls.empty());
  for (const auto& [function, context] : cuda->calls) EXPECT_EQ(context, own) << function;
}

TEST_F(CurrentContext, OfAnotherDeviceIsNotUsed) {
  stack()->push_back(own);
  open(0);
  for (const auto& [name, operation] : operations()) operation(*device_);
  ASSERT_FALSE(cuda->calls.empty());
  for (const auto& [function, context] : cuda->calls) EXPECT_EQ(context, primary(0)) << function;
}

TEST_F(CurrentContext, IsLeftAsItWasByEveryOperation) {
  open(0);
  const std::vector<std::vector<CUcontext>> stacks{{}, {own}, {own, primary(1)}, {own, primary(0)}};
  for (const std::vector<CUcontext>& before : stacks) {
    for (const auto& [name, operation] : operations()) {
      SCOPED_TRACE(testing::Message() << name << " with " << before.size() << " contexts");
      *stack() = before;
      operation(*device_);
      EXPECT_EQ(*stack(), before);
    }
  }
  stack()->clear();
}

// Each driver function fails in turn under each operation.
TEST_F(CurrentContext, IsLeftAsItWasWhereTheDriverFails) {
  open(0);
  for (const auto& [name, operation] : operations()) {
    cuda->calls.clear();
    operation(*device_);
    std::set<std::string> functions;
    for (const auto& [function, context] : cuda->calls) functions.insert(function);
    for (const std::string& function : functions) {
      // Their failure is not an error to anybody: memory, modules and the like are given back as well as can be.
      const bool releases = function == "cuMemFree_v2" || function == "cuModuleUnload" ||
                            function == "cuStreamDestroy_v2" || function == "cuGraphDestroy" ||
                            function == "cuGraphExecDestroy";
      if (releases || function == "cuEventCreate") continue;  // events are kept: none is made by now
      SCOPED_TRACE(std::string(name) + " with a failing " + function);
      *stack() = {own};
      cuda->failures = {{function, CUDA_ERROR_UNKNOWN}};
      EXPECT_THROW(operation(*device_), DeviceError);
      cuda->failures.clear();
      EXPECT_THAT(*stack(), ElementsAre(own));
      EXPECT_EQ(*mode(), CU_STREAM_CAPTURE_MODE_GLOBAL);
    }
  }
  stack()->clear();
}

TEST_F(CurrentContext, ThatIsGoneDoesNotMakeReleasingThrow) {
  open(0);
  void* memory = device_->allocate(4);
  const Stream stream = device_->create_stream();
  cuda->failures = {{"cuCtxPushCurrent_v2", CUDA_ERROR_CONTEXT_IS_DESTROYED}};
  EXPECT_NO_THROW(device_->release(memory));
  EXPECT_NO_THROW(device_->destroy_stream(stream));
  EXPECT_NO_THROW(kernel_.reset());
  cuda->failures.clear();
  device_->release(memory);
  device_->destroy_stream(stream);
  cuda->modules.clear();
}

TEST_F(CurrentContext, IsNotSwitchedWhereItIsCurrentAlready) {
  open(0);
  *stack() = {primary(0)};
  cuda->failures = {{"cuCtxPushCurrent_v2", CUDA_ERROR_UNKNOWN}};
  for (const auto& [name, operation] : operations()) EXPECT_NO_THROW(operation(*device_)) << name;
  stack()->clear();
}

// While another thread captures in the global mode, calls that could disturb a capture are refused to every thread that
// does not relax its own mode, and spoil that capture.
TEST_F(CurrentContext, CapturesOfOtherThreadsAreNotDisturbed) {
  open(0);
  cuda->capturing_globally = true;
  for (const auto& [name, operation] : operations()) {
    EXPECT_NO_THROW(operation(*device_)) << name;
    EXPECT_EQ(*mode(), CU_STREAM_CAPTURE_MODE_GLOBAL) << name;
  }
  kernel_.reset();
  EXPECT_TRUE(cuda->modules.empty());
}

}  // namespace
}  // namespace upsweep::runtime
