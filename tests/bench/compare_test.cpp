#include "bench/compare.hpp"

#include <gmock/gmock.h>

#include <set>

#include <upsweep/error.hpp>

#include "bench/launch_cost.hpp"
#include "generator/algorithm.hpp"
#include "tests/support/host_context.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/verify/select_pairs.hpp"

namespace upsweep::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Problem sum(Algorithm algorithm, std::uint64_t size) {
  return make_problem(algorithm, Operator::plus, Type::i32, Type::i32, size);
}

std::vector<Who> who(const Cell& cell) {
  std::vector<Who> all;
  for (const Row& row : cell.rows) all.push_back(row.who);
  return all;
}

// An engine whose device has caches of 4 KiB, so that slots are few.
struct Bench : tuner::FakeEngine {
  Bench() {
    device->own_limits.l2_bytes = 4096;
    device->own_limits.memory_bytes = 1 << 20;
  }
  std::vector<Cell> run(const Problem& problem, const CompareOptions& options = {}) {
    return Comparison(*engine, nullptr, options, std::span(&problem, 1)).run(problem);
  }
};

TEST(Modes, AreReadByTheNamesTheyHave) {
  for (const Mode& mode : all_modes()) EXPECT_EQ(parse_mode(name(mode)), mode);
  EXPECT_EQ(name(Mode{}), "cold");
  EXPECT_EQ(tuner::message_of<UsageError>([] { (void)parse_mode("hot"); }),
            "unknown mode 'hot': use one of cold, warm, cold_launched, warm_launched, cold_synchronized, "
            "warm_synchronized, all");
}

TEST(Comparison, HasTheMachinesLimitsOnAGpu) {
  Bench bench;
  const std::vector<Cell> scans = bench.run(sum(Algorithm::inclusive_scan, 1000));
  ASSERT_EQ(scans.size(), 1u);
  EXPECT_THAT(who(scans[0]), ElementsAre(Who::upsweep, Who::memcpy, Who::plain_copy, Who::empty_kernel));
  for (const Row& row : scans[0].rows) EXPECT_EQ(row.bytes, row.who == Who::empty_kernel ? 0 : 8000) << row.label;
  const std::vector<Cell> reduces = bench.run(sum(Algorithm::reduce, 1000));
  EXPECT_THAT(who(reduces[0]), ElementsAre(Who::upsweep, Who::plain_read, Who::empty_kernel));
  EXPECT_EQ(reduces[0].row(Who::upsweep)->bytes, 4004u);
  EXPECT_EQ(reduces[0].row(Who::plain_read)->bytes, 4000u);
  EXPECT_EQ(reduces[0].row(Who::peer), nullptr);
}

TEST(Comparison, TimesConfigsThatAreNamed) {
  const auto engine = test::host_engine();
  const Problem problem = sum(Algorithm::reduce, 500);
  CompareOptions options{.samples = 2, .configs = {{"one", {"sequential", {}}}, {"two", {"lookback", {}}}}};
  const std::vector<Cell> cells = Comparison(*engine, nullptr, options, std::span(&problem, 1)).run(problem);
  const std::vector<ConfigCell>& configs = cells.at(0).configs;
  ASSERT_EQ(configs.size(), 2u);
  EXPECT_EQ(configs[0].label, "one");
  EXPECT_EQ(configs[0].config.schedule, "sequential");
  ASSERT_TRUE(configs[0].row.has_value());
  EXPECT_EQ(configs[0].row->samples, 2);
  EXPECT_EQ(configs[0].row->bytes, 2004u);
  EXPECT_EQ(cells[0].config_row("one"), &*configs[0].row);
  EXPECT_FALSE(configs[1].row.has_value());
  EXPECT_THAT(configs[1].why_not, HasSubstr("lookback")) << "no reduce looks back";
  EXPECT_EQ(cells[0].config_row("two"), nullptr);
  EXPECT_EQ(cells[0].config_row("three"), nullptr);
}

// Of a part of a GPU, that is not the legacy stream, in which a peer would have all of the GPU.
TEST(Comparison, RunsInTheDevicesDefaultStream) {
  Bench bench;
  auto* const stream = reinterpret_cast<CUstream_st*>(std::uintptr_t{0x40});
  bench.device->own_default_stream = stream;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    (void)bench.run(sum(algorithm, 1000));
  }
  EXPECT_THAT(bench.device->launched_in, ElementsAre(stream));
}

TEST(Comparison, LeavesPlainKernelsOutOnTheHost) {
  const auto engine = test::host_engine();
  const Problem problem = sum(Algorithm::exclusive_scan, 500);
  const std::vector<Cell> cells = Comparison(*engine, nullptr, {.samples = 2}, std::span(&problem, 1)).run(problem);
  EXPECT_THAT(who(cells.at(0)), ElementsAre(Who::upsweep, Who::memcpy));
  EXPECT_EQ(cells[0].rung, "built_in");
  EXPECT_EQ(cells[0].rows[0].samples, 2);
}

// A plan is shared by all sizes of a class; each cell runs its own number of items.
TEST(Comparison, RunsTheSizeThatWasAskedFor) {
  Bench bench;
  std::vector<std::uint64_t> sizes;
  bench.device->execute_timed = true;
  bench.device->execute = [&](const tuner::FakeCall& call) { sizes.push_back(call.n); };
  const std::vector problems{sum(Algorithm::reduce, 1000), sum(Algorithm::reduce, 1024)};
  Comparison comparison(*bench.engine, nullptr, {}, problems);
  (void)comparison.run(problems[0]);
  EXPECT_THAT(sizes, ::testing::Contains(1000));
  sizes.clear();
  (void)comparison.run(problems[1]);
  EXPECT_THAT(sizes, ::testing::Not(::testing::Contains(1000)));
}

TEST(Comparison, HasACellForEachMode) {
  Bench bench;
  CompareOptions options;
  options.modes.assign(all_modes().begin(), all_modes().end());
  const std::vector<Cell> cells = bench.run(sum(Algorithm::reduce, 1000), options);
  std::vector<std::string> names;
  for (const Cell& cell : cells) names.push_back(name(cell.mode));
  EXPECT_THAT(names,
              ElementsAre("cold", "warm", "cold_launched", "warm_launched", "cold_synchronized", "warm_synchronized"));
}

TEST(Comparison, OffsetsMoveUpsweepsPointersAndNotTheLimits) {
  Bench bench;
  std::set<std::uintptr_t> own, limits;  // what addresses are off a multiple of 256 bytes
  bench.device->execute_timed = true;
  bench.device->execute = [&](const tuner::FakeCall& call) {
    std::set<std::uintptr_t>& seen = call.text.find("generated by upsweep") != call.text.npos ? own : limits;
    seen.insert(reinterpret_cast<std::uintptr_t>(call.in) % 256);
    seen.insert(reinterpret_cast<std::uintptr_t>(call.out) % 256);
  };
  const CompareOptions options{.offset_in = 3, .offset_out = 1};
  (void)bench.run(sum(Algorithm::reduce, 1000), options);
  EXPECT_THAT(own, ElementsAre(4, 12));
  EXPECT_THAT(limits, ElementsAre(0));
  EXPECT_EQ(footprint(sum(Algorithm::reduce, 1000), options)[0].bytes, 4012u);
  EXPECT_EQ(footprint(sum(Algorithm::reduce, 1000), options)[1].bytes, 8u);
}

// Room for n items is not what a call writes.
TEST(Comparison, CountsTheBytesThatAreWritten) {
  Bench bench;
  const Problem pairs = tuner::select_pairs_problem(1000, Emission::at_end);
  bench.device->called = pairs;
  bench.device->own_limits.memory_bytes = 1 << 22;
  std::uint64_t kept = 0;
  bench.device->execute = [&](const tuner::FakeCall& call) {
    const tuner::Pairs all(call.values);
    all.compute();
    kept = *all.count;
  };
  const std::vector problems{sum(Algorithm::reduce, 1000), pairs};
  Comparison comparison(*bench.engine, nullptr, {.offset_in = 1, .offset_out = 1}, problems);
  const std::vector<Cell> cells = comparison.run(pairs);
  EXPECT_GT(kept, 20u) << "its own data, not bytes of any type";
  EXPECT_LT(kept, 980u);
  EXPECT_EQ(cells[0].row(Who::upsweep)->bytes, 1000 * (4 + 8) + kept * 8 + 1000 * 2 + 4);
  EXPECT_EQ(cells[0].row(Who::plain_read)->bytes, 1000u * (4 + 8));
  bench.device->called.reset();
  EXPECT_EQ(comparison.run(problems[0])[0].row(Who::upsweep)->bytes, 4004u);
}

TEST(Comparison, FillsWhatADensityAsksFor) {
  const auto engine = test::host_engine();
  const auto bytes_moved = [&](Algorithm algorithm, Operator op, Density density) {
    Problem problem = problem_of(algorithm, op, Type::u8, std::nullopt, std::nullopt, std::nullopt);
    problem.size = 1000;
    problem.density = density;
    Comparison comparison(*engine, nullptr, {.samples = 1}, std::span(&problem, 1));
    return comparison.run(problem).at(0).row(Who::upsweep)->bytes;
  };
  EXPECT_EQ(bytes_moved(Algorithm::select_if, Operator::greater, Density::none), 1000 + 8);
  EXPECT_EQ(bytes_moved(Algorithm::select_if, Operator::greater, Density::all), 1000 + 1000 + 8);
  EXPECT_EQ(bytes_moved(Algorithm::partition, Operator::greater, Density::none), 1000 + 1000 + 8);
  EXPECT_EQ(bytes_moved(Algorithm::three_way_partition, Operator::greater, Density::some), 1000 + 1000 + 24);
  EXPECT_EQ(bytes_moved(Algorithm::stable_partition, Operator::greater, Density::half), 1000 + 1000 + 8);
  EXPECT_EQ(bytes_moved(Algorithm::unique, Operator::equal_to, Density::all), 1000 + 1000 + 8);
}

// Also where the outputs have as many items for all data.
TEST(Comparison, HasTheDensitysDataInMemory) {
  Bench bench;
  Problem parts = make_problem(Algorithm::partition, Operator::less, Type::u8, Type::u64, 1000);
  std::size_t least = 1000, most = 0;
  bench.device->execute_timed = true;
  bench.device->execute = [&](const tuner::FakeCall& call) {
    const auto* const items = static_cast<const std::uint8_t*>(call.values.arrays[0]);
    const auto below =
        static_cast<std::size_t>(std::count_if(items, items + 1000, [](int item) { return item < 128; }));
    least = std::min(least, below);
    most = std::max(most, below);
  };
  parts.density = Density::some;
  bench.device->called = parts;
  (void)bench.run(parts);
  EXPECT_GT(least, 70u);
  EXPECT_LT(most, 190u) << "an eighth";
}

TEST(Footprint, HasRoomForEachArray) {
  std::vector<std::uint64_t> bytes;
  for (const auto& array : footprint(tuner::select_pairs_problem(100), {.offset_in = 1})) bytes.push_back(array.bytes);
  EXPECT_THAT(bytes, ElementsAre(1102, 808, 1102, 200, 4)) << "the copies have half of 2204 bytes";
}

TEST(Footprint, HasRoomForACopyOfAsManyBytes) {
  Problem widening = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i64, 100);
  EXPECT_EQ(footprint(widening, {})[0].bytes, 600u);
  EXPECT_EQ(footprint(widening, {})[1].bytes, 800u);
  widening.size = ~std::uint64_t{0};
  EXPECT_GT(footprint(widening, {})[1].bytes, std::uint64_t{1} << 58) << "no overflow";
}

TEST(Comparison, SaysWhatDoesNotFit) {
  Bench bench;
  const std::vector problems{sum(Algorithm::reduce, 1000), sum(Algorithm::reduce, 1 << 20)};
  Comparison comparison(*bench.engine, nullptr, {}, problems);
  EXPECT_EQ(comparison.obstacle(problems[0]), "");
  EXPECT_EQ(comparison.obstacle(problems[1]),
            "4194304 bytes of input and 4 of output do not fit in the memory of fake:0");
  EXPECT_THAT(tuner::message_of<DeviceError>([&] { (void)comparison.run(problems[1]); }), HasSubstr("use fewer items"));
  EXPECT_EQ(
      tuner::message_of<DeviceError>([&] { Comparison(*bench.engine, nullptr, {}, std::span(problems).subspan(1)); }),
      "all sizes are too large for the 1048576 bytes of memory of fake:0: use fewer items");
}

TEST(Comparison, MakesDoWithLessMemory) {
  Bench bench;
  const std::vector problems{sum(Algorithm::inclusive_scan, 1000), sum(Algorithm::inclusive_scan, 50000)};
  bench.device->memory_left = 150'000;
  Comparison comparison(*bench.engine, nullptr, {}, problems);
  EXPECT_EQ(comparison.obstacle(problems[0]), "");
  EXPECT_NE(comparison.obstacle(problems[1]), "");
  EXPECT_EQ(comparison.run(problems[0]).size(), 1u);
  bench.device->memory_left = 100;
  EXPECT_THROW(Comparison(*bench.engine, nullptr, {}, problems), DeviceError);
}

TEST(LaunchCost, NeedsAGpu) {
  const auto engine = test::host_engine();
  EXPECT_THAT(tuner::message_of<UsageError>([&] { (void)launch_cost(*engine, sum(Algorithm::reduce, 10), 3); }),
              HasSubstr("only be measured on a GPU"));
}

}  // namespace
}  // namespace upsweep::bench
