#include "base/cancellation.hpp"

#include <chrono>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

#include "base/find_program.hpp"
#include "base/process.hpp"

namespace upsweep::base {
namespace {

using namespace std::chrono_literals;
using Clock = CancellationScope::Clock;

TEST(CancellationScopes, OuterOnesCountAndEndWhereTheyEnd) {
  std::stop_source stop;
  EXPECT_FALSE(cancelled());
  {
    const CancellationScope outer(stop.get_token());
    const CancellationScope inner({}, Clock::now() + 1h);
    EXPECT_FALSE(cancelled());
    stop.request_stop();
    EXPECT_TRUE(cancelled());
    EXPECT_THROW(throw_if_cancelled(), Cancelled);
  }
  EXPECT_FALSE(cancelled());
  const CancellationScope over({}, Clock::now());
  EXPECT_TRUE(cancelled());
}

TEST(CancelledProcess, IsEnded) {
  const CancellationScope scope({}, Clock::now() + 100ms);
  const auto begin = Clock::now();
  EXPECT_THROW((void)run_process({find_program("sh"), "-c", "sleep 1000 & wait"}), Cancelled);
  EXPECT_LT(Clock::now() - begin, 60s);
}

TEST(CancellationScopes, ConcernTheirOwnThread) {
  const CancellationScope over({}, Clock::now());
  EXPECT_TRUE(cancelled());
  std::jthread([] { EXPECT_FALSE(cancelled()); }).join();
}

}  // namespace
}  // namespace upsweep::base
