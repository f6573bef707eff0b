// Selections and reductions by key under hostile schedules, against a plain loop. By blocks that stay and refill their
// rings (the schedule lookahead): ways to fill, emit and claim, with items of every width, in place and not, each array
// at an address of its own.
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/guarded_memory.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/port_rings.hpp"
#include "tests/support/selection.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::flagged_selection;
using test::PortRing;
using test::reduction_by_key;
using test::selection;

class PortRings : public testing::TestWithParam<PortRing> {};

// Three tiles for each stage of each block, and some items.
void expect_right(const Plan& plan, runtime::HostDevice& device, std::uint64_t seed) {
  const std::uint64_t n = test::port_ring_items(plan, device.limits().multiprocessors, seed);
  ASSERT_EQ(test::run_port_ring(device, plan, n, seed), std::nullopt)
      << "schedule seed " << seed << ", " << n << " items";
}

TEST_P(PortRings, GiveWhatAPlainLoopGives) {
  const auto device = test::two_multiprocessors();
  const Plan plan = test::host_engine(device)->plan(GetParam().problem, GetParam().config, nullptr);
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    device->set_schedule(test::hostile_schedule(seed));
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, *device, seed));
  }
}

// The same where the host device sees every access to shared memory: what no barrier or fence orders is an error.
TEST_P(PortRings, OrderAccessesToSharedMemory) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    device->set_schedule(test::hostile_schedule(seed));
    ASSERT_NO_FATAL_FAILURE(expect_right(plan, *device, seed));
  }
}

INSTANTIATE_TEST_SUITE_P(All, PortRings, testing::ValuesIn(test::port_rings()), test::by_name);

// Problems, rings and depths take turns among the ways.
std::vector<PortRing> selection_rings() {
  const std::vector<Problem> problems{selection(less, Type::u32), selection(less, Type::u8, Type::u32),
                                      selection(not_equal_to, Type::c128), selection(less, Type::i16),
                                      selection(less, Type::u64)};
  struct Shape {
    int stages, ahead, warps, vectors;
  };
  constexpr Shape shapes[] = {{3, 1, 2, 1}, {2, 0, 1, 3}, {4, 2, 1, 1}, {3, 0, 2, 1},
                              {5, 3, 2, 1}, {4, 1, 1, 1}, {4, 2, 2, 1}};
  std::vector<PortRing> found;
  for (test::Strategy& way : test::ring_ways({})) {
    const std::size_t turn = found.size();
    const Shape& shape = shapes[turn % std::size(shapes)];
    way.config.values["stages"] = shape.stages;
    way.config.values["reduce_ahead"] = shape.ahead;
    way.config.values["worker_warps"] = shape.warps;
    way.config.values["vectors_per_thread"] = shape.vectors;
    way.config.values["states_per_lane"] = turn % 3 == 0 ? 1 : 2;
    const Problem& problem = problems[turn % problems.size()];
    found.push_back({problem, std::move(way.config), fmt::format("{}_{}", name(problem.input), way.name)});
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(SelectionRings, PortRings, testing::ValuesIn(selection_rings()), test::by_name);

// Arrays that begin at every place of 32 bytes, of very few items and of a few tiles.
TEST(PortRings, TakeEveryAddress) {
  const auto engine = test::host_engine();
  const Config small{"lookahead", {{"vectors_per_thread", 1}, {"worker_warps", 2}, {"stages", 4}, {"reduce_ahead", 1}}};
  const Problem problems[] = {flagged_selection(less, Type::i32, Type::u8),
                              flagged_selection(less, Type::u8, Type::i16), reduction_by_key(plus, Type::u8, Type::u8),
                              reduction_by_key(plus, Type::f32, Type::u8)};
  for (const Problem& problem : problems) {
    const Plan plan = engine->plan(problem, small, nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    for (int offset = 0; offset < 32; ++offset) {
      const test::Layout layout{.in_place = offset % 4 == 3, .in_offset = (offset * 5 + 1) % 32, .out_offset = offset};
      const bool by_key = problem.algorithm == Algorithm::reduce_by_key;
      for (const std::uint64_t n : {std::uint64_t(offset % 9), 2 * tile + 3 + offset}) {
        ASSERT_EQ(by_key ? test::reduce_by_key_and_compare(engine->device(), plan, n, 1 + offset % 3, n, layout)
                         : test::select_and_compare(engine->device(), plan, n, 1 - offset % 3 * 0.4, n, layout),
                  std::nullopt)
            << to_string(problem) << ", offset " << offset << ", " << n << " items";
      }
    }
  }
}

// Results may take the place of flags, too.
TEST(PortRings, WriteInThePlaceOfFlags) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device);
  const Problem problem = flagged_selection(less, Type::u8, Type::u8);
  const Plan plan = engine->plan(
      problem, {"lookahead", {{"vectors_per_thread", 1}, {"worker_warps", 1}, {"stages", 3}, {"reduce_ahead", 1}}},
      nullptr);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    device->set_schedule(test::hostile_schedule(seed));
    const std::uint64_t n = 12 * plan.source().launch.items_per_tile + seed;
    const test::Selection selection = test::make_selection(problem, n, 0.7, seed);
    const std::vector<std::byte> results = test::selected(problem, selection);
    const test::GuardedMemory in(*device, n, seed % 32, nullptr), flags(*device, n, seed * 5 % 32, nullptr);
    const test::GuardedMemory count(*device, sizeof(std::uint64_t), 0, nullptr);
    device->copy_to_device(in.data(), selection.items.data(), n, nullptr);
    device->copy_to_device(flags.data(), selection.flags.data(), n, nullptr);
    std::vector<std::byte> expected = flags.fetch(nullptr);
    std::copy(results.begin(), results.end(), expected.begin() + static_cast<std::ptrdiff_t>(flags.offset()));
    Arguments arguments(n);
    arguments.array("in", static_cast<const void*>(in.data())).array("out", flags.data()).array("count", count.data());
    arguments.array("flags", static_cast<const void*>(flags.data())).scalar("threshold", selection.threshold);
    plan.run(arguments, nullptr);
    ASSERT_EQ(test::first_difference(expected, flags.fetch(nullptr), "out", 1), std::nullopt) << "seed " << seed;
  }
}

// Warps whose results begin at every place of an aligned piece of the output, and which have none, few or all of
// theirs.
TEST(SelectionRings, WriteFromEveryAddress) {
  const auto engine = test::host_engine();
  for (const Type type : {Type::u8, Type::i16, Type::i32, Type::f64}) {
    for (const char* emit : {"bulk", "vectorized"}) {
      const Config small{"lookahead", {{"vectors_per_thread", 1}, {"worker_warps", 2}, {"stages", 5}, {"emit", emit}}};
      const Plan plan = engine->plan(selection(less, type), small, nullptr);
      const std::uint64_t n = 2 * plan.source().launch.items_per_tile + 3;
      const auto places = static_cast<int>(32 / size_of(type));
      for (int offset = 0; offset < places; ++offset) {
        for (const double share : {0.01, 0.5, 1.0}) {
          const test::Layout layout{.in_offset = (offset * 5 + 1) % places, .out_offset = offset};
          ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, share, n + 1, layout), std::nullopt)
              << name(type) << " " << emit << ", offset " << offset << ", share " << share;
        }
      }
    }
  }
}

class HostileCompactions : public testing::TestWithParam<std::tuple<const char*, Problem>> {};

// In place, tiles write where others read: a tile that writes too early is seen.
TEST_P(HostileCompactions, GiveWhatAPlainLoopGives) {
  const auto device = std::make_shared<runtime::HostDevice>();
  const auto engine = test::host_engine(device);
  const auto& [schedule, problem] = GetParam();
  const Space space(problem, device->limits());
  Config config = test::with_small_tiles(space, space.complete({.schedule = schedule, .values = {}}));
  config.values["items_per_thread"] = 2;
  const Plan plan = engine->plan(problem, config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    device->set_schedule(test::hostile_schedule(seed));
    const std::uint64_t n = seed % 12 * tile + seed % (2 * tile);
    const test::Layout layout{.in_place = seed % 2 == 0, .in_offset = static_cast<int>(seed % 5)};
    ASSERT_EQ(test::compact_and_compare(*device, plan, n, seed, layout), std::nullopt) << "schedule seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, HostileCompactions,
    testing::Combine(testing::Values("lookback", "chained", "all_aggregates", "single_block", "cluster"),
                     testing::Values(selection(less, Type::u32),
                                     make_problem(Algorithm::select_flagged, less, Type::u32, Type::u64),
                                     reduction_by_key(plus, Type::u64, Type::u32))),
    [](const auto& given) {
      return fmt::format("{}_{}", name(std::get<1>(given.param).algorithm), std::get<0>(given.param));
    });

}  // namespace
}  // namespace upsweep
