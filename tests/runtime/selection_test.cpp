// select_if on the host device: every schedule and strategy, predicate and type, in place and not, against a plain
// loop.
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/port_case.hpp"
#include "tests/support/selection.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::flagged_selection;
using test::selection;

constexpr double shares[] = {0, 0.01, 0.5, 0.99, 1};

class SelectionStrategies : public testing::TestWithParam<test::Strategy> {};

TEST_P(SelectionStrategies, KeepWhatAPlainLoopKeeps) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::uint64_t seed = 0;
  for (const std::uint64_t n : test::awkward_sizes(tile)) {
    const double share = shares[seed++ % std::size(shares)];
    for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
      ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, share, seed, layout), std::nullopt)
          << n << " items, share " << share << ", seed " << seed << (layout.in_place ? ", in place" : "");
    }
  }
}

std::vector<test::Strategy> small_strategies() {
  std::vector<test::Strategy> all =
      test::strategies({selection(less, Type::i32)}, runtime::HostDevice().limits(), test::Tiles::small);
  // The strategies of scans meet all counts of threads and items, and what the host device does not tell apart.
  std::erase_if(all, [](const test::Strategy& strategy) {
    const auto is_of = [&](const char* parameter) { return strategy.name.find(parameter) != std::string::npos; };
    if (is_of("items_per_thread")) {
      return strategy.config.schedule != "lookback" || strategy.config.integer("items_per_thread") % 5 != 1;
    }
    return is_of("threads_per_block") || is_of("delay_nanoseconds") || is_of("minimum_blocks");
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, SelectionStrategies, testing::ValuesIn(small_strategies()), test::by_name);

TEST(Selections, OfEveryPredicateAndTypeKeepWhatAPlainLoopKeeps) {
  const auto engine = test::host_engine();
  for (const Problem& problem : test::all_selections()) {
    const Plan plan =
        engine->plan(problem, {.schedule = "single_block", .values = {{"threads_per_block", 64}}}, nullptr);
    for (const double share : shares) {
      ASSERT_EQ(test::select_and_compare(engine->device(), plan, 777, share, 5), std::nullopt) << to_string(problem);
    }
  }
}

TEST(Selections, OfNarrowAndWideItemsTakeEveryAccess) {
  const auto engine = test::host_engine();
  for (const Type type : {Type::u8, Type::f16, Type::c128}) {
    const Operator predicate = is_complex(type) ? not_equal_to : less;
    for (const char* load : {"direct", "vectorized", "block_transpose", "warp_transpose"}) {
      for (const char* store : {"direct", "two_phase"}) {
        const Config partial{"lookback", {{"items_per_thread", 8}, {"load", load}, {"store", store}}};
        if (std::string_view(load) == "vectorized" && is_complex(type)) continue;  // an item is a vector
        const Plan plan = engine->plan(selection(predicate, type), partial, nullptr);
        const std::uint64_t n = 3 * plan.source().launch.items_per_tile + 5;
        for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
          ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, 0.5, n, layout), std::nullopt)
              << name(type) << " " << load << " " << store;
        }
      }
    }
  }
}

// The schedule lookahead compares and packs four bytes at once. All pairs of a byte and one of a few thresholds, in an
// order without a pattern.
TEST(Selections, OfBytesKeepWhatAPlainLoopKeepsOfEveryByte) {
  const auto engine = test::host_engine();
  std::vector<std::byte> items(256 * 63);
  std::uint32_t state = 1;
  for (std::byte& item : items) item = std::byte((state = state * 1664525 + 1013904223) >> 24);
  for (const Operator predicate : all_predicates()) {
    for (const auto& [type, thresholds] :
         {std::pair{Type::i8, std::vector{"-128", "-127", "-1", "0", "1", "2", "126", "127"}},
          {Type::u8, std::vector{"0", "1", "127", "128", "129", "254", "255"}}}) {
      const Problem problem = selection(predicate, type);
      const Plan plan = engine->plan(
          problem, {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 3}, {"stages", 4}, {"reduce_ahead", 1}}},
          nullptr);
      int turn = 0;
      for (const char* threshold : thresholds) {
        const test::Selection all{.items = items, .flags = {}, .threshold = parse_scalar(type, threshold)};
        const std::vector<std::byte> kept = test::selected(problem, all);
        const std::uint64_t count = kept.size();
        test::PortCase call{.n = items.size(),
                            .inputs = {{"in", items}},
                            .scalars = {{"threshold", all.threshold}},
                            .results = {{"out", kept}, {"count", std::vector<std::byte>(8)}},
                            .in_place = {{"out", "in"}}};
        std::memcpy(call.results["count"].data(), &count, sizeof count);
        const test::Layout layout{.in_place = turn % 3 == 2, .in_offset = turn % 5, .out_offset = 7 * turn % 33};
        ASSERT_EQ(test::run_and_compare(engine->device(), plan, call, layout), std::nullopt)
            << to_string(problem) << ", threshold " << threshold << ", results off by " << layout.out_offset;
        ++turn;
      }
    }
  }
}

TEST(Selections, OfBytesOfEveryDensityBeginAnywhere) {
  const auto engine = test::host_engine();
  const Plan plan =
      engine->plan(selection(less, Type::i8),
                   {"lookahead", {{"worker_warps", 2}, {"vectors_per_thread", 1}, {"emit", "vectorized"}}}, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  int turn = 0;
  for (const double share : shares) {
    for (const std::uint64_t n : {tile, 5 * tile + 3, 9 * tile - 1}) {
      const test::Layout layout{.in_place = turn % 4 == 1, .in_offset = turn % 7, .out_offset = 5 * turn % 32};
      ++turn;
      ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, share, n, layout), std::nullopt)
          << n << " items, share " << share << ", results off by " << layout.out_offset;
    }
  }
}

TEST(Selections, ByFlagsOfEveryWidthKeepWhatAPlainLoopKeeps) {
  const auto engine = test::host_engine();
  for (const auto& [item, flag] : {std::pair{Type::c128, Type::u8}, {Type::u8, Type::f64}, {Type::i32, Type::u32}}) {
    for (const char* schedule :
         {"lookback", "chained", "all_aggregates", "lookahead", "single_block", "cluster", "sequential"}) {
      const Problem problem = flagged_selection(not_equal_to, item, flag);
      const std::string_view which = schedule;
      const Config small{schedule, {{"threads_per_block", 64}, {"items_per_thread", 3}}};
      const Config ring{schedule, {{"worker_warps", 2}, {"vectors_per_thread", 1}}};
      const Plan plan = engine->plan(problem,
                                     which == "sequential"  ? Config{schedule, {}}
                                     : which == "lookahead" ? ring
                                                            : small,
                                     nullptr);
      for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
        for (const std::uint64_t n : {0, 1, 191, 5000}) {
          ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, 0.5, n, layout), std::nullopt)
              << to_string(problem) << " " << schedule << ", " << n << " items";
        }
      }
    }
  }
}

TEST(Selections, CountInBothTypesAndTakeThresholdsFromMemory) {
  const auto engine = test::host_engine();
  for (const Type count : {Type::u32, Type::u64}) {
    for (const char* schedule : {"lookback", "all_aggregates", "lookahead", "single_block", "cluster", "sequential"}) {
      const Plan plan =
          engine->plan(selection(greater_equal, Type::i16, count), {.schedule = schedule, .values = {}}, nullptr);
      for (const std::uint64_t n : {0, 1, 5000}) {
        for (const bool in_memory : {false, true}) {
          ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, 0.5, n, {.initial_in_memory = in_memory}),
                    std::nullopt)
              << schedule << " " << n << " items, counted in " << name(count);
        }
      }
    }
  }
}

struct InPlaceTiles {
  const char* schedule;
  std::int64_t threads;
  std::int64_t window;  // of a look-back; 0: there is none
  std::uint64_t seeds;
};

void PrintTo(const InPlaceTiles& tiles, std::ostream* out) {
  *out << tiles.schedule << "_" << tiles.threads;
}

class InPlaceOrder : public testing::TestWithParam<InPlaceTiles> {};

// Items on which no count depends may be read late: up to when a fence orders the read before the stores of later
// tiles. So many are kept that tiles store to where one to four tiles before them have read.
TEST_P(InPlaceOrder, NoTileStoresWhereAnEarlierOneStillReads) {
  const InPlaceTiles& tiles = GetParam();
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const Problem problem = flagged_selection(not_equal_to, Type::u32, Type::u8);
  Config config = Space(problem, device->limits()).complete({.schedule = tiles.schedule, .values = {}});
  config.values["threads_per_block"] = tiles.threads;
  config.values["items_per_thread"] = 1;
  config.values["load"] = "direct";  // other ways of loading exchange the items, so that they are read before
  if (tiles.window > 0) config.values["lookback_window"] = tiles.window;
  const Plan plan = engine->plan(problem, config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (std::uint64_t seed = 1; seed <= tiles.seeds; ++seed) {
    runtime::HostSchedule schedule = test::hostile_schedule(seed);
    schedule.resident_blocks = 4 + static_cast<int>(seed % 9);
    device->set_schedule(schedule);
    const std::uint64_t n = 16 * tile + seed % tile;
    ASSERT_EQ(test::select_and_compare(*device, plan, n, 0.7, seed, {.in_place = true}), std::nullopt)
        << "schedule seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, InPlaceOrder,
                         testing::Values(InPlaceTiles{"lookback", 64, 2, 400}, InPlaceTiles{"lookback", 96, 2, 400},
                                         InPlaceTiles{"chained", 64, 0, 150},
                                         InPlaceTiles{"all_aggregates", 64, 0, 100}),
                         [](const auto& given) { return testing::PrintToString(given.param); });

TEST(Selections, BadCallsSayWhatToDo) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(selection(less, Type::i32), nullptr);
  std::vector<std::int32_t> in(4), out(4);
  std::uint64_t count = 0;
  const auto message = test::message_of<UsageError, std::function<void()>>;
  EXPECT_EQ(message([&] { plan.run(in.data(), out.data(), 4); }),
            "the algorithm select_if has the arrays in, out, count: pass each by its name, in Arguments");
  Arguments arguments(4);
  arguments.array("in", in.data()).array("out", out.data()).array("count", &count);
  EXPECT_EQ(message([&] { plan.run(arguments); }), "the scalar 'threshold' is missing: pass a value of type i32");
  EXPECT_EQ(message([&] { plan.run(Arguments(arguments).scalar("threshold", Scalar::of(1.0f))); }),
            "the scalar 'threshold' has type f32: pass a value of type i32");
  EXPECT_NE(message([&] {
              plan.run(Arguments(arguments).array("out", in.data() + 1).scalar("threshold", Scalar::of(1)));
            }).find("overlap"),
            std::string::npos);
}

TEST(Selections, AreRefusedWhereTheyMakeNoSense) {
  const auto message = [](const Problem& problem) { return test::error_of<UsageError>([&] { validate(problem); }); };
  EXPECT_NE(message(selection(plus, Type::i32)).find("select_if needs a predicate"), std::string::npos);
  EXPECT_NE(message(selection(less, Type::c64)).find("operator less does not take c64"), std::string::npos);
  EXPECT_NE(message(selection(less, Type::i32, Type::f32)).find("use u64"), std::string::npos);
  Problem converted = selection(less, Type::i32);
  converted.output = Type::i64;
  EXPECT_NE(message(converted).find("use i32 as output type"), std::string::npos);
  EXPECT_NE(message(flagged_selection(less, Type::i32, Type::c64)).find("operator less does not take c64"),
            std::string::npos);
  EXPECT_EQ(message(flagged_selection(less, Type::c64, Type::i32)), "");
  Problem unflagged = flagged_selection(less, Type::i32, Type::u8);
  unflagged.key.reset();
  EXPECT_EQ(message(unflagged), "select_flagged needs a type of keys or flags, such as u8");
  EXPECT_NE(message(make_problem(Algorithm::reduce, less, Type::i32, Type::i32)).find("less is a predicate"),
            std::string::npos);
}

}  // namespace
}  // namespace upsweep
