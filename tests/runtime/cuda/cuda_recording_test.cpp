// Work that is recorded and replayed, over a stand-in for libcuda.
#include "runtime/cuda/cuda_recording.hpp"

#include <upsweep/error.hpp>

#include "tests/runtime/cuda/fake_device.hpp"

namespace upsweep::runtime {
namespace {

class Recordings : public test::OpenDevice {
 protected:
  void TearDown() override {
    cuda->failures.clear();
    device->destroy_stream(stream);
    test::OpenDevice::TearDown();
  }
  Stream stream = device->create_stream();
};

TEST_F(Recordings, WorkIsRecordedOnceAndReplayedAsOftenAsAskedFor) {
  int calls = 0;
  const std::unique_ptr<Recording> recording = device->record(stream, [&] {
    EXPECT_EQ(cuda->captures.count(stream.handle()), 1u);
    ++calls;
  });
  ASSERT_NE(recording, nullptr);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(cuda->captures.empty());
  EXPECT_TRUE(cuda->graphs.empty()) << "what it was made from is gone";
  ASSERT_EQ(cuda->executables.size(), 1u);
  EXPECT_EQ(cuda->uploads[*cuda->executables.begin()], 1) << "the first replay is like the others";
  recording->replay(stream);
  recording->replay(stream);
  EXPECT_EQ(cuda->replays[*cuda->executables.begin()], 2);
  EXPECT_EQ(calls, 1);
}

TEST_F(Recordings, WhatFailsLeavesNothingBehind) {
  const char* functions[] = {"cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags",
                             "cuGraphUpload"};
  for (const char* function : functions) {
    cuda->failures = {{function, CUDA_ERROR_OUT_OF_MEMORY}};
    EXPECT_THROW((void)device->record(stream, [] {}), DeviceError) << function;
    EXPECT_TRUE(cuda->captures.empty()) << function;
    EXPECT_TRUE(cuda->graphs.empty()) << function;
    EXPECT_TRUE(cuda->executables.empty()) << function;
  }
  cuda->failures.clear();
  EXPECT_THROW((void)device->record(stream, [] { throw std::runtime_error("call failed"); }), std::runtime_error);
  EXPECT_TRUE(cuda->captures.empty());
  EXPECT_TRUE(cuda->graphs.empty());
  const std::unique_ptr<Recording> recording = device->record(stream, [] {});
  ASSERT_NE(recording, nullptr) << "the stream is as it was";
  cuda->failures = {{"cuGraphLaunch", CUDA_ERROR_ILLEGAL_ADDRESS}};
  EXPECT_THROW(recording->replay(stream), DeviceRuined);
}

TEST_F(Recordings, NothingIsRecordedOfTheLegacyStream) {
  int calls = 0;
  EXPECT_EQ(device->record(nullptr, [&] { ++calls; }), nullptr);
  EXPECT_EQ(device->record(CU_STREAM_LEGACY, [&] { ++calls; }), nullptr);
  EXPECT_EQ(calls, 0);
}

// Their graphs would run dependent launches one after the other.
TEST_F(Recordings, NothingIsRecordedByDriversWhoseGraphsLoseDependence) {
  cuda->version = 12020;
  CudaDevice old(driver(), 0, 0);
  EXPECT_EQ(old.record(stream, [] {}), nullptr);
}

}  // namespace
}  // namespace upsweep::runtime
