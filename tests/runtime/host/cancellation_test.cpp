// What runs for hours unless it is cancelled.
#include "base/cancellation.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

using namespace std::chrono_literals;
using Clock = base::CancellationScope::Clock;

// Two to the power of 40 barriers, or none.
const std::string endless = R"(
KERNEL {
  for (u64 i = 0; i < (u64(initial) << 40); ++i) block_barrier();
  out[thread_index()] = initial;
})";
const Launch launch{.blocks = 1, .threads_per_block = 32, .shared_bytes = 0};

class Cancellation : public ::testing::Test {
 protected:
  Cancellation() { bench.out.assign(32, 7); }
  // The device works on as before.
  void expect_runs() {
    bench.initial = 0;
    bench.run(launch);
    EXPECT_EQ(bench.out, std::vector<std::uint32_t>(32, 0));
  }
  Bench bench{endless};
};

TEST_F(Cancellation, AStopEndsARunThatIsUnderWay) {
  bench.initial = 1;
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(100ms);
    stop.request_stop();
  });
  {
    const base::CancellationScope scope(stop.get_token());
    EXPECT_THROW(bench.run(launch), base::Cancelled);
  }
  EXPECT_EQ(bench.out, std::vector<std::uint32_t>(32, 7));
  expect_runs();
}

TEST_F(Cancellation, ADeadlineEndsARunThatIsUnderWay) {
  bench.initial = 1;
  {
    const base::CancellationScope scope({}, Clock::now() + 100ms);
    EXPECT_THROW(bench.run(launch), base::Cancelled);
  }
  expect_runs();
}

TEST_F(Cancellation, ConcernsTheThreadOfTheScopeOnly) {
  std::stop_source stop;
  stop.request_stop();
  const base::CancellationScope scope(stop.get_token());
  EXPECT_TRUE(base::cancelled());
  std::jthread([] { EXPECT_FALSE(base::cancelled()); }).join();
  std::jthread([this] { expect_runs(); }).join();
}

TEST(CancelledCopies, GigabytesAreNotCopiedToTheEnd) {
  HostDevice device;
  Buffer buffer(device, std::size_t{3} << 26);
  const base::CancellationScope scope({}, Clock::now());
  EXPECT_THROW(device.fill(buffer.data(), 1, buffer.bytes(), {}), base::Cancelled);
  device.fill(buffer.data(), 1, 100, {});  // what is short is done
}

}  // namespace
}  // namespace upsweep::runtime::testing
