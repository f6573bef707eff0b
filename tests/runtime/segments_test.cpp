// Scans and reduces of segments on the host device: schedules, lengths, types, operators that do not commute, hostile
// schedules and wrong offsets.
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/algorithm.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/runtime/segment_schedules.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/segments.hpp"

namespace upsweep {
namespace {

using test::affine_segments;
using test::affine_sums;
using test::layouts_of_segments;
using test::lengths_around;
using test::lookahead_of_bytes;
using test::lookahead_of_segments;
using test::lookback_of_segments;
using test::merge_path;
using test::ScheduleOfSegments;
using test::segment_blocks;
using test::segment_groups;
using test::segment_pieces;
using test::segment_pieces_of_bytes;
using test::segment_threads;
using test::segments_of_type;
using test::shared_segment_blocks;
using test::shared_segment_groups;
using test::shared_segment_threads;

class Segmented : public testing::TestWithParam<ScheduleOfSegments> {};

// One kernel with segments of all these lengths, from the first item or a later one on, up to the last item or an
// earlier one.
TEST_P(Segmented, GiveWhatAPlainLoopOverEachSegmentGives) {
  const auto engine = test::host_engine(test::two_multiprocessors());
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  std::uint64_t seed = 0;
  for (const auto& lengths : lengths_around(plan.source().launch.items_per_tile)) {
    ++seed;
    const std::vector<std::uint64_t> offsets = test::offsets_of(lengths, seed % 4 == 3 ? 5 : 0);
    const std::uint64_t n = offsets.back() + (seed % 3 == 0 ? 2 : 0);
    const test::PortCase call = test::make_segments_case(plan.problem(), offsets, n, seed);
    ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layouts_of_segments[seed % 3]), std::nullopt)
        << to_string(plan.problem()) << " " << to_json(plan.config()) << ", seed " << seed;
  }
}

Problem widening_segments(Algorithm algorithm) {
  Problem problem = segments_of_type(algorithm, plus, Type::i16, Type::u64);
  problem.accumulator = Type::i64;
  problem.output = Type::i32;
  return problem;
}

INSTANTIATE_TEST_SUITE_P(
    All, Segmented,
    testing::Values(
        ScheduleOfSegments{"sequential", affine_segments, {"sequential", {}}},
        ScheduleOfSegments{
            "single_block", segments_of_type(Algorithm::exclusive_scan, plus, Type::f32), {"single_block", {}}},
        ScheduleOfSegments{"lookback", affine_segments, lookback_of_segments},
        ScheduleOfSegments{"lookback_widening", widening_segments(Algorithm::inclusive_scan), lookback_of_segments},
        // No power of two of items per thread.
        ScheduleOfSegments{"lookback_bytes",
                           segments_of_type(Algorithm::inclusive_scan, maximum, Type::i8),
                           {"lookback", {{"threads_per_block", 32}, {"items_per_thread", 31}}}},
        ScheduleOfSegments{"lookahead", affine_segments, lookahead_of_segments},
        ScheduleOfSegments{"lookahead_bytes", segments_of_type(Algorithm::inclusive_scan, maximum, Type::i8),
                           lookahead_of_bytes},
        ScheduleOfSegments{"reduce_then_scan", affine_segments, {"reduce_then_scan", {{"threads_per_block", 64}}}},
        ScheduleOfSegments{"segment_pieces", affine_sums, segment_pieces},
        ScheduleOfSegments{"segment_pieces_widening", widening_segments(Algorithm::reduce), segment_pieces_of_bytes},
        ScheduleOfSegments{"segment_groups", affine_segments, segment_groups},
        ScheduleOfSegments{"segment_groups_widening", widening_segments(Algorithm::inclusive_scan), segment_threads},
        ScheduleOfSegments{"segment_groups_of_bytes", segments_of_type(Algorithm::inclusive_scan, maximum, Type::i8),
                           segment_blocks},
        ScheduleOfSegments{"reduce_segment_groups", affine_sums, segment_groups},
        ScheduleOfSegments{"reduce_segment_groups_widening", widening_segments(Algorithm::reduce), segment_threads},
        ScheduleOfSegments{"reduce_segment_groups_of_floats", segments_of_type(Algorithm::reduce, plus, Type::f32),
                           segment_blocks},
        ScheduleOfSegments{"shared_segment_groups", affine_sums, shared_segment_groups},
        ScheduleOfSegments{"shared_segment_groups_by_threads", segments_of_type(Algorithm::reduce, plus, Type::c128),
                           shared_segment_threads},
        ScheduleOfSegments{"shared_segment_groups_by_blocks", segments_of_type(Algorithm::reduce, plus, Type::f64),
                           shared_segment_blocks},
        ScheduleOfSegments{"inclusive_sequential", widening_segments(Algorithm::inclusive_scan), {"sequential", {}}},
        ScheduleOfSegments{"reduce_sequential", affine_sums, {"sequential", {}}},
        ScheduleOfSegments{"merge_path", affine_sums, merge_path(64, 3)},
        ScheduleOfSegments{"merge_path_vectors", segments_of_type(Algorithm::reduce, plus, Type::f32),
                           merge_path(32, 8, "vectorized")},
        ScheduleOfSegments{"merge_path_widening", widening_segments(Algorithm::reduce), merge_path(32, 5, "direct")}),
    [](const auto& given) { return given.param.name; });

TEST(Segments, InitialValuesAreReadFromMemory) {
  const auto engine = test::host_engine();
  for (const auto& [problem, config] :
       {std::pair(affine_segments, lookback_of_segments), std::pair(affine_sums, merge_path(64, 3))}) {
    const Plan plan = engine->plan(problem, config, nullptr);
    const std::vector<std::uint64_t> offsets = test::offsets_of(test::mixed_lengths(1000, 3));
    const test::PortCase call = test::make_segments_case(problem, offsets, 1000, 7);
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, call, {.initial_in_memory = true}), std::nullopt);
  }
}

// Segments that began more shares ago than a block has threads, or a warp has lanes.
TEST(Segments, AreCompletedWhereThereAreManyShares) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  for (const int threads : {32, 64}) {
    Config config = merge_path(threads, 1);
    config.values.insert_or_assign("blocks_per_multiprocessor", 64);
    const Plan plan = engine->plan(affine_sums, config, nullptr);
    const std::uint64_t shares = plan.source().launch.blocks(1 << 20, device->limits().multiprocessors);
    ASSERT_GE(shares, 256u);
    for (const std::uint64_t items : {64 * shares, 31 * shares - 50}) {
      for (const std::uint64_t length : {std::uint64_t{50}, std::uint64_t{70}, std::uint64_t{333}, items}) {
        const std::vector<std::uint64_t> offsets = test::offsets_of(std::vector<std::uint64_t>(items / length, length));
        const test::PortCase call = test::make_segments_case(affine_sums, offsets, offsets.back(), length);
        ASSERT_EQ(test::run_and_compare(*device, plan, call), std::nullopt)
            << threads << " threads, " << items << ", " << length;
      }
    }
  }
}

// Shares of one and of several tiles, more than blocks have without a claim, where segments end more often in some
// parts than in others. The workspace is used again.
TEST(Segments, GoOnFromShareToShare) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  for (const int shares : {1, 4, 32}) {
    Config config = segment_pieces;
    config.values.insert_or_assign("shares_per_block", shares);
    const Plan plan = engine->plan(affine_sums, config, nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{3}, tile, 3 * tile + 1, 80 * tile}) {
      std::vector<std::uint64_t> lengths(80 * tile / length, length);
      lengths.insert(lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), 7 * tile, 2);
      lengths.insert(lengths.end(), {9 * tile, 0, 5});
      const std::vector<std::uint64_t> offsets = test::offsets_of(lengths, length % 5);
      const test::PortCase call = test::make_segments_case(affine_sums, offsets, offsets.back(), length);
      ASSERT_EQ(test::run_and_compare(*device, plan, call), std::nullopt) << shares << " shares, length " << length;
    }
  }
}

// The first block takes all small shares, more than it completes at a time, and the others have one share each.
TEST(Segments, OfOneBlockAfterTheOtherAreRight) {
  const auto device = test::device_of_multiprocessors(12);
  device->set_schedule({.resident_blocks = 1});
  const Plan plan = test::host_engine(device)->plan(affine_sums, segment_pieces, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (const std::uint64_t length : {std::uint64_t{7}, tile - 1, 3 * tile + 1, 90 * tile}) {
    const std::vector<std::uint64_t> offsets =
        test::offsets_of(std::vector<std::uint64_t>(400 * tile / length, length), 3);
    const test::PortCase call = test::make_segments_case(affine_sums, offsets, offsets.back(), length);
    ASSERT_EQ(test::run_and_compare(*device, plan, call), std::nullopt) << length;
  }
}

// Whether a block completes segments at its end or, where it takes many shares, before.
TEST(Segments, SumsDoNotDependOnWhichBlocksRun) {
  const auto device = test::device_of_multiprocessors(12);
  const auto engine = test::host_engine(device);
  const Plan plan = engine->plan(segments_of_type(Algorithm::reduce, plus, Type::f32), segment_pieces, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile, length = 23 * tile + 5, count = 400 * tile / length;
  std::mt19937 random(5);
  std::vector<float> in(count * length);
  for (float& item : in) item = std::uniform_real_distribution<float>(-1, 1)(random);
  std::vector<std::uint32_t> offsets(count + 1);
  for (std::uint64_t i = 0; i <= count; ++i) offsets[i] = static_cast<std::uint32_t>(i * length);
  std::vector<float> sums[2];
  for (const int resident : {1, 12}) {
    device->set_schedule({.resident_blocks = resident});
    std::vector<float>& out = sums[resident == 1 ? 0 : 1];
    out.resize(count);
    plan.run(Arguments(segments(offsets.data(), count, in.size())).array("in", in.data()).array("out", out.data()));
  }
  EXPECT_EQ(sums[0], sums[1]);
}

TEST(Segments, AreRightUnderHostileSchedules) {
  for (const auto& [problem, config] :
       {std::pair(affine_segments, lookback_of_segments), std::pair(affine_segments, lookahead_of_segments),
        std::pair(affine_sums, merge_path(64, 3)), std::pair(affine_sums, segment_pieces),
        std::pair(affine_segments, segment_groups), std::pair(affine_sums, segment_groups),
        std::pair(affine_sums, shared_segment_groups), std::pair(affine_sums, shared_segment_blocks)}) {
    const auto device = test::two_multiprocessors();
    const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
    const Plan plan = engine->plan(problem, config, nullptr);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      device->set_schedule(test::hostile_schedule(seed));
      const std::vector<std::uint64_t> offsets = test::offsets_of(test::mixed_lengths(2000, seed), seed % 3);
      const test::PortCase call = test::make_segments_case(problem, offsets, offsets.back(), seed);
      ASSERT_EQ(test::run_and_compare(*device, plan, call, layouts_of_segments[seed % 3]), std::nullopt)
          << to_json(config) << ", schedule seed " << seed;
      if (seed % 4 != 0 || offsets.size() < 2) continue;
      const test::PortCase pairs = test::make_pairs_case(problem, offsets, offsets.back(), seed);
      ASSERT_EQ(test::run_and_compare(*device, plan, pairs, layouts_of_segments[seed % 3]), std::nullopt)
          << to_json(config) << ", pairs, schedule seed " << seed;
    }
  }
}

// ---- wrong offsets

// Neither hangs nor writes behind the output; what the results are is not said.
TEST(Segments, WrongOffsetsWriteNothingOutsideTheOutput) {
  const auto engine = test::host_engine(test::two_multiprocessors());
  constexpr std::uint64_t n = 1500, count = 900, guard = 16;
  constexpr std::uint32_t poison = 0xabababab;
  for (const auto& [problem, config] :
       {std::pair(segments_of_type(Algorithm::inclusive_scan, plus, Type::u32), lookback_of_segments),
        std::pair(segments_of_type(Algorithm::exclusive_scan, plus, Type::u32), lookahead_of_segments),
        std::pair(segments_of_type(Algorithm::reduce, plus, Type::u32), merge_path(64, 3)),
        std::pair(segments_of_type(Algorithm::reduce, plus, Type::u32), segment_pieces),
        std::pair(segments_of_type(Algorithm::inclusive_scan, plus, Type::u32), segment_groups),
        std::pair(segments_of_type(Algorithm::reduce, plus, Type::u32), segment_groups),
        std::pair(segments_of_type(Algorithm::reduce, plus, Type::u32), shared_segment_groups),
        std::pair(segments_of_type(Algorithm::reduce, plus, Type::u32), shared_segment_blocks),
        std::pair(segments_of_type(Algorithm::reduce, plus, Type::u32), Config{"sequential", {}})}) {
    const Plan plan = engine->plan(problem, config, nullptr);
    const std::uint64_t room = is_dense(problem) ? n : count;
    std::mt19937 random(17);
    for (int kind = 0; kind < 6; ++kind) {
      std::vector<std::uint32_t> in(n, 1), offsets(count + 1), out(room + 2 * guard, poison);
      for (std::uint64_t i = 0; i <= count; ++i) {
        const auto up = static_cast<std::uint32_t>(i);
        offsets[i] = kind == 0   ? static_cast<std::uint32_t>(count - i)  // falling
                     : kind == 1 ? 3 * up                                 // behind the items
                     : kind == 2 ? up - 100                               // negative at first
                     : kind == 3 ? static_cast<std::uint32_t>(random())
                     : kind == 4 ? static_cast<std::uint32_t>(random() % n)
                                 : (i == 0 ? 4'000'000'000u : up);
      }
      for (const Segments& given :
           {segments(offsets.data(), count, n), segments(offsets.data(), offsets.data() + 1, count, n)}) {
        plan.run(Arguments(given).array("in", in.data()).array("out", out.data() + guard));
      }
      for (std::uint64_t i = 0; i < guard; ++i) {
        ASSERT_EQ(out[i], poison) << to_json(config) << ", kind " << kind;
        ASSERT_EQ(out[guard + room + i], poison) << to_json(config) << ", kind " << kind;
      }
    }
  }
}
}  // namespace
}  // namespace upsweep
