// Reverse scans on the host device: every way to load and store, types of every width, in place, misaligned, of any
// size, and the typed calls.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <upsweep/context.hpp>

#include "generator/problem_family.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

constexpr Algorithm reverse_scans[] = {Algorithm::reverse_inclusive_scan, Algorithm::reverse_exclusive_scan};

// One place of either array, and some that match in no way, whether in place or not.
void expect_reverse(const Problem& problem, const Config& partial) {
  const auto engine = test::host_engine();
  const Space space(problem, engine->device().limits());
  Config config = test::with_small_tiles(space, space.complete(partial));
  for (const auto& [name, value] : partial.values) config.values[name] = value;
  const Plan plan = engine->plan(problem, config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::vector<test::Layout> layouts = test::misaligned_layouts(problem);
  layouts.emplace_back();
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile, tile + 1, 6 * tile + 5}) {
    for (const test::Layout& layout : layouts) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, test::Data::random, n, layout), std::nullopt)
          << to_string(problem) << " " << to_json(plan.config()) << ", " << n << " items, input and output off by "
          << layout.in_offset << " and " << layout.out_offset;
    }
  }
}

// The operator tells both the order of the items and which one comes first.
TEST(ReverseScan, OfEveryScheduleKeepsTheOrder) {
  int turn = 0;
  const Space space(make_problem(reverse_scans[0], affine, Type::u32, Type::u32),
                    test::host_engine()->device().limits());
  for (const Schedule* schedule : space.schedules()) {
    const Algorithm algorithm = reverse_scans[turn++ % 2];
    expect_reverse(make_problem(algorithm, affine, Type::u32, Type::u32), {std::string(schedule->name()), {}});
  }
  EXPECT_GE(turn, 6);
}

TEST(ReverseScan, LoadsAndStoresTilesInEveryWay) {
  const Problem problem = make_problem(reverse_scans[1], affine, Type::u64, Type::u64);
  for (const char* access : {"direct", "vectorized", "block_transpose", "warp_transpose"}) {
    expect_reverse(problem, {"lookback", {{"load", access}, {"store", access}, {"items_per_thread", 4}}});
  }
  for (const char* prefetch : {"none", "bulk"}) {
    expect_reverse(problem, {"single_block", {{"prefetch", prefetch}}});
    expect_reverse(problem, {"lookahead", {{"prefetch", prefetch}, {"fill", "async"}, {"emit", "vectorized"}}});
  }
}

// Words of bytes and halves are turned around; results may be wider or narrower than items.
TEST(ReverseScan, OfEveryWidthIsThatOfAPlainLoop) {
  struct Types {
    Operator op;
    Type input, accumulator, output;
  };
  int turn = 0;
  for (const Types& types : {Types{plus, Type::i8, Type::i8, Type::i8},
                             {plus, Type::u8, Type::u32, Type::u32},
                             {maximum, Type::u8, Type::u8, Type::u8},
                             {plus, Type::f16, Type::f16, Type::f16},
                             {last_nonzero, Type::i16, Type::i16, Type::i16},
                             {maximum, Type::i16, Type::i16, Type::f64},
                             {plus, Type::u64, Type::u32, Type::u8},
                             {plus, Type::f32, Type::f32, Type::f32},
                             {plus, Type::f64, Type::f64, Type::f64},
                             {plus, Type::c128, Type::c128, Type::c128}}) {
    for (const char* schedule : {"lookahead", "lookback"}) {
      Problem problem = make_problem(reverse_scans[turn++ / 2 % 2], types.op, types.input, types.accumulator);
      problem.output = types.output;
      Config config{schedule, {}};
      if (turn % 2 == 1) config.values["vectors_per_thread"] = turn % 3 == 0 ? 1 : 3;
      expect_reverse(problem, config);
    }
  }
}

TEST(ReverseScan, OfPackedHalvesIsThatOfAPlainLoop) {
  for (const Algorithm algorithm : reverse_scans) {
    expect_reverse(make_problem(algorithm, minimum, Type::i16, Type::i16),
                   {"lookahead", {{"packing", "packed_16x2"}, {"vectors_per_thread", 3}}});
  }
}

TEST(ReverseScan, TakesTheWinnersOfTheScan) {
  for (const auto& [reverse, forward] :
       {std::pair{reverse_scans[0], Algorithm::inclusive_scan}, {reverse_scans[1], Algorithm::exclusive_scan}}) {
    const Problem one = make_problem(reverse, plus, Type::i32, Type::i32),
                  other = make_problem(forward, plus, Type::u32, Type::u32);
    EXPECT_EQ(nearness(one, other), Nearness::same_kinds);
    EXPECT_EQ(family_text(one), family_text(other));
  }
}

TEST(ReverseScanCalls, ScanFromTheLastItemToTheFirst) {
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<std::int16_t> in{1, 0, 3, 0, 5};
  std::vector<std::int32_t> out(6, 99);
  context.reverse_inclusive_scan(in.data(), out.data(), in.size());
  EXPECT_THAT(out, testing::ElementsAre(9, 8, 8, 5, 5, 99));
  context.reverse_exclusive_scan(in.data(), out.data(), in.size());
  EXPECT_THAT(out, testing::ElementsAre(8, 8, 5, 5, 0, 99));
  context.reverse_exclusive_scan(in.data(), out.data(), in.size(), last_nonzero, 7);
  EXPECT_THAT(out, testing::ElementsAre(3, 3, 5, 5, 7, 99));
  const std::int32_t initial = 10;
  context.reverse_exclusive_scan(in.data(), out.data(), in.size(), maximum, in_memory(&initial));
  EXPECT_THAT(out, testing::ElementsAre(10, 10, 10, 10, 10, 99));
}

}  // namespace
}  // namespace upsweep
