// The reduction ladder and the scans of the literature under hostile schedules, with each access to shared memory
// watched: what no barrier orders is an error however it came out.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "generator/schedule.hpp"
#include "generator/short_config.hpp"
#include "generator/space.hpp"
#include "tests/runtime/hostile.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using testing::HasSubstr;

struct LiteratureCase {
  Problem problem;
  std::string partial;        // config
  std::uint64_t most_tiles;   // of the largest call
  std::uint64_t hostile = 6;  // seeds
  std::string name = {};
};

void PrintTo(const LiteratureCase& given, std::ostream* out) {
  *out << given.name;
}

std::shared_ptr<runtime::HostDevice> one_multiprocessor() {
  const runtime::HostDevice usual;
  DeviceIdentity identity = usual.identity();
  DeviceLimits limits = usual.limits();
  identity.multiprocessors = limits.multiprocessors = 1;
  return std::make_shared<runtime::HostDevice>(identity, limits);
}

class Literature : public testing::TestWithParam<LiteratureCase> {};

TEST_P(Literature, MatchesASequentialLoopUnderHostileSchedules) {
  const LiteratureCase& given = GetParam();
  const auto device = one_multiprocessor();
  const auto engine = test::host_engine(device, runtime::HostCompiler::Accesses::watched);
  const Plan plan = engine->plan(given.problem, *config_from_text(given.partial), nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  std::uint64_t seed = 0;
  const auto expect_right = [&](std::uint64_t n) {
    device->set_schedule(test::hostile_schedule(++seed));
    const test::Layout layout{.in_offset = static_cast<int>(seed % 3), .out_offset = static_cast<int>(seed % 2)};
    ASSERT_EQ(test::run_and_compare(*device, plan, n, test::Data::random, seed, layout), std::nullopt)
        << n << " items, schedule seed " << seed;
  };
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, tile / 2 - 1, tile / 2 + 1,
                                tile - 1, tile, tile + 1, given.most_tiles * tile + 5, given.most_tiles / 2 * tile}) {
    ASSERT_NO_FATAL_FAILURE(expect_right(n));
  }
  for (std::uint64_t i = 1; i <= given.hostile; ++i) ASSERT_NO_FATAL_FAILURE(expect_right(i * tile + 7 * i * i));
}

Problem problem_of_one(Algorithm algorithm, Operator op, Type type) {
  return make_problem(algorithm, op, type, type);
}

// Operators that do not commute where neighbours are combined; other types, operators and numbers of threads take
// turns. With 32 threads, the partial results are more than threads fold them; with 256, blocks have several tiles.
std::vector<LiteratureCase> ladder_cases() {
  constexpr Algorithm reduce = Algorithm::reduce;
  std::vector<LiteratureCase> cases{
      {test::affine(reduce, Type::u64), "ladder, step=interleaved_divergent, threads_per_block=64", 12},
      {test::affine(reduce, Type::u32), "ladder, step=interleaved_strided, threads_per_block=32", 150},
      {test::sum(reduce, Type::i8, Type::i64), "ladder, step=sequential, threads_per_block=64", 9},
      {test::complex_sum(reduce), "ladder, step=first_add, threads_per_block=128", 5},
      {problem_of_one(reduce, Operator::maximum, Type::f32), "ladder, step=unrolled_warp, threads_per_block=128", 5},
      {problem_of_one(reduce, Operator::bit_xor, Type::u16), "ladder, step=unrolled, threads_per_block=32", 150},
      {test::sum(reduce, Type::i32, Type::i32), "ladder, step=multiple_items, threads_per_block=256", 19, 3},
      {problem_of_one(reduce, Operator::minimum, Type::f64), "ladder, step=shuffles, threads_per_block=256", 19, 3},
      {test::sum(reduce, Type::i8, Type::i32), "ladder, step=redux, threads_per_block=256", 19, 3},
      {test::sum(reduce, Type::i16, Type::i64), "ladder, step=bulk_copies, threads_per_block=64", 310, 3},
      {problem_of_one(reduce, Operator::minimum, Type::i32), "ladder, step=redux, threads_per_block=64", 9, 1},
      {problem_of_one(reduce, Operator::maximum, Type::u32), "ladder, step=redux, threads_per_block=64", 9, 1},
      {problem_of_one(reduce, Operator::bit_and, Type::u32), "ladder, step=redux, threads_per_block=64", 9, 1},
      {problem_of_one(reduce, Operator::bit_or, Type::i32), "ladder, step=redux, threads_per_block=64", 9, 1},
      {problem_of_one(reduce, Operator::bit_xor, Type::u32), "ladder, step=redux, threads_per_block=64", 9, 1},
  };
  for (LiteratureCase& each : cases) {
    const std::size_t begin = each.partial.find('=') + 1;
    each.name = fmt::format("{}_{}", each.partial.substr(begin, each.partial.find(',', begin) - begin),
                            test::test_name(each.problem));
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Ladder, Literature, testing::ValuesIn(ladder_cases()), test::by_name);

// By schedule, and by the scans of a block that other schedules do not have.
std::vector<LiteratureCase> scan_cases() {
  constexpr Algorithm inclusive = Algorithm::inclusive_scan, exclusive = Algorithm::exclusive_scan;
  constexpr Algorithm reverse = Algorithm::reverse_exclusive_scan;
  std::vector<LiteratureCase> cases{
      {test::affine(inclusive, Type::u64), "reduce_then_scan, block_scan=blelloch", 30},
      {test::affine(exclusive, Type::u32), "reduce_then_scan, block_scan=blelloch_padded, load=direct", 30},
      {test::sum(inclusive, Type::i8, Type::i64), "reduce_then_scan, block_scan=raking, warp_scan=serial", 9},
      {test::affine(exclusive, Type::u64), "reduce_then_scan, block_scan=warp_scans, warp_scan=kogge_stone_radix_4", 9},
      {test::affine(reverse, Type::u32), "reduce_then_scan, block_scan=hillis_steele", 9},
      {test::affine(inclusive, Type::u32), "scan_then_propagate, block_scan=hillis_steele", 300},
      {test::affine(exclusive, Type::u64), "scan_then_propagate, block_scan=blelloch", 70},
      {test::complex_sum(exclusive),
       "scan_then_propagate, block_scan=warp_scans, warp_scan=ladner_fischer, store=direct", 9},
      {test::affine(reverse, Type::u32), "scan_then_propagate, block_scan=blelloch_padded", 9},
      {test::affine(inclusive, Type::u32), "reduce_then_scan, block_scan=raking_16, warp_scan=han_carlson", 9, 3},
      {test::affine(reverse, Type::u64), "reduce_then_scan, block_scan=kogge_stone", 9, 3},
      {test::affine(exclusive, Type::u32), "scan_then_propagate, block_scan=sklansky", 9, 3},
      {test::affine(inclusive, Type::u64), "scan_then_propagate, block_scan=brent_kung", 9, 3},
      {test::sum(exclusive, Type::i16, Type::i32), "scan_then_propagate, block_scan=warp_scans, warp_scan=matrix", 9,
       3},
      {problem_of_one(inclusive, Operator::plus, Type::u32), "reduce_then_scan, block_scan=raking, warp_scan=matrix",
       9},
      {test::affine(exclusive, Type::u64), "hillis_steele", 9},
      {test::sum(inclusive, Type::f16, Type::f32), "hillis_steele", 9},
      {test::affine(reverse, Type::u32), "hillis_steele", 9},
  };
  for (LiteratureCase& each : cases) {
    each.partial += ", threads_per_block=64";
    if (!each.partial.starts_with("hillis")) each.partial += ", items_per_thread=2";
    if (!each.partial.starts_with("scan")) each.partial += ", blocks_per_multiprocessor=4";
    each.name = fmt::format("{}_{}", test::test_name(each.problem), each.partial.substr(0, each.partial.find(',')));
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Scans, Literature, testing::ValuesIn(scan_cases()), test::by_name);

TEST(Ladder, RefusesOperatorsThatDoNotCommuteWhereNeighboursAreNotCombined) {
  const auto engine = test::host_engine();
  for (const char* step :
       {"sequential", "first_add", "unrolled_warp", "unrolled", "multiple_items", "shuffles", "bulk_copies"}) {
    const Problem problem = test::affine(Algorithm::reduce, Type::u32);
    const std::string message = test::message_of<UsageError>([&] {
      (void)engine->plan(problem, {"ladder", {{"step", step}}}, nullptr);
    });
    EXPECT_THAT(message, HasSubstr(fmt::format("order: step={} needs a commutative operator; use "
                                               "step=interleaved_divergent or step=interleaved_strided",
                                               step)));
  }
}

}  // namespace
}  // namespace upsweep
