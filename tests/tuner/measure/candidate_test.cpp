#include "tuner/measure/candidate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "generator/space.hpp"
#include "tests/tuner/fake_device.hpp"

namespace upsweep::tuner {
namespace {

struct CandidateTest : testing::Test {
  CandidateTest() {
    fake.device->execute = [this](const FakeCall& call) { workspace = static_cast<std::byte*>(call.workspace); };
  }
  const std::byte* workspace_of_call() {
    candidate.run({.arrays = {&items, &items}, .n = 1000});
    return workspace;
  }

  FakeEngine fake;
  Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 10'000);
  Candidate candidate{
      *fake.device,
      fake.engine->plan(problem, Space(problem, fake.device->limits()).default_config(), nullptr),
      nullptr,
  };
  std::byte* workspace = nullptr;
  std::int32_t items = 0;  // kernels of the stand-in read nothing
};

TEST_F(CandidateTest, HasAWorkspaceOfItsOwn) {
  EXPECT_TRUE(candidate.reserve(problem.size));
  EXPECT_EQ(candidate.workspace_bytes(), candidate.plan().workspace_bytes(problem.size));
  const std::byte* const home = workspace_of_call();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(home) % 512, 0u);
  EXPECT_FALSE(candidate.reserve(problem.size - 1));
  EXPECT_EQ(workspace_of_call(), home);
  EXPECT_TRUE(candidate.reserve(100 * problem.size));
  EXPECT_EQ(candidate.workspace_bytes(), candidate.plan().workspace_bytes(100 * problem.size));
}

TEST_F(CandidateTest, WorksElsewhereUntilItReturns) {
  (void)candidate.reserve(problem.size);
  const std::byte* const home = workspace_of_call();
  const WorkspacePlaces places(*fake.device, 1, candidate.workspace_bytes());
  auto* const place = static_cast<std::byte*>(places.at(0, 1));
  std::fill_n(place, candidate.workspace_bytes() + 1, std::byte{7});
  candidate.move(place);
  EXPECT_TRUE(std::all_of(place, place + candidate.workspace_bytes(), [](std::byte at) { return at == std::byte{0}; }));
  EXPECT_EQ(place[candidate.workspace_bytes()], std::byte{7});
  EXPECT_EQ(workspace_of_call(), place);
  candidate.return_home();
  EXPECT_EQ(workspace_of_call(), home);
  candidate.move(place);
  (void)candidate.reserve(100 * problem.size);
  EXPECT_NE(workspace_of_call(), place) << "which would be too small";
}

struct WorkspacePlacesTest : testing::Test {
  FakeEngine fake;
};

TEST_F(WorkspacePlacesTest, AreApartAndAllGoneThrough) {
  for (const std::uint64_t bytes : {768u, 3584u, (1u << 20) - 4608, 3'000'000u}) {
    SCOPED_TRACE(bytes);
    const WorkspacePlaces places(*fake.device, 4, bytes);
    const auto* const begin = static_cast<const std::byte*>(fake.device->newest);
    const std::byte* const end = begin + fake.device->blocks[fake.device->newest];
    std::vector<std::set<const std::byte*>> seen(4);
    std::set<std::uintptr_t> in_pages;
    for (std::size_t turn = 0; turn < 31; ++turn) {
      std::set<const std::byte*> now;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto* const at = static_cast<const std::byte*>(places.at(i, turn));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % 512, 0u) << "as the driver's blocks";
        EXPECT_GE(at, begin);
        EXPECT_LE(at + bytes, end);
        for (const std::byte* const other : now) EXPECT_GE(std::abs(other - at), static_cast<std::ptrdiff_t>(bytes));
        now.insert(at);
        seen[i].insert(at);
        in_pages.insert(reinterpret_cast<std::uintptr_t>(at) % 4096);
      }
    }
    for (const auto& all : seen) EXPECT_EQ(all.size(), 31u);
    EXPECT_EQ(in_pages.size(), 8u);
  }
}

TEST_F(WorkspacePlacesTest, AreAsManyAsWorkspacesHoweverLarge) {
  const WorkspacePlaces places(*fake.device, 3, std::uint64_t{1} << 27);
  EXPECT_TRUE(places.have_room(3, std::uint64_t{1} << 27));
  EXPECT_FALSE(places.have_room(4, 1));
  EXPECT_FALSE(places.have_room(1, (std::uint64_t{1} << 27) + 1));
  EXPECT_EQ(places.at(0, 0), places.at(0, 3));
}

}  // namespace
}  // namespace upsweep::tuner
