#include "runtime/host/weak_memory.hpp"

#include <gtest/gtest.h>

#include <set>

#include <upsweep/error.hpp>

namespace upsweep::runtime {
namespace {

using Observer = WeakMemory::Observer;

struct WeakMemoryTest : ::testing::Test {
  WeakMemory memory{0.7};
  HostRandom random{11};

  std::uint32_t load(Observer& observer, const std::uint32_t& word, bool acquire = false) {
    std::uint32_t value = 0;
    memory.load(observer, random, &value, &word, sizeof(value), acquire);
    return value;
  }
  void store(Observer& observer, std::uint32_t& word, std::uint32_t value, bool release = false) {
    memory.store(observer, &word, &value, sizeof(value), release);
  }
};

TEST_F(WeakMemoryTest, OneThreadAlwaysReadsWhatItWrote) {
  std::uint32_t word = 5;
  Observer self;
  EXPECT_EQ(load(self, word), 5u);
  for (std::uint32_t value = 0; value < 100; ++value) {
    store(self, word, value);
    EXPECT_EQ(word, value);
    EXPECT_EQ(load(self, word), value);
  }
}

TEST_F(WeakMemoryTest, OthersReadInOrderAndMaySeeOldValues) {
  std::uint32_t word = 0;
  Observer writer;
  for (std::uint32_t value = 1; value <= 20; ++value) store(writer, word, value);
  std::set<std::uint32_t> firsts;
  for (int reader = 0; reader < 200; ++reader) {
    Observer other;
    std::uint32_t last = load(other, word);
    firsts.insert(last);
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t next = load(other, word);
      ASSERT_GE(next, last);
      last = next;
    }
  }
  EXPECT_TRUE(firsts.contains(0));
  EXPECT_TRUE(firsts.contains(20));
  EXPECT_GT(firsts.size(), 10u);
}

TEST_F(WeakMemoryTest, PollingEnds) {
  WeakMemory always{1.0};
  std::uint32_t word = 0;
  Observer writer, reader;
  const std::uint32_t one = 1;
  std::uint32_t value = 0;
  always.load(writer, random, &value, &word, sizeof(word), false);
  always.store(writer, &word, &one, sizeof(word), false);
  int loads = 0;
  while (value == 0 && loads < 1000) {
    always.load(reader, random, &value, &word, sizeof(word), false);
    ++loads;
  }
  EXPECT_EQ(value, 1u);
  EXPECT_GT(loads, 1);
}

// Whether some reader that saw the flag missed the data.
TEST_F(WeakMemoryTest, MessagePassingNeedsReleaseAndAcquire) {
  for (const bool release : {false, true}) {
    for (const bool acquire : {false, true}) {
      bool missed = false;
      for (int round = 0; round < 300; ++round) {
        memory = WeakMemory{0.5};
        std::uint32_t data = 0, flag = 0;
        Observer writer, reader;
        store(writer, data, 42);
        store(writer, flag, 1, release);
        if (load(reader, flag, acquire) == 1 && load(reader, data) != 42) missed = true;
      }
      EXPECT_EQ(missed, !(release && acquire)) << release << acquire;
    }
  }
}

TEST_F(WeakMemoryTest, ReleaseHandsOnWhatWasAcquired) {
  for (int round = 0; round < 300; ++round) {
    memory = WeakMemory{0.5};
    std::uint32_t data = 0, first = 0, second = 0;
    Observer a, b, c;
    store(a, data, 42);
    store(a, first, 1, true);
    if (load(b, first, true) == 0) continue;
    store(b, second, 1, true);
    if (load(c, second, true) == 0) continue;
    ASSERT_EQ(load(c, data), 42u) << round;
  }
}

TEST_F(WeakMemoryTest, AddingReadsTheNewestAndContinuesARelease) {
  for (int round = 0; round < 300; ++round) {
    memory = WeakMemory{0.5};
    std::uint32_t data = 0, counter = 0;
    Observer a, b, c;
    store(a, data, 42);
    EXPECT_EQ(memory.add<std::uint32_t>(a, &counter, 1, HostOrder::acquire_release), 0u);
    EXPECT_EQ(memory.add<std::uint32_t>(b, &counter, 1, HostOrder::relaxed), 1u);
    EXPECT_EQ(memory.add<std::uint32_t>(c, &counter, 1, HostOrder::acquire_release), 2u);
    EXPECT_EQ(counter, 3u);
    ASSERT_EQ(load(c, data), 42u) << round;
  }
}

TEST_F(WeakMemoryTest, OrdinaryStoresBecomeTheNewestValue) {
  std::uint32_t word = 1;
  Observer self;
  store(self, word, 2);
  word = 3;
  EXPECT_EQ(memory.add<std::uint32_t>(self, &word, 10, HostOrder::relaxed), 3u);
  EXPECT_EQ(word, 13u);
}

TEST_F(WeakMemoryTest, TwoSizesOfAWordAreAnError) {
  std::uint64_t word = 0;
  std::uint32_t narrow = 0;
  Observer self;
  memory.store(self, &word, &word, sizeof(word), false);
  EXPECT_THROW(memory.load(self, random, &narrow, &word, sizeof(narrow), false), DeviceError);
}

TEST(HostView, JoinsTakeTheLaterOfEachWord) {
  HostView a, b;
  a.raise(0, 5);
  a.raise(3, 1);
  b.raise(0, 2);
  b.raise(1, 7);
  const HostView a_before = a;
  a.join(b);
  EXPECT_EQ(a[0], 5u);
  EXPECT_EQ(a[1], 7u);
  EXPECT_EQ(a[2], 0u);
  EXPECT_EQ(a[3], 1u);
  EXPECT_EQ(a[100], 0u);
  EXPECT_EQ(a_before[1], 0u);  // copies do not change with it
  b.raise(1, 3);
  EXPECT_EQ(b[1], 7u);  // never down
}

}  // namespace
}  // namespace upsweep::runtime
