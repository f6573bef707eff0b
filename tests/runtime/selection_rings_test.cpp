// Selections by blocks that stay and refill their rings (the schedule lookahead): every way to fill, emit and claim,
// with items of every width, in place and not, at any address, under hostile schedules, against a plain loop.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/selection.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using test::selection;

constexpr double ring_shares[] = {0.5, 0.03, 0.99, 1, 0};

struct Ring {
  Problem problem;
  Config config;
  std::string name;
};

void PrintTo(const Ring& ring, std::ostream* out) {
  *out << ring.name;
}

// Problems, rings and depths take turns among the ways.
std::vector<Ring> rings() {
  const std::vector<Problem> problems{selection(less, Type::u32), selection(less, Type::u8, Type::u32),
                                      selection(not_equal_to, Type::c128), selection(less, Type::i16),
                                      selection(less, Type::u64)};
  struct Shape {
    int stages, ahead, warps, vectors;
  };
  constexpr Shape shapes[] = {{3, 1, 2, 1}, {2, 0, 1, 3}, {4, 2, 1, 1}, {3, 0, 2, 1},
                              {5, 3, 2, 1}, {4, 1, 1, 1}, {4, 2, 2, 1}};
  std::vector<Ring> found;
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

class SelectionRings : public testing::TestWithParam<Ring> {};

// Three tiles for each stage of each block, and some items.
void expect_selected(const Plan& plan, runtime::HostDevice& device, std::uint64_t seed) {
  const LaunchRule& launch = plan.source().launch;
  const std::uint64_t refills = test::refilling_items(launch, plan.config(), device.limits().multiprocessors);
  const std::uint64_t n = refills + seed * 37 % (2 * launch.items_per_tile);
  const test::Layout layout{.in_place = seed % 2 == 0,
                            .in_offset = static_cast<int>(seed % 5),
                            .out_offset = static_cast<int>(seed * 7 % 33)};
  ASSERT_EQ(test::select_and_compare(device, plan, n, ring_shares[seed / 2 % std::size(ring_shares)], seed, layout),
            std::nullopt)
      << "schedule seed " << seed << ", " << n << " items";
}

TEST_P(SelectionRings, KeepWhatAPlainLoopKeeps) {
  const auto device = test::two_multiprocessors();
  const Plan plan = test::host_engine(device)->plan(GetParam().problem, GetParam().config, nullptr);
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    device->set_schedule(test::hostile_schedule(seed));
    ASSERT_NO_FATAL_FAILURE(expect_selected(plan, *device, seed));
  }
}

// The same where the host device sees every access to shared memory: what no barrier or fence orders is an error.
TEST_P(SelectionRings, OrderAccessesToSharedMemory) {
  const auto device = test::two_multiprocessors();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    device->set_schedule(test::hostile_schedule(seed));
    ASSERT_NO_FATAL_FAILURE(expect_selected(plan, *device, seed));
  }
}

INSTANTIATE_TEST_SUITE_P(All, SelectionRings, testing::ValuesIn(rings()),
                         [](const auto& parameter) { return parameter.param.name; });

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

}  // namespace
}  // namespace upsweep
