// Scans and reduces of segments on a GPU: random offsets, types and operators, every schedule, each alignment, in
// place.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generator/algorithm.hpp"
#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/segments.hpp"

namespace upsweep {
namespace {

const test::Layout layouts_of_segments[] = {
    {}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}, {.in_offset = 2}};

void expect_right(const Plan& plan, const std::vector<std::uint64_t>& lengths, std::uint64_t seed) {
  const std::vector<std::uint64_t> offsets = test::offsets_of(lengths, seed % 5);
  const std::uint64_t n = offsets.back() + seed % 3;
  const test::PortCase call = test::make_segments_case(plan.problem(), offsets, n, seed);
  for (const test::Layout& layout : layouts_of_segments) {
    ASSERT_EQ(test::run_and_compare(test::gpu_engine()->device(), plan, call, layout), std::nullopt)
        << to_string(plan.problem()) << " " << to_json(plan.config()) << ", " << lengths.size() << " segments of " << n
        << " items, seed " << seed << (layout.in_place ? ", in place" : "");
  }
  // With gaps, whose kernel is another one. One thread that looks for the gap of each item takes long.
  if (offsets.size() < 2 || seed % 4 != 0 || (plan.config().schedule == "sequential" && n > 5000)) return;
  const test::PortCase pairs = test::make_pairs_case(plan.problem(), offsets, n, seed);
  const test::Layout& layout = layouts_of_segments[seed / 4 % 4];
  ASSERT_EQ(test::run_and_compare(test::gpu_engine()->device(), plan, pairs, layout), std::nullopt)
      << to_string(plan.problem()) << " " << to_json(plan.config()) << ", " << pairs.segments.value() << " pairs, seed "
      << seed << (layout.in_place ? ", in place" : "");
}

class GpuSegments : public testing::TestWithParam<Problem> {};

// The configs that calls of such segments get. Each is compiled for some segments and also runs eleven other sets of
// them.
TEST_P(GpuSegments, OfRandomLengthsAreThoseOfAPlainLoop) {
  const std::uint64_t first = static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed()) + 1;
  std::optional<Plan> plan;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const std::uint64_t seed = first + i, n = std::uint64_t{1} << (4 + 7 * i % 15);
    const std::vector<std::uint64_t> lengths = test::mixed_lengths(n, seed);
    if (i % 12 == 0) {
      plan = test::gpu_engine()->plan(in_segments(GetParam(), lengths.size(), n, *GetParam().key), nullptr);
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(*plan, lengths, seed));
  }
}

// Every schedule with its default config, at lengths around its tiles.
TEST_P(GpuSegments, BySchedulesOfEachKindAreThoseOfAPlainLoop) {
  const auto engine = test::gpu_engine();
  const Problem problem = in_segments(GetParam(), 1 << 14, 1 << 20, *GetParam().key);
  for (const ScheduleInfo& schedule : Space(problem, engine->device().limits()).describe()) {
    const Plan plan = engine->plan(problem, schedule.default_config, nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, {tile - 1, 0, tile, 1, tile + 1, 0, 3 * tile + 5}, 1));
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, {0, 0, 70'001, 0}, 2));
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, std::vector<std::uint64_t>(30'000, 0), 3));
    std::vector<std::uint64_t> crowded(100'000, 0);  // more at one place than a tile marks one by one
    for (std::uint64_t i = 0; i < 500; ++i) crowded[40'000 + 3 * i] = 1;
    crowded.front() = crowded.back() = tile / 2;
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, crowded, 4));
    for (std::uint64_t seed = 6; seed < 12; ++seed) {
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, test::mixed_lengths(5 * tile + 3, seed), seed));
    }
  }
}

// In any order, those of a reduce with many that overlap.
TEST_P(GpuSegments, InAnyOrderAreThoseOfAPlainLoop) {
  Problem problem = GetParam();
  problem.unordered_segments = true;
  Problem of_long_ones = problem;
  of_long_ones.row_length = 1000;
  const Plan plans[] = {test::gpu_engine()->plan(problem, nullptr), test::gpu_engine()->plan(of_long_ones, nullptr)};
  const std::uint64_t first = static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed()) + 1;
  for (std::uint64_t seed = first; seed < first + 24; ++seed) {
    const Plan& plan = plans[seed % 2];
    const std::uint64_t n = std::uint64_t{1} << (4 + 7 * seed % 15);
    const std::vector<std::uint64_t> offsets = test::offsets_of(test::mixed_lengths(n, seed), seed % 5);
    std::vector<test::SegmentPlace> places = test::shuffled_segments(offsets, seed);
    for (std::size_t i = 0; !is_dense(problem) && i < places.size() && i < 900; i += 3) {
      places[i].begin -= std::min<std::uint64_t>(places[i].begin, i);
    }
    const test::PortCase call = test::make_unordered_case(plan.problem(), places, offsets.back() + seed % 3, seed);
    const test::Layout& layout = layouts_of_segments[seed % 4];
    ASSERT_EQ(test::run_and_compare(test::gpu_engine()->device(), plan, call, layout), std::nullopt)
        << to_string(plan.problem()) << ", " << places.size() << " segments, seed " << seed
        << (layout.in_place ? ", in place" : "");
  }
}

std::vector<Problem> problems_of_segments() {
  std::vector<Problem> all;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce}) {
    for (const Type type : {Type::u8, Type::i16, Type::i32, Type::f32, Type::c128}) {
      all.push_back(test::segments_of_type(algorithm, plus, type));
    }
    all.push_back(test::segments_of_type(algorithm, plus, Type::u64, Type::u64));
    for (const Type type : {Type::i8, Type::f32, Type::f64}) {
      all.push_back(test::segments_of_type(algorithm, maximum, type));
    }
    for (const Type type : {Type::u32, Type::u64}) all.push_back(test::segments_of_type(algorithm, affine, type));
    all.push_back(test::segments_of_type(algorithm, last_nonzero, Type::i16, Type::u64));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GpuSegments, testing::ValuesIn(problems_of_segments()), [](const auto& given) {
  return fmt::format("{}_{}_{}", name(given.param.algorithm), name(given.param.op), name(given.param.input));
});

// Tiles that are so small that each block takes many shares, of one tile or of several. A plan's workspace is used
// again.
Config many_shares(int shares_per_block) {
  return {"segment_pieces",
          {{"worker_warps", 2},
           {"vectors_per_thread", 1},
           {"stages", 4},
           {"reduce_ahead", 1},
           {"filler_warps", 3},
           {"shares_per_block", shares_per_block}}};
}

class GpuSegmentShares : public testing::TestWithParam<Problem> {};

TEST_P(GpuSegmentShares, AreThoseOfAPlainLoop) {
  const std::uint64_t first = static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed()) + 1;
  for (const int shares : {1, 16, 32}) {
    const Plan plan = test::gpu_engine()->plan(GetParam(), many_shares(shares), nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    for (const std::uint64_t tiles : {600, 1500, 5000}) {
      const std::uint64_t seed = first + tiles;
      std::vector<std::uint64_t> lengths = test::mixed_lengths(tiles * tile, seed);
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, lengths, seed)) << shares << " shares of " << tiles << " tiles";
      lengths.insert(lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), 700 * tile);
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, lengths, seed + 1)) << shares << " shares, with a long segment";
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, std::vector<std::uint64_t>{1000 * tile + 5}, first))
        << shares << " shares of one segment";
  }
}

std::vector<Problem> reduces_of_segments() {
  std::vector<Problem> all = problems_of_segments();
  std::erase_if(all, [](const Problem& problem) { return is_dense(problem); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GpuSegmentShares, testing::ValuesIn(reduces_of_segments()), [](const auto& given) {
  return fmt::format("{}_{}", name(given.param.op), name(given.param.input));
});

// Many segments of which several blocks fold the pieces, by lanes, threads and blocks: more than the queue has room
// for, giants, and a few. A plan's workspace is used again.
Config with_helpers(int threads_per_segment, int blocks_per_helper) {
  return {"segment_groups",
          {{"threads_per_block", threads_per_segment > 32 ? threads_per_segment : 128},
           {"threads_per_segment", threads_per_segment},
           {"items_per_thread", 3},
           {"blocks_per_helper", blocks_per_helper},
           {"piece_kibibytes", 1}}};
}

class GpuSharedSegments : public testing::TestWithParam<Problem> {};

TEST_P(GpuSharedSegments, AreThoseOfAPlainLoop) {
  const std::uint64_t first = static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed()) + 1;
  const std::uint64_t piece = 1024 / size_of(GetParam().input);
  for (const Config& config : {with_helpers(4, 8), with_helpers(1, 16), with_helpers(32, 4), with_helpers(128, 8)}) {
    const Plan plan = test::gpu_engine()->plan(GetParam(), config, nullptr);
    for (std::uint64_t seed = first; seed < first + 8; ++seed) {
      std::vector<std::uint64_t> lengths = test::mixed_lengths(std::uint64_t{1} << (12 + seed % 7), seed);
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, lengths, seed)) << to_json(config);
      lengths.insert(lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), {500 * piece, 3, 40 * piece});
      ASSERT_NO_FATAL_FAILURE(expect_right(plan, lengths, seed)) << to_json(config) << ", with giants";
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, std::vector<std::uint64_t>(1500, piece + 1), first)) << to_json(config);
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, std::vector<std::uint64_t>(100, 90 * piece), first)) << to_json(config);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuSharedSegments, testing::ValuesIn(reduces_of_segments()), [](const auto& given) {
  return fmt::format("{}_{}", name(given.param.op), name(given.param.input));
});

// Whichever blocks fold the pieces, and whether the queue has room for a segment.
TEST(GpuSharedSegments, HaveTheSameBitsInEachCall) {
  runtime::Device& device = test::gpu_engine()->device();
  const Problem sums = test::segments_of_type(Algorithm::reduce, plus, Type::f32);
  const Plan plan = test::gpu_engine()->plan(sums, with_helpers(4, 8), nullptr);
  constexpr std::uint64_t count = 3000, length = 10'000;  // 40 pieces each
  std::vector<float> items(1 << 16);
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = 1.0F / static_cast<float>(1 + i * 7919 % 4099);
  std::vector<std::uint32_t> begins(count), ends(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    begins[i] = static_cast<std::uint32_t>(i * 37 % (items.size() - length));
    ends[i] = begins[i] + static_cast<std::uint32_t>(i % 2 == 0 ? length : i % 100);
  }
  runtime::Buffer in(device, 4 * items.size()), from(device, 4 * count), to(device, 4 * count), out(device, 4 * count);
  device.copy_to_device(in.data(), items.data(), in.bytes(), nullptr);
  device.copy_to_device(from.data(), begins.data(), from.bytes(), nullptr);
  device.copy_to_device(to.data(), ends.data(), to.bytes(), nullptr);
  std::vector<float> sums_of_first_call;
  for (int call = 0; call < 50; ++call) {
    std::vector<float> got(count);
    plan.run(Arguments(segments(static_cast<const std::uint32_t*>(from.data()),
                                static_cast<const std::uint32_t*>(to.data()), count, items.size()))
                 .array("in", in.data())
                 .array("out", out.data()));
    device.copy_to_host(got.data(), out.data(), out.bytes(), nullptr);
    if (call == 0) sums_of_first_call = got;
    ASSERT_EQ(got, sums_of_first_call) << "call " << call;
  }
}

// Neither hangs nor writes behind the output; what the results are is not said.
TEST(GpuWrongOffsets, WriteNothingOutsideTheOutput) {
  const auto engine = test::gpu_engine();
  constexpr std::uint64_t n = 100'000, count = 50'000, guard = 1024;
  const Problem scan = test::segments_of_type(Algorithm::inclusive_scan, plus, Type::u32);
  const Problem reduce = test::segments_of_type(Algorithm::reduce, plus, Type::u32);
  for (const Problem& problem :
       {in_segments(scan, 64, 4096), reduce, in_segments(scan, 1 << 14, 1 << 20), in_segments(reduce, 1, 1 << 20),
        in_segments(reduce, 1 << 16, 1 << 22), in_segments(reduce, 1 << 20, 1 << 26)}) {
    const bool has_shares = problem.size == 1 << 26;
    const bool has_helpers = problem.size == 1 << 22;
    const Plan plan = has_shares    ? engine->plan(problem, many_shares(16), nullptr)
                      : has_helpers ? engine->plan(problem, with_helpers(4, 8), nullptr)
                                    : engine->plan(problem, nullptr);
    const std::uint64_t room = is_dense(problem) ? n : count, words = room + 2 * guard;
    for (const std::uint32_t step : {0xfffffff0u, 3u, 0x9e3779b9u}) {
      std::vector<std::uint32_t> offsets(count + 1), got(words);
      for (std::uint64_t i = 0; i <= count; ++i) offsets[i] = 7'777u + static_cast<std::uint32_t>(i) * step;
      runtime::Buffer in(engine->device(), 4 * n), at(engine->device(), 4 * (count + 1)),
          out(engine->device(), 4 * words);
      engine->device().fill(in.data(), 1, 4 * n, nullptr);
      engine->device().fill(out.data(), 0xa5, 4 * words, nullptr);
      engine->device().copy_to_device(at.data(), offsets.data(), 4 * (count + 1), nullptr);
      plan.run(Arguments(segments(static_cast<const std::uint32_t*>(at.data()), count, n))
                   .array("in", in.data())
                   .array("out", static_cast<void*>(static_cast<std::uint32_t*>(out.data()) + guard)));
      engine->device().copy_to_host(got.data(), out.data(), 4 * words, nullptr);
      for (std::uint64_t i = 0; i < guard; ++i) {
        ASSERT_EQ(got[i], 0xa5a5a5a5u) << step;
        ASSERT_EQ(got[guard + room + i], 0xa5a5a5a5u) << step;
      }
    }
  }
}

}  // namespace
}  // namespace upsweep
