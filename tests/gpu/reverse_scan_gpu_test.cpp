// Reverse scans, and selections from bytes, on a GPU: every way to load and store, types of every width, any size, in
// place, misaligned, against a plain loop.
#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/selection.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

class GpuReverseScans : public testing::TestWithParam<test::Strategy> {};

TEST_P(GpuReverseScans, GiveWhatAPlainLoopGives) {
  const auto engine = test::gpu_engine();
  const Problem& problem = GetParam().problem;
  if (!Space(problem, engine->device().limits()).contains(GetParam().config)) {
    GTEST_SKIP() << "this device cannot run the config";
  }
  const Plan plan = engine->plan(problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::vector<test::Layout> layouts = test::misaligned_layouts(problem);
  layouts.emplace_back();
  for (const std::uint64_t n :
       {std::uint64_t{1}, tile - 1, tile + 1, 37 * tile + 5, test::large_size(plan, 300 * tile)}) {
    for (const test::Layout& layout : layouts) {
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, n, test::Data::random, n, layout), std::nullopt)
          << n << " items, off by " << layout.in_offset << " and " << layout.out_offset;
    }
  }
}

std::vector<test::Strategy> reverse_strategies() {
  std::vector<test::Strategy> all =
      test::strategies({make_problem(Algorithm::reverse_inclusive_scan, affine, Type::u32, Type::u32),
                        make_problem(Algorithm::reverse_exclusive_scan, minimum, Type::i16, Type::i16)},
                       limits_of_architecture("sm_90"), test::Tiles::usual);
  // What does not read or write the arrays is that of other scans.
  std::erase_if(all, [](const test::Strategy& strategy) {
    const auto is_of = [&](const char* text) { return strategy.name.find(text) != std::string::npos; };
    for (const char* kept : {"default", "load", "store", "fill", "emit", "prefetch", "packing", "vectors_per_thread"}) {
      if (is_of(kept)) return false;
    }
    return true;
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GpuReverseScans, testing::ValuesIn(reverse_strategies()), test::by_name);

class GpuReverseScanTypes : public testing::TestWithParam<Type> {};

TEST_P(GpuReverseScanTypes, GiveWhatAPlainLoopGives) {
  const auto engine = test::gpu_engine();
  for (const std::uint64_t n : {1'000, 1'000'003, 3'000'000}) {
    const Algorithm algorithm = n % 2 == 0 ? Algorithm::reverse_inclusive_scan : Algorithm::reverse_exclusive_scan;
    const Plan plan = engine->plan(make_problem(algorithm, plus, GetParam(), GetParam(), n), nullptr);
    for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
      ASSERT_EQ(test::run_and_compare(engine->device(), plan, n, test::Data::random, n, layout), std::nullopt)
          << to_string(plan.problem());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuReverseScanTypes, testing::ValuesIn(all_types().begin(), all_types().end()),
                         [](const auto& given) { return std::string(name(given.param)); });

TEST(GpuSelectionsFromBytes, KeepWhatAPlainLoopKeeps) {
  const auto engine = test::gpu_engine();
  for (const Type type : {Type::i8, Type::u8}) {
    for (const Operator predicate : all_predicates()) {
      Problem problem = test::selection(predicate, type);
      problem.size = 3'000'017;
      const Plan plan = engine->plan(problem, {"lookahead", {}}, nullptr);
      int turn = 0;
      for (const double share : {0.0, 0.01, 0.5, 0.99, 1.0}) {
        for (const std::uint64_t n : {100'000, 3'000'017}) {
          const test::Layout layout{.in_place = turn % 3 == 1, .in_offset = turn % 7, .out_offset = 5 * turn % 32};
          ++turn;
          ASSERT_EQ(test::select_and_compare(engine->device(), plan, n, share, n, layout), std::nullopt)
              << to_string(problem) << ", " << n << " items, share " << share << ", off by " << layout.in_offset
              << " and " << layout.out_offset;
        }
      }
    }
  }
}

}  // namespace
}  // namespace upsweep
