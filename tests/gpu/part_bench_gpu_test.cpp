// A comparison in a part of a GPU: all contestants run in the part, memcpy and CUB too.
#include <gtest/gtest.h>

#include <stdlib.h>

#include <filesystem>

#include "bench/compare.hpp"
#include "tests/gpu/parts.hpp"

namespace upsweep {
namespace {

using bench::Who;

bench::Cell compared(const std::string& device) {
  if (std::filesystem::exists(UPSWEEP_CUB_LIBRARY)) ::setenv("UPSWEEP_CUB_PEER", UPSWEEP_CUB_LIBRARY, 0);
  const auto engine = runtime::Engine::open({.device = device, .database = "none"});
  const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, std::uint64_t{1} << 26);
  bench::Comparison comparison(*engine, bench::Peer::find(), {.rungs = {tuning_db::Rung::built_in}},
                               std::span(&problem, 1));
  return comparison.run(problem).at(0);
}

TEST(GpuPartBench, AllContestantsRunInThePart) {
  if (const std::string why = test::why_no_parts(); !why.empty()) GTEST_SKIP() << why;
  const int least = runtime::CudaDevice::open(0)->part_sizes().least;
  const bench::Cell all = compared("cuda:0"), part = compared("cuda:0" + to_string(runtime::Part{least, 0}));
  int compared_rows = 0;
  for (const bench::Row& row : all.rows) {
    const bench::Row* const in_part = part.row(row.who);
    if (row.who == Who::empty_kernel || in_part == nullptr) continue;
    EXPECT_GT(in_part->median_us, 2 * row.median_us) << row.label << " on " << least << " multiprocessors";
    ++compared_rows;
  }
  EXPECT_GE(compared_rows, 3) << "upsweep, memcpy and the plain copy";
  ASSERT_EQ(part.rungs.size(), 1u);
  EXPECT_GT(part.rungs[0].row.value().median_us, 0);
}

}  // namespace
}  // namespace upsweep
