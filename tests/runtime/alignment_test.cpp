// Lookahead's results leave by 16-byte vectors however input and output lie to each other: every offset of either
// within 32 bytes, sizes around vectors, warps and tiles, on the host device. And sums of bytes at their largest.
#include <cstring>

#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

struct Offsets {
  Problem problem;
  const char* emit;
  const char* name;
  int vectors = 3;  // of a thread
};

void PrintTo(const Offsets& offsets, std::ostream* out) {
  *out << offsets.name;
}

// Number of places within 32 bytes that an item may begin at.
int places(Type type) {
  return static_cast<int>(32 / size_of(type));
}

class Alignment : public testing::TestWithParam<Offsets> {};

TEST_P(Alignment, EveryOffsetOfInputAndOutput) {
  const Problem& problem = GetParam().problem;
  const auto engine = test::host_engine();
  const Space space(problem, engine->device().limits());
  Config config = test::with_small_tiles(space, space.complete({"lookahead", {{"emit", GetParam().emit}}}));
  config.values["vectors_per_thread"] = GetParam().vectors;
  const Plan plan = engine->plan(problem, config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile, vector = 16 / size_of(problem.input);
  for (const std::uint64_t n : {std::uint64_t{1}, 2 * vector + 1, tile - 1, 3 * tile + vector}) {
    for (int in = 0; in < places(problem.input); ++in) {
      for (int out = 0; out < places(problem.output); ++out) {
        ASSERT_EQ(test::run_and_compare(engine->device(), plan, n, test::Data::random, n,
                                        {.in_place = false, .in_offset = in, .out_offset = out}),
                  std::nullopt);
      }
    }
  }
}

Problem sum(Type input, Type output, Algorithm algorithm = Algorithm::inclusive_scan) {
  return make_problem(algorithm, Operator::plus, input, output);
}

INSTANTIATE_TEST_SUITE_P(
    Lookahead, Alignment,
    testing::Values(Offsets{sum(Type::i8, Type::i8), "bulk", "i8_bulk"},
                    Offsets{make_problem(Algorithm::inclusive_scan, Operator::maximum, Type::i16, Type::i16),
                            "bulk_once", "i16_maximum"},
                    Offsets{sum(Type::f32, Type::f32, Algorithm::exclusive_scan), "vectorized_once", "f32_exclusive"},
                    Offsets{sum(Type::u8, Type::u8), "vectorized", "u8_vectorized"},
                    Offsets{sum(Type::u8, Type::u8, Algorithm::exclusive_scan), "bulk", "u8_exclusive", 1},
                    Offsets{sum(Type::i16, Type::i16), "bulk", "i16_bulk"},
                    Offsets{sum(Type::u16, Type::u16, Algorithm::exclusive_scan), "vectorized", "u16_exclusive", 1},
                    Offsets{sum(Type::i32, Type::i32), "bulk", "i32_bulk"},
                    Offsets{sum(Type::i64, Type::i64), "bulk", "i64_bulk"},
                    Offsets{sum(Type::i64, Type::i8), "bulk", "i64_to_i8"},
                    Offsets{sum(Type::i32, Type::i8), "vectorized", "i32_to_i8"},
                    Offsets{sum(Type::i8, Type::i16), "vectorized", "i8_to_i16"},
                    Offsets{sum(Type::i8, Type::i64), "bulk", "i8_to_i64"},
                    Offsets{sum(Type::c128, Type::c128), "bulk", "c128_bulk"},
                    Offsets{sum(Type::c128, Type::c128), "vectorized", "c128_vectorized", 1},
                    Offsets{sum(Type::i64, Type::i64), "bulk_once", "i64_bulk_once", 1}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

// Sums within a word are held in 16 bits: nothing may run over into the half above.
TEST(ByteSums, AllBytes255) {
  const auto engine = test::host_engine();
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan}) {
    const Problem problem = sum(Type::u8, Type::u8, algorithm);
    const Space space(problem, engine->device().limits());
    const Config small{"lookahead", {{"vectors_per_thread", 11}, {"worker_warps", 2}, {"stages", 5}}};
    const Plan plan = engine->plan(problem, space.complete(small), nullptr);
    ASSERT_EQ(plan.config().integer("vectors_per_thread"), 11);
    const std::uint64_t n = 2 * plan.source().launch.items_per_tile + 77;
    const std::vector<std::byte> input(n, std::byte{255});
    runtime::Buffer in(engine->device(), n), out(engine->device(), n);
    std::memcpy(in.data(), input.data(), n);
    const Scalar initial = parse_scalar(Type::u8, "255");
    plan.run(in.data(), out.data(), n, initial);
    const std::span<const std::byte> got(static_cast<const std::byte*>(out.data()), n);
    EXPECT_EQ(test::difference(Type::u8, test::expected(problem, input, n, initial), got), std::nullopt);
  }
}

// Carries beyond their first items, ends within a vector, initial values at the end of the range, off aligned
// addresses.
class NarrowExtremes : public testing::TestWithParam<test::Strategy> {};

TEST_P(NarrowExtremes, MatchSequentialLoop) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(GetParam().problem, GetParam().config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (const test::Data data : {test::Data::stepping, test::Data::random}) {
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{18}, tile - 1, 2 * tile + 37}) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, data, n), std::nullopt);
    }
  }
  for (const test::Layout& layout : test::misaligned_layouts(GetParam().problem)) {
    EXPECT_EQ(test::run_and_compare(engine->device(), plan, tile + 5, test::Data::stepping, 5, layout), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, NarrowExtremes,
                         testing::ValuesIn(test::narrow_extremes(test::host_engine()->device().limits(),
                                                                 test::Tiles::small)),
                         test::by_name);

}  // namespace
}  // namespace upsweep
