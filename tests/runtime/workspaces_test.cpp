#include "runtime/workspaces.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "runtime/host/host_device.hpp"

namespace upsweep::runtime {
namespace {

class WorkspacesTest : public testing::Test {
 protected:
  void* lend(std::uint64_t bytes, Stream stream) { return lend(tiles, bytes, stream); }
  void* lend(std::uint32_t layout, std::uint64_t bytes, Stream stream) {
    void* lent = nullptr;
    workspaces.lend(std::array{WorkspaceRequest{layout, bytes}}, stream, [&](void* const* at) { lent = at[0]; });
    return lent;
  }

  std::shared_ptr<HostDevice> device = std::make_shared<HostDevice>();
  Workspaces workspaces{device};
  std::uint32_t tiles = workspaces.layout("tiles"), partials = workspaces.layout("partials");
};

TEST_F(WorkspacesTest, KeptForStreamAndLayout) {
  const Stream first = device->create_stream(), second = device->create_stream();
  void* const memory = lend(1000, first);
  EXPECT_EQ(lend(1000, first), memory);
  EXPECT_EQ(lend(10, first), memory);
  EXPECT_NE(lend(1000, second), memory);
  EXPECT_NE(lend(partials, 1000, first), memory);
}

TEST_F(WorkspacesTest, GrowZeroedAndLeaveTheOldInPlace) {
  auto* const small = static_cast<unsigned char*>(lend(100, nullptr));
  std::memset(small, 0x5a, 100);
  auto* const large = static_cast<unsigned char*>(lend(1 << 20, nullptr));
  EXPECT_NE(small, large);
  EXPECT_TRUE(std::all_of(large, large + (1 << 20), [](unsigned char byte) { return byte == 0; }));
  EXPECT_TRUE(std::all_of(small, small + 100, [](unsigned char byte) { return byte == 0x5a; }))
      << "calls in flight use it";
  EXPECT_EQ(lend((1 << 20) - 5, nullptr), large);
}

TEST_F(WorkspacesTest, GrowByDoubling) {
  void* const memory = lend(1 << 20, nullptr);
  void* const grown = lend((1 << 20) + 1, nullptr);
  EXPECT_NE(grown, memory);
  EXPECT_EQ(lend(2 << 20, nullptr), grown);
}

TEST_F(WorkspacesTest, LayoutsAreKnownByNumber) {
  EXPECT_NE(workspaces.layout("partials"), tiles);
  EXPECT_EQ(workspaces.layout("tiles"), tiles);
}

// Enough streams that the table grows several times.
TEST_F(WorkspacesTest, ManyStreamsEachKeepTheirOwn) {
  std::vector<std::pair<Stream, void*>> kept;
  std::set<void*> different;
  for (int i = 0; i < 1000; ++i) {
    const Stream stream = device->create_stream();
    kept.emplace_back(stream, lend(100, stream));
    different.insert(kept.back().second);
  }
  EXPECT_EQ(different.size(), kept.size());
  for (const auto& [stream, memory] : kept) EXPECT_EQ(lend(100, stream), memory);
}

// Streams come and workspaces grow in some threads while others read.
TEST_F(WorkspacesTest, ThreadsNeverGetEachOthers) {
  std::vector<std::set<void*>> owned(4);
  std::vector<std::thread> threads;
  for (std::set<void*>& mine : owned) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        const Stream stream = device->create_stream();
        void* const first = lend(100, stream);
        for (int again = 0; again < 20; ++again) EXPECT_EQ(lend(100, stream), first);
        mine.insert(first);
        mine.insert(lend(20'000, stream));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<void*> all;
  for (const std::set<void*>& mine : owned) {
    EXPECT_EQ(mine.size(), 200u);
    all.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(all.size(), 800u);
}

// Another thread that asks for more on the same stream must not take away what is there.
TEST_F(WorkspacesTest, GrowthIsSeenByAllThreadsOfAStream) {
  const Stream stream = device->create_stream();
  std::vector<void*> found(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t bytes = 1; bytes <= 1 << 22; bytes *= 2) found[t] = lend(bytes, stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (void* memory : found) EXPECT_EQ(memory, lend(1 << 22, stream));
}

// A program that makes and destroys streams needs no more memory than for those that it has at a time.
TEST_F(WorkspacesTest, OfAReleasedStreamServeTheNext) {
  std::set<void*> all;
  for (int i = 0; i < 100; ++i) {
    const Stream stream = device->create_stream();
    all.insert(lend(100, stream));
    all.insert(lend(40'000, stream));
    all.insert(lend(partials, 100, stream));
    workspaces.release(stream);
  }
  EXPECT_EQ(all.size(), 3u) << "the outgrown memory is given back too, and layouts do not mix";
}

TEST_F(WorkspacesTest, OfOtherStreamsStayWhereTheyAre) {
  const Stream kept = device->create_stream(), gone = device->create_stream(), next = device->create_stream();
  void* const memory = lend(100, kept);
  void* const freed = lend(100, gone);
  workspaces.release(gone);
  workspaces.release(gone);  // has nothing any more
  EXPECT_EQ(lend(100, next), freed);
  EXPECT_EQ(lend(100, kept), memory);
  EXPECT_EQ(std::set<void*>({lend(100, gone), memory, freed}).size(), 3u)
      << "a stream that goes on after it was released gets memory of its own again";
}

}  // namespace
}  // namespace upsweep::runtime
