// Reduces of segments of which several blocks fold the very long ones, on the host device: giant segments, more than
// the queue has room for, calls after one another, and results that depend on no timing.
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "tests/runtime/hostile.hpp"
#include "tests/runtime/segment_schedules.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using test::affine_sums;
using test::segments_of_type;
using test::shared_segment_blocks;
using test::shared_segment_groups;
using test::shared_segment_threads;

using Lengths = std::vector<std::uint64_t>;

constexpr std::uint64_t piece = 128;           // items of u64
constexpr std::uint64_t queue_entries = 1024;  // as the generator has it
constexpr std::uint64_t queue_places = 8192;

test::PortCase case_of(const Lengths& lengths, std::uint64_t seed) {
  const std::vector<std::uint64_t> offsets = test::offsets_of(lengths, seed % 3);
  return test::make_segments_case(affine_sums, offsets, offsets.back() + seed % 2, seed);
}

// Of a few pieces, of more than a warp has lanes, and of more than there are at most.
TEST(SharedSegments, MayBeGiants) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  for (const Config& config : {shared_segment_groups, shared_segment_threads, shared_segment_blocks}) {
    const Plan plan = engine->plan(affine_sums, config, nullptr);
    for (const std::uint64_t giant : {piece + 1, 5 * piece, 40 * piece - 3, 300 * piece + 7}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        device->set_schedule(test::hostile_schedule(seed));
        ASSERT_EQ(test::run_and_compare(*device, plan, case_of({3, giant, 0, 7, 60, 1, 2}, seed)), std::nullopt)
            << to_json(config) << ", " << giant << " items, schedule seed " << seed;
      }
    }
  }
}

// A block's first segments and later ones, of many batches, next to each other and far apart.
TEST(SharedSegments, MayBeAnyOfABlock) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  for (const Config& config : {shared_segment_groups, shared_segment_threads, shared_segment_blocks}) {
    const Plan plan = engine->plan(affine_sums, config, nullptr);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      Lengths lengths(1000, seed % 2);
      for (std::uint64_t i = seed; i < lengths.size(); i += 31 + 10 * seed) lengths[i] = piece + 40 * i % 500;
      lengths[7] = lengths[8] = lengths[9] = 3 * piece;
      ASSERT_EQ(test::run_and_compare(*device, plan, case_of(lengths, seed)), std::nullopt)
          << to_json(config) << ", schedule seed " << seed;
    }
  }
}

// More segments than entries, and more pieces than places: blocks fold alone what is not announced.
TEST(SharedSegments, MayBeMoreThanTheQueueHasRoomFor) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Plan plan = engine->plan(affine_sums, shared_segment_groups, nullptr);
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    if (seed > 1) device->set_schedule(test::hostile_schedule(seed));
    ASSERT_EQ(test::run_and_compare(*device, plan, case_of(Lengths(queue_entries + 100, piece + 1), seed)),
              std::nullopt);
    ASSERT_EQ(test::run_and_compare(*device, plan, case_of({9, 300, 0, 700}, seed)), std::nullopt);
  }
  device->set_schedule({});
  ASSERT_EQ(test::run_and_compare(*device, plan, case_of(Lengths(queue_places / 64 + 3, 64 * piece), 3)), std::nullopt);
  ASSERT_EQ(test::run_and_compare(*device, plan, case_of({9, 300, 0, 700}, 4)), std::nullopt);
}

// One workspace, calls of all sizes: with many long segments, with other ones, with none.
TEST(SharedSegments, LeaveTheWorkspaceReadyForTheNextCall) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  for (const Config& config : {shared_segment_groups, shared_segment_blocks}) {
    const Plan plan = engine->plan(affine_sums, config, nullptr);
    std::uint64_t seed = 0;
    for (const Lengths& lengths :
         {Lengths(12, 2 * piece), Lengths{5 * piece}, Lengths(400, 2), Lengths{1}, Lengths(3, 4 * piece),
          Lengths(3, 4 * piece), Lengths{}, Lengths(20, piece + 9), Lengths{2, 900, 0}, Lengths(20, 3 * piece - 5)}) {
      device->set_schedule(test::hostile_schedule(++seed));
      ASSERT_EQ(test::run_and_compare(*device, plan, case_of(lengths, seed)), std::nullopt)
          << to_json(config) << ", call " << seed;
    }
  }
}

// Kernels of calls in a row that overlap, as far as programmatic dependent launch allows: a call folds the results of
// the one before.
TEST(SharedSegments, SeeWhatTheCallBeforeWrote) {
  const auto device = test::two_multiprocessors();
  Config config = shared_segment_groups;
  config.values.insert_or_assign("dependent_launch", "yes");
  const Problem sums = segments_of_type(Algorithm::reduce, plus, Type::u64);
  const Plan plan = test::host_engine(device)->plan(sums, config, nullptr);
  ASSERT_TRUE(plan.source().launch.dependent);
  constexpr std::uint64_t n = 5000;
  const std::vector<std::uint32_t> offsets[]{{0, 3, 1000, 1001, 4000, 5000}, {0, 2, 700, 3000, 3000, 5000}};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    runtime::HostSchedule schedule = test::hostile_schedule(seed);
    schedule.overlap = true;
    device->set_schedule(schedule);
    std::vector<std::uint64_t> data[2], expected[2];
    for (std::uint64_t i = 0; i < n; ++i) data[0].push_back(i * seed);
    data[1] = expected[0] = expected[1] = data[0];
    for (int call = 0; call < 6; ++call) {
      const std::vector<std::uint32_t>& at = offsets[call / 2 % 2];
      const int from = call % 2, to = 1 - from;
      plan.run(Arguments(segments(at.data(), 5, n)).array("in", data[from].data()).array("out", data[to].data()));
      for (std::size_t s = 0; s < 5; ++s) {
        expected[to][s] = 0;
        for (std::uint32_t i = at[s]; i < at[s + 1]; ++i) expected[to][s] += expected[from][i];
      }
    }
    device->synchronize(nullptr);
    ASSERT_EQ(data[0], expected[0]) << "schedule seed " << seed;
    ASSERT_EQ(data[1], expected[1]) << "schedule seed " << seed;
  }
}

// ---- results depend on no timing

// Sums of f32 of these segments, by blocks of one thread per segment.
std::vector<float> sums_of(runtime::HostDevice& device, const Plan& plan, const Lengths& lengths) {
  std::vector<std::uint32_t> offsets(1, 0);
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + static_cast<std::uint32_t>(length));
  std::mt19937 random(5);
  std::vector<float> in(offsets.back()), out(lengths.size());
  for (float& item : in) item = std::uniform_real_distribution<float>(-1, 1)(random);
  plan.run(
      Arguments(segments(offsets.data(), lengths.size(), in.size())).array("in", in.data()).array("out", out.data()));
  device.synchronize(nullptr);
  return out;
}

// By one block at a time, by several, and with a queue that is full: then, which segments are announced depends on
// timing.
TEST(SharedSegments, SumsDoNotDependOnWhoFoldsThem) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Plan plan = engine->plan(segments_of_type(Algorithm::reduce, plus, Type::f32), shared_segment_threads, nullptr);
  constexpr std::uint64_t piece_of_floats = 256;
  Lengths many(queue_entries + 60, piece_of_floats + 1);
  many[3] = many[queue_entries + 50] = 50 * piece_of_floats;
  const Lengths few{7, 40 * piece_of_floats + 3, 500, 3 * piece_of_floats, 0, 70 * piece_of_floats};
  for (const Lengths& lengths : {few, many}) {
    device->set_schedule({.resident_blocks = 1});
    const std::vector<float> alone = sums_of(*device, plan, lengths);
    for (std::uint64_t seed = 1; seed <= (lengths == few ? 10 : 3); ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      ASSERT_EQ(sums_of(*device, plan, lengths), alone) << "schedule seed " << seed;
    }
  }
}

// A block announces none beyond its first 32 for each thread, and folds those alone in the same association.
TEST(SharedSegments, SumsDoNotDependOnWhetherTheyAreAnnounced) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Plan plan = engine->plan(segments_of_type(Algorithm::reduce, plus, Type::f32), shared_segment_threads, nullptr);
  const Lengths giants{70 * 256 + 5, 33 * 256, 2 * 256 + 1, 300 * 256};
  constexpr std::size_t announced = 32 * 32 * 8;  // at most, by blocks of 32 threads
  Lengths behind(announced, 0);
  behind.insert(behind.end(), giants.begin(), giants.end());
  const std::vector<float> shared = sums_of(*device, plan, giants), alone = sums_of(*device, plan, behind);
  EXPECT_EQ(std::vector<float>(alone.end() - 4, alone.end()), shared);
}

// What a launch has announced is gone when the next one ends, so that the one after finds an empty queue.
TEST(SharedSegments, AreForgottenByTheNextCall) {
  const auto device = test::two_multiprocessors();
  const Problem sums = segments_of_type(Algorithm::reduce, plus, Type::u64);
  const Plan plan = test::host_engine(device)->plan(sums, shared_segment_groups, nullptr);
  runtime::Buffer memory(*device, plan.workspace_bytes(2000));
  const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
  const std::vector<std::uint64_t> in(2000, 1);
  std::vector<std::uint64_t> out(3);
  const auto run = [&](const std::vector<std::uint32_t>& offsets) {
    plan.run(Arguments(segments(offsets.data(), 3, in.size())).array("in", in.data()).array("out", out.data()), nullptr,
             workspace);
    device->synchronize(nullptr);
  };
  // QueueState of templates/grid/long_segment_queue.cuh, of even epochs.
  const auto word = [&](std::size_t at) {
    std::uint32_t found = 0;
    std::memcpy(&found, static_cast<const char*>(memory.data()) + 128 + at, sizeof(found));
    return found;
  };
  constexpr std::size_t looked = 128, first_is_ready = 256 + 40, entry_bytes = 48;
  run({0, 600, 700, 1100});
  EXPECT_EQ(word(0), 2u) << "entries";
  EXPECT_EQ(word(4), 5u + 4u) << "pieces";
  EXPECT_EQ(word(looked), 6u) << "owners: of eight blocks, two are helpers";
  EXPECT_EQ(word(first_is_ready + entry_bytes), 1u);
  run({0, 2, 3, 3});
  EXPECT_EQ(word(0), 0u);
  EXPECT_EQ(word(4), 0u);
  EXPECT_EQ(word(looked), 0u);
  EXPECT_EQ(word(first_is_ready), 0u);
  EXPECT_EQ(word(first_is_ready + entry_bytes), 0u);
}

// Each block that looks at the entry claims one piece more than there are.
TEST(SharedSegments, AreFoldedByHelpersToo) {
  const auto device = test::two_multiprocessors();
  const Problem sums = segments_of_type(Algorithm::reduce, plus, Type::u64);
  const Plan plan = test::host_engine(device)->plan(sums, shared_segment_groups, nullptr);
  constexpr std::uint32_t giant = 200 * piece, pieces = 200;
  runtime::Buffer memory(*device, plan.workspace_bytes(giant));
  const std::vector<std::uint64_t> in(giant, 1);
  const std::vector<std::uint32_t> offsets{0, giant};
  std::vector<std::uint64_t> out(1);
  plan.run(Arguments(segments(offsets.data(), 1, in.size())).array("in", in.data()).array("out", out.data()), nullptr,
           plan.borrow_workspace(memory.data(), memory.bytes()));
  device->synchronize(nullptr);
  EXPECT_EQ(out[0], giant);
  std::uint32_t claimed = 0;
  std::memcpy(&claimed, static_cast<const char*>(memory.data()) + 128 + 256 + 32, sizeof(claimed));
  EXPECT_GE(claimed, pieces + 2) << "by the block that has the segment, and a helper";
}

// Where more blocks count or take tickets than the launch has, another launch uses the workspace at the same time.
TEST(SharedSegments, RefuseAWorkspaceInUse) {
  const auto device = test::two_multiprocessors();
  const Problem sums = segments_of_type(Algorithm::reduce, plus, Type::u64);
  const Plan plan = test::host_engine(device)->plan(sums, shared_segment_groups, nullptr);
  const std::vector<std::uint64_t> in(1000, 1);
  const std::vector<std::uint32_t> offsets{0, 600, 1000};
  std::vector<std::uint64_t> out(2);
  const auto run = [&](std::uint64_t epoch, std::uint64_t tickets, std::uint32_t looked) {
    runtime::Buffer memory(*device, plan.workspace_bytes(1000));
    const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
    const std::uint64_t ticket = epoch << 32 | tickets;
    std::memcpy(memory.data(), &ticket, sizeof(ticket));
    std::memcpy(static_cast<char*>(memory.data()) + 128 + 128, &looked, sizeof(looked));  // of even epochs
    plan.run(Arguments(segments(offsets.data(), 2, in.size())).array("in", in.data()).array("out", out.data()), nullptr,
             workspace);
    device->synchronize(nullptr);
  };
  run(0, 0, 0);
  run((1u << 30) - 1, 0, 77);  // the last epoch before they come round; it clears what the launch before has counted
  EXPECT_EQ(out, (std::vector<std::uint64_t>{600, 400}));
  const std::uint64_t blocks = plan.source().launch.blocks(1002, device->limits().multiprocessors);
  const char* const expected = "another launch uses the same workspace at the same time";
  for (const auto& [tickets, looked] : {std::pair(blocks, 0u), std::pair(std::uint64_t{0}, 100u)}) {
    EXPECT_NE(test::error_of<DeviceError>([&] { run(0, tickets, looked); }).find(expected), std::string::npos);
  }
}

}  // namespace
}  // namespace upsweep
