// Launches that are more than a grid: what the CUDA device asks of the driver, and what it makes of a refusal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cuda/fake_device.hpp"

namespace upsweep::runtime {
namespace {

using test::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

class CudaLaunch : public test::OpenDevice {
 protected:
  // The launch as the driver saw it.
  const FakeLaunch& launched(const Launch& launch) {
    this->launch(*kernel_, launch, stream_);
    return cuda->launches.back();
  }
  [[nodiscard]] CUstream raw() const { return stream_.handle(); }
  void TearDown() override {
    device->destroy_stream(stream_);
    kernel_.reset();
    test::OpenDevice::TearDown();
  }

  std::unique_ptr<Kernel> kernel_ = load();
  Stream stream_ = device->create_stream();
};

TEST_F(CudaLaunch, PlainWhereNothingElseIsAskedFor) {
  EXPECT_FALSE(launched({.blocks = 3, .threads_per_block = 64}).extended);
}

TEST_F(CudaLaunch, PassesGridSharedMemoryStreamAndArgumentsWithAttributesToo) {
  const FakeLaunch& launch = launched({.blocks = 6, .threads_per_block = 96, .shared_bytes = 12, .dependent = true});
  EXPECT_TRUE(launch.extended);
  EXPECT_THAT(launch.blocks, ElementsAre(6u, 1u, 1u));
  EXPECT_THAT(launch.threads, ElementsAre(96u, 1u, 1u));
  EXPECT_EQ(launch.shared_bytes, 12u);
  EXPECT_EQ(launch.stream, stream_);
  EXPECT_EQ(launch.first_argument, 17);
}

TEST_F(CudaLaunch, EachAttributeAloneAndAllTogether) {
  for (const unsigned clusters : {1u, 4u}) {
    for (const bool cooperative : {false, true}) {
      for (const bool dependent : {false, true}) {
        const FakeLaunch& launch = launched({.blocks = 8,
                                             .threads_per_block = 32,
                                             .cluster_blocks = static_cast<int>(clusters),
                                             .cooperative = cooperative,
                                             .dependent = dependent});
        EXPECT_EQ(launch.cluster_blocks, clusters);
        EXPECT_EQ(launch.cooperative, cooperative);
        EXPECT_EQ(launch.dependent, dependent);
      }
    }
  }
}

TEST_F(CudaLaunch, ClustersOfMoreBlocksThanArePortableAreAskedForWhenLoading) {
  kernel_ = load({.cluster_blocks = 16});
  EXPECT_THAT(cuda->function_attributes, ElementsAre(Pair(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)));
  EXPECT_EQ(launched({.blocks = 32, .cluster_blocks = 16}).cluster_blocks, 16u);
}

TEST_F(CudaLaunch, PortableClustersNeedNoPermission) {
  kernel_ = load({.cluster_blocks = 8});
  EXPECT_TRUE(cuda->function_attributes.empty());
}

TEST_F(CudaLaunch, ClustersThatTheDeviceRefusesWhenLoadingAreAnErrorThatLeavesNothing) {
  cuda->failures["cuFuncSetAttribute"] = CUDA_ERROR_INVALID_VALUE;
  EXPECT_THAT(message_of<DeviceError>([&] { (void)load({.cluster_blocks = 16}); }), HasSubstr("clusters of 16 blocks"));
  EXPECT_EQ(cuda->modules.size(), 1u) << "but the one of the test";
}

TEST_F(CudaLaunch, ClustersThatTheDeviceRefusesWhenLaunchingSayWhatToDo) {
  EXPECT_THAT(message_of<DeviceError>([&] { launch(*kernel_, {.blocks = 5, .cluster_blocks = 2}); }),
              AllOf(HasSubstr("CUDA_ERROR_INVALID_CLUSTER_SIZE"), HasSubstr("config with a smaller cluster_blocks")));
}

TEST_F(CudaLaunch, CooperativeLaunchThatDoesNotFitSaysWhatToDo) {
  cuda->resident_blocks = 100;
  EXPECT_NO_THROW(launch(*kernel_, {.blocks = 100, .threads_per_block = 256, .cooperative = true}));
  EXPECT_NO_THROW(launch(*kernel_, {.blocks = 101, .threads_per_block = 256}));
  EXPECT_THAT(message_of<DeviceError>([&] {
                launch(*kernel_, {.blocks = 101, .threads_per_block = 256, .shared_bytes = 77, .cooperative = true});
              }),
              AllOf(HasSubstr("101 blocks of 256 threads with 77 bytes"), HasSubstr("use a config"),
                    HasSubstr("order=ticket"), Not(HasSubstr("\n"))));
}

TEST_F(CudaLaunch, DependentOnTheDefaultStreamsToo) {
  cuda->legacy_implicit = true;  // asking about the legacy stream would spoil somebody's capture
  for (const Stream stream : {Stream{nullptr}, Stream{CU_STREAM_LEGACY}, Stream{CU_STREAM_PER_THREAD}}) {
    for (const int version : {12000, 13000}) {
      cuda->version = version;
      device = CudaDevice::open(0);
      launch(*kernel_, {.dependent = true}, stream);
      EXPECT_TRUE(cuda->launches.back().dependent);
    }
  }
}

TEST_F(CudaLaunch, DependentWhileCapturedWhereGraphsCanSaySo) {
  for (const auto& [version, kept] : {std::pair{12000, false}, {12020, false}, {12030, true}, {13000, true}}) {
    SCOPED_TRACE(version);
    cuda->version = version;
    device = CudaDevice::open(0);
    EXPECT_TRUE(launched({.dependent = true}).dependent) << "not captured";
    cuda->captures[stream_.handle()] = 5;
    EXPECT_EQ(launched({.dependent = true}).dependent, kept);
    EXPECT_EQ(launched({.cooperative = true, .dependent = true}).cooperative, true);
    cuda->captures.clear();
  }
}

}  // namespace
}  // namespace upsweep::runtime
