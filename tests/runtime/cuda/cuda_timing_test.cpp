// Calls timed back to back, over a stand-in for libcuda: which calls a stream is held for, and when it is released.
#include <algorithm>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/runtime/cuda/fake_device.hpp"

namespace upsweep::runtime {
namespace {

class BackToBack : public test::OpenDevice {
 protected:
  // Calls that take the device `us` each; what the word that the stream waits for held at each of them.
  std::vector<std::uint32_t> time(CudaDevice& timer, const std::vector<int>& calls, double us,
                                  std::vector<double> expected = {}) {
    cuda->held.clear();
    std::vector<std::uint32_t> words;
    std::vector<Batch> batches;
    for (const int number : calls) {
      batches.push_back({[&] { words.push_back(cuda->held.empty() ? 9 : *cuda->awaited); }, number, us, launches});
    }
    if (expected.empty()) expected.assign(calls.size(), 250.0);
    EXPECT_EQ(timer.back_to_back_us(nullptr, batches), expected);
    return words;
  }
  static std::ptrdiff_t held(const std::vector<std::uint32_t>& words) {
    return std::count(words.begin(), words.end(), 0u);
  }
  int launches = 3;
};

TEST_F(BackToBack, NothingBeginsBeforeTheHostIsAhead) {
  const std::vector<std::uint32_t> words = time(*device, {300, 300}, 0);
  EXPECT_EQ(cuda->held, std::vector<std::uint32_t>{0}) << "held before the first";
  std::vector<std::uint32_t> expected(600, 0);
  std::fill(expected.begin() + 256, expected.end(), 1);
  EXPECT_EQ(words, expected);
  launches = 1;
  EXPECT_EQ(held(time(*device, {300, 300}, 0)), 600) << "a stream holds three times as many calls of one launch";
  EXPECT_EQ(held(time(*device, {1000}, 0)), 768);
  EXPECT_EQ(time(*device, {20}, 0), std::vector<std::uint32_t>(20, 0));
  EXPECT_EQ(*cuda->awaited, 1u);
}

// The fake's host takes no time for a call.
TEST_F(BackToBack, TheSlowerTheDeviceTheLessIsHeld) {
  for (int i = 0; i < 20; ++i) (void)time(*device, {300}, 0);
  EXPECT_EQ(held(time(*device, {300}, 2.0)), 50);
  EXPECT_EQ(held(time(*device, {100, 200}, 5.0)), 20);
  EXPECT_EQ(held(time(*device, {300}, 500.0)), 8);
}

// However slow the host was once, it is known again when all calls were held.
TEST_F(BackToBack, HowFastTheHostIsIsLearntFromCallsThatWereAllHeld) {
  launches = 1;
  const auto slow = [] { std::this_thread::sleep_for(std::chrono::microseconds(50)); };
  (void)device->back_to_back_us(nullptr, std::vector<Batch>{{slow, 100, 0, 1}});
  for (int i = 0; i < 20; ++i) (void)time(*device, {100}, 0);
  EXPECT_EQ(held(time(*device, {700}, 2.0)), 50);
}

// A batch of a few calls beside a long one that one hold is too short for.
TEST_F(BackToBack, AShortBatchBesideALongOne) {
  launches = 1;
  EXPECT_EQ(time(*device, {2, 900}, 0).size(), 902u);
  EXPECT_EQ(time(*device, {2, 900}, 0.01, {250.0, 2 * 250.0}).size(), 902u);
}

// What is too much for one hold is timed batch by batch.
TEST_F(BackToBack, AHoldForEachBatchWhereTheHostIsTooSlow) {
  launches = 1;
  const auto slow = [] { std::this_thread::sleep_for(std::chrono::microseconds(20)); };
  for (int i = 0; i < 3; ++i) {
    (void)device->back_to_back_us(nullptr, std::vector<Batch>{{slow, 800, 1.0, 1}});
  }
  EXPECT_EQ(held(time(*device, {600, 600}, 1.0)), 1200);
  EXPECT_EQ(cuda->held.size(), 2u);
}

// And in parts where one batch is more than a stream holds: every call is held.
TEST_F(BackToBack, ABatchInPartsWhereTheHostIsTooSlow) {
  const auto slow = [] { std::this_thread::sleep_for(std::chrono::microseconds(20)); };
  for (int i = 0; i < 3; ++i) {
    (void)device->back_to_back_us(nullptr, std::vector<Batch>{{slow, 200, 1.0, launches}});
  }
  cuda->held.clear();
  int held = 0, calls = 0;
  const auto call = [&] {
    held += *cuda->awaited == 0;
    ++calls;
  };
  EXPECT_EQ(device->back_to_back_us(nullptr, std::vector<Batch>{{call, 700, 1.0, launches}}),
            std::vector<double>{3 * 250.0});
  EXPECT_EQ(calls, 700);
  EXPECT_EQ(held, 700);
  EXPECT_EQ(cuda->held.size(), 3u) << "256 calls of three launches each at a time";
}

// The first calls may load what waits for the device.
TEST_F(BackToBack, FewCallsWaitForNothing) {
  EXPECT_EQ(time(*device, {3, 4}, 0), std::vector<std::uint32_t>(7, 9));
  EXPECT_TRUE(cuda->held.empty());
}

TEST_F(BackToBack, TheStreamIsReleasedWhateverHappens) {
  const std::vector<Batch> failing{{[] { throw std::runtime_error("call failed"); }, 10, 0}};
  EXPECT_THROW((void)device->back_to_back_us(nullptr, failing), std::runtime_error);
  EXPECT_EQ(*cuda->awaited, 1u);
}

TEST_F(BackToBack, WithoutHoldsCallsAreTimedAllTheSame) {
  for (const char* missing : {"cuStreamWaitValue32_v2", "cuMemHostAlloc", "cuMemHostGetDevicePointer_v2"}) {
    cuda->failures[missing] = CUDA_ERROR_NOT_SUPPORTED;
    CudaDevice own(driver(), 0, 0);
    EXPECT_EQ(time(own, {10}, 0).size(), 10u) << missing;
    cuda->failures.erase(missing);
    EXPECT_EQ(time(own, {10}, 0).size(), 10u);
    EXPECT_TRUE(cuda->held.empty()) << "not tried again";
  }
}

}  // namespace
}  // namespace upsweep::runtime
