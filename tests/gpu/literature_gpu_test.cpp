// The reduction ladder and the scans of the literature on a GPU: each step at sizes that fill the device, misaligned,
// in place, and under a number of items that lies in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "generator/short_config.hpp"
#include "generator/space.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/limits.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

void add(std::vector<test::Strategy>& found, const Problem& problem, const std::string& partial) {
  std::string name = fmt::format("{}_{}", test::test_name(problem), partial);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  found.push_back({problem, *config_from_text(partial), name});
}

// The warp scans that sums of 32-bit integers have besides.
void add_matrix_scans(std::vector<test::Strategy>& found) {
  for (const char* schedule : {"single_block, threads_per_block=96", "lookback", "chained, block_scan=raking"}) {
    for (const Type type : {Type::i32, Type::u32, Type::i8}) {
      const Type sum = type == Type::i8 ? Type::i32 : type;
      add(found, make_problem(Algorithm::inclusive_scan, plus, type, sum),
          fmt::format("{}, warp_scan=matrix", schedule));
    }
  }
}

std::vector<test::Strategy> literature() {
  std::vector<test::Strategy> found;
  for (const char* step : {"interleaved_divergent", "interleaved_strided", "sequential", "first_add", "unrolled_warp",
                           "unrolled", "multiple_items", "shuffles", "bulk_copies"}) {
    for (const Type type : {Type::i32, Type::u8, Type::c128}) {
      add(found, make_problem(Algorithm::reduce, plus, type, type), fmt::format("ladder, step={}", step));
    }
  }
  for (const Operator op : {plus, minimum, maximum, bit_and, bit_or, bit_xor}) {
    for (const Type type : {Type::i32, Type::u32})
      add(found, make_problem(Algorithm::reduce, op, type, type), "ladder, step=redux");
  }
  for (const char* step : {"interleaved_divergent", "interleaved_strided"}) {
    add(found, make_problem(Algorithm::reduce, affine, Type::u64, Type::u64), fmt::format("ladder, step={}", step));
  }
  for (const char* block_scan : {"warp_scans", "raking", "raking_16", "blelloch", "blelloch_padded", "hillis_steele",
                                 "kogge_stone", "sklansky", "brent_kung"}) {
    for (const char* schedule : {"reduce_then_scan", "scan_then_propagate"}) {
      const std::string config = fmt::format("{}, block_scan={}", schedule, block_scan);
      add(found, make_problem(Algorithm::inclusive_scan, affine, Type::u32, Type::u32), config);
      add(found, make_problem(Algorithm::exclusive_scan, affine, Type::u64, Type::u64), config);
      add(found, make_problem(Algorithm::reverse_exclusive_scan, plus, Type::i8, Type::i8), config);
    }
  }
  for (const char* warp_scan : {"ladner_fischer", "han_carlson", "kogge_stone_radix_4", "serial"}) {
    for (const char* schedule : {"single_block, threads_per_block=96", "lookback", "chained, block_scan=raking",
                                 "reduce_then_scan, block_scan=raking_16"}) {
      const std::string config = fmt::format("{}, warp_scan={}", schedule, warp_scan);
      add(found, make_problem(Algorithm::inclusive_scan, affine, Type::u32, Type::u32), config);
      add(found, make_problem(Algorithm::exclusive_scan, plus, Type::c64, Type::c64), config);
    }
  }
  for (const Algorithm algorithm :
       {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reverse_inclusive_scan}) {
    add(found, make_problem(algorithm, affine, Type::u32, Type::u32), "hillis_steele");
    add(found, make_problem(algorithm, plus, Type::c128, Type::c128), "hillis_steele, threads_per_block=256");
  }
  add_matrix_scans(found);
  return found;
}

class GpuLiterature : public testing::TestWithParam<test::Strategy> {};

TEST_P(GpuLiterature, GivesWhatAPlainLoopGives) {
  const auto engine = test::gpu_engine();
  const Problem& problem = GetParam().problem;
  const Plan plan = engine->plan(problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (const std::uint64_t n : test::awkward_sizes(tile)) {
    ASSERT_EQ(test::run_and_compare(engine->device(), plan, n, test::Data::random, n), std::nullopt) << n;
  }
  std::vector<test::Layout> layouts = test::misaligned_layouts(problem);
  layouts.emplace_back();
  for (const test::Layout& layout : layouts) {
    ASSERT_EQ(test::run_and_compare(engine->device(), plan, 3'000'017, test::Data::random, 7, layout), std::nullopt)
        << "off by " << layout.in_offset << " and " << layout.out_offset;
  }
  ASSERT_EQ(test::run_with_limits(engine->device(), plan, 100'003, 1), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(All, GpuLiterature, testing::ValuesIn(literature()), test::by_name);

}  // namespace
}  // namespace upsweep
