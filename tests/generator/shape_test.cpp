// The shape of a problem: its names, what of it winners are kept by, and what sources depend on.
#include "generator/shape.hpp"

#include <set>

#include <gtest/gtest.h>
#include <upsweep/axis.hpp>
#include <upsweep/error.hpp>
#include <upsweep/rows.hpp>
#include <upsweep/source.hpp>

#include "generator/algorithm.hpp"
#include "generator/arguments.hpp"
#include "generator/device_limits.hpp"
#include "generator/problem_family.hpp"
#include "generator/problem_names.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

Problem sums(Algorithm algorithm, std::uint64_t count, std::uint64_t length) {
  return in_rows(make_problem(algorithm, plus, Type::f32, Type::f32), count, length);
}

std::string refusal_of_shape(const Problem& problem) {
  return test::error_of<UsageError>([&] { validate(problem); });
}

TEST(Shape, RowsAreNamedByTheClassOfTheirLength) {
  const Problem problem = sums(Algorithm::reduce, 10, 1000);
  EXPECT_EQ(problem.size, 10'000u);
  EXPECT_EQ(refusal_of_shape(problem), "");
  EXPECT_EQ(to_string(problem), "reduce plus f32, rows of 1000");
  EXPECT_EQ(names_of(problem).at("shape"), "rows of 1024");
  EXPECT_EQ(key_of(problem),
            R"({"accumulator":"f32","algorithm":"reduce","input":"f32","operator":"plus","output":"f32","shape":"rows )"
            R"(of 1024"})");
  EXPECT_FALSE(names_of(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32)).contains("shape"));
  Problem back = problem_of(names_of_key(key_of(problem)));
  EXPECT_EQ(back.shape, Shape::rows);
  EXPECT_EQ(back.row_length, 1024u);
  EXPECT_TRUE(same_but_for_size(problem, back));
}

TEST(Shape, SegmentsAreNamedByTheClassOfTheirMeanLength) {
  const Problem flat = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  const Problem problem = in_segments(flat, 10, 999, Type::u64);
  EXPECT_EQ(refusal_of_shape(problem), "");
  EXPECT_EQ(to_string(problem), "reduce plus f32 by u64, segments of 99");
  EXPECT_EQ(names_of(problem).at("shape"), "segments of 128");
  const Problem back = problem_of(names_of_key(key_of(problem)));
  EXPECT_EQ(back.shape, Shape::segments);
  EXPECT_EQ(back.row_length, 128u);
  EXPECT_TRUE(same_but_for_size(problem, back));
  EXPECT_FALSE(same_shape(problem, in_rows(flat, 1, 99)));
  EXPECT_NE(family_text(problem, Nearness::same_widths),
            family_text(sums(Algorithm::reduce, 10, 99), Nearness::same_widths));
  EXPECT_EQ(in_segments(flat, 0, 7).row_length, 7u);
  // Segments of the expected length are enough for all items.
  EXPECT_EQ(rows_of(problem, 990), 10u);
  EXPECT_EQ(rows_of(problem, 991), 11u);
  EXPECT_EQ(output_items(problem, 991), 11u);
  EXPECT_EQ(input_bytes(problem, 990), 990u * 4 + 11 * 8);
}

TEST(Shape, SourcesOfSegmentsHaveTheirNumberAsAMember) {
  const Problem problem = in_segments(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32), 10, 990);
  const ArgumentsRule rule = arguments_of(problem);
  ASSERT_EQ(rule.members.size(), 7u);
  const char* const names[] = {"in", "offsets", "out", "n", "segments", "initial", "workspace"};
  for (std::size_t i = 0; i < rule.members.size(); ++i) EXPECT_EQ(rule.members[i].name, names[i]);
  EXPECT_EQ(rule.members[index_of_scalars(rule)].name, "initial");
}

TEST(Shape, EveryClassOfLengthsHasANameThatReadsBack) {
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    Problem problem = sums(Algorithm::inclusive_scan, 0, length), read = problem;
    read_shape(read, shape_name(problem));
    EXPECT_TRUE(same_shape(problem, read)) << length;
    EXPECT_EQ(with_length_of_class(problem).row_length, read.row_length);
  }
  Problem problem;
  EXPECT_EQ(
      test::message_of<UsageError>([&] { read_shape(problem, "rows of 3"); }),
      "unknown shape 'rows of 3': use \"rows of N\", \"axis of N by M\" or \"segments of N\", where N and M are "
      "powers of two; for rows behind an axis that are not aligned to 128 bytes, M is less by the items that they "
      "are aligned to, as 60 or 63 in the place of 64");
  for (const char* text :
       {"", "rows", "rows of ", "rows of 4x", "rows of 4 by 4", "rows of -4", "segments of 18446744073709551616",
        "axis of 4", "axis of 4 by ", "axis of 4 by 5", "axis of 3 by 4", "axis of 4 by 4 ", "lines of 4"}) {
    EXPECT_THROW(read_shape(problem, text), UsageError) << text;
  }
  EXPECT_EQ(problem, Problem()) << "what is refused sets nothing";
}

TEST(Shape, OtherAlgorithmsAndOptionsRefuseRows) {
  EXPECT_EQ(refusal_of_shape(in_rows(make_problem(Algorithm::select_if, less, Type::i32, Type::u32), 2, 3)),
            "select_if does not take rows: use inclusive_scan or exclusive_scan or reduce, or leave out the rows");
  Problem kahan = sums(Algorithm::inclusive_scan, 2, 3);
  kahan.accuracy = Accuracy::kahan;
  EXPECT_EQ(refusal_of_shape(kahan), "sums of rows have no accuracy kahan: leave out the accuracy, or the rows");
  Problem dense = sums(Algorithm::inclusive_scan, 2, 3);
  dense.density = Density::half;
  EXPECT_EQ(refusal_of_shape(dense), "inclusive_scan has as many results for all data: leave out the density");
  Problem flat = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  flat.row_length = 5;
  EXPECT_EQ(refusal_of_shape(flat), "a row length of 5 needs rows: set the shape of the problem to rows");
  EXPECT_EQ(refusal_of_shape(in_rows(make_problem(Algorithm::reduce, less, Type::i32, Type::i32), 2, 3)),
            "less is a predicate, and reduce needs an operator that combines items: use plus, maximum or another one");
}

// Items of a row that is not whole have no result.
TEST(Shape, AReduceHasAResultForEachRow) {
  const Problem problem = sums(Algorithm::reduce, 10, 64);
  EXPECT_EQ(output_items(problem, 640), 10u);
  EXPECT_EQ(output_items(problem, 639), 9u);
  EXPECT_EQ(output_bytes(problem, 640), 40u);
  EXPECT_EQ(input_bytes(problem, 640), 2560u);
  EXPECT_EQ(output_items(sums(Algorithm::inclusive_scan, 10, 64), 640), 640u);
  EXPECT_EQ(output_items(sums(Algorithm::reduce, 10, 0), 0), 0u);
}

// A scan costs about the same for all lengths; how a reduce is best done depends on it.
TEST(Shape, FewerItemsThanARowAreAShorterRow) {
  const Problem problem = sums(Algorithm::reduce, 10, 100);
  EXPECT_EQ(rows_of(problem, 999), 9u);
  EXPECT_EQ(length_of_rows(problem, 999), 100u);
  EXPECT_EQ(rows_of(problem, 99), 1u);
  EXPECT_EQ(length_of_rows(problem, 99), 99u);
  EXPECT_EQ(port_items(problem, ports(problem).back(), 99), 1u);
  EXPECT_EQ(rows_of(problem, 0), 0u);
  const Problem flat = make_problem(Algorithm::reduce, plus, Type::f32, Type::f32);
  EXPECT_EQ(rows_of(flat, 99), 0u);
  EXPECT_EQ(length_of_rows(flat, 99), 0u);
}

TEST(Shape, WinnersServeOtherLengthsOfScansOnly) {
  const Problem flat = make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32);
  const Problem shorter = sums(Algorithm::inclusive_scan, 100, 60), longer = sums(Algorithm::inclusive_scan, 2, 5000);
  EXPECT_EQ(nearness(shorter, sums(Algorithm::inclusive_scan, 7, 64)), Nearness::same_problem);
  EXPECT_EQ(nearness(shorter, longer), Nearness::same_kinds);
  EXPECT_TRUE(same_but_for_hints(shorter, longer));
  EXPECT_EQ(nearness(shorter, flat), Nearness::unrelated);
  EXPECT_EQ(family_text(shorter), "3/rows_dense/4,4,4/inclusive_scan/addition/floating,floating,floating/");
  const Problem one = sums(Algorithm::reduce, 100, 60), other = sums(Algorithm::reduce, 2, 5000);
  EXPECT_EQ(nearness(one, other), Nearness::unrelated);
  EXPECT_EQ(nearness(one, sums(Algorithm::reduce, 9, 70)), Nearness::same_problem);
  EXPECT_EQ(family_text(one), "3/rows_2^6_indexed/4,4,4/reduce/addition/floating,floating,floating/");
}

// A schedule of flat scans that took an axis for one would be wrong.
TEST(Shape, HasTheSchedulesThatKnowIt) {
  using Names = std::set<std::string_view>;
  const auto schedules = [](const Problem& problem) {
    Names found;
    const Space space(problem, limits_of_architecture("sm_90"));
    for (const Schedule* schedule : space.schedules()) found.insert(schedule->name());
    return found;
  };
  for (const Type type : {Type::u8, Type::f32, Type::c128}) {
    const auto along = [&](Algorithm algorithm) {
      return schedules(along_axis(make_problem(algorithm, plus, type, type), axis(1, 4096, 5)));
    };
    EXPECT_EQ(along(Algorithm::inclusive_scan),
              (Names{"axis_blocks", "axis_columns", "axis_lookahead", "axis_panels", "axis_pipeline", "sequential"}));
    EXPECT_EQ(along(Algorithm::reduce),
              (Names{"axis_blocks", "axis_columns", "axis_pieces", "axis_pipeline", "axis_shares", "sequential"}));
    const Problem sum = make_problem(Algorithm::reduce, plus, type, type);
    EXPECT_EQ(schedules(in_rows(sum, 10, 64)), (Names{"row_groups", "row_pieces", "sequential"}));
    EXPECT_EQ(schedules(in_segments(sum, 10, 640, Type::u32)),
              (Names{"merge_path", "segment_pieces", "segment_groups", "sequential"}));
  }
  const auto scan = make_problem(Algorithm::exclusive_scan, plus, Type::f32, Type::f32);
  EXPECT_TRUE(schedules(in_segments(scan, 10, 640, Type::u32)).contains("lookahead"));
  EXPECT_FALSE(schedules(in_segments(scan, 10, 640, Type::u32)).contains("hillis_steele"));
  EXPECT_FALSE(schedules(in_rows(scan, 10, 64)).contains("hillis_steele"));
}

TEST(Shape, ArgumentsHaveTheRowsBehindTheNumberOfItems) {
  const ArgumentsRule rule = arguments_of(sums(Algorithm::exclusive_scan, 10, 64));
  std::vector<std::string> names;
  for (const ArgumentMember& member : rule.members) names.push_back(member.name);
  EXPECT_EQ(names, (std::vector<std::string>{"in", "out", "n", "rows", "row_length", "initial", "workspace"}));
  EXPECT_EQ(rule.members[index_of_n(rule)].name, "n");
  EXPECT_EQ(rule.members[index_of_scalars(rule)].name, "initial");
  EXPECT_EQ(rule.members[index_of_workspace(rule)].name, "workspace");
}

TEST(Shape, ArgumentsOfAnAxisHaveItsExtents) {
  const Problem problem = along_axis(make_problem(Algorithm::reduce, plus, Type::f32, Type::f32), axis(2, 3, 4));
  const ArgumentsRule rule = arguments_of(problem);
  std::vector<std::string> names;
  for (const ArgumentMember& member : rule.members) names.push_back(member.name);
  EXPECT_EQ(names, (std::vector<std::string>{"in", "out", "n", "columns", "length", "inner", "initial", "workspace"}));
  EXPECT_EQ(rule.members[index_of_scalars(rule)].name, "initial");
  EXPECT_EQ(rule.members[index_of_workspace(rule)].name, "workspace");
}

TEST(Shape, SourcesDoNotDependOnTheLength) {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce}) {
    const Problem one = sums(algorithm, 100, 60), other = sums(algorithm, 3, 2000);
    for (const ScheduleInfo& schedule : Space(one, limits).describe()) {
      ASSERT_TRUE(Space(other, limits).contains(schedule.default_config)) << to_json(schedule.default_config);
      const std::vector<Source> a = generate_steps(one, schedule.default_config);
      const std::vector<Source> b = generate_steps(other, schedule.default_config);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].text, b[i].text) << schedule.name;
    }
  }
}

TEST(Shape, LookaheadOfSegmentsHasAStageForEachWarpThatFillsThem) {
  const Problem problem =
      in_segments(make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32), 1000, 1 << 20);
  const Space space(problem, limits_of_architecture("sm_90"));
  const auto violations = [&](std::int64_t stages) {
    return space.violations(space.complete(
        {"lookahead", {{"stages", stages}, {"reduce_ahead", 0}, {"worker_warps", 2}, {"vectors_per_thread", 1}}}));
  };
  EXPECT_THAT(violations(2),
              testing::ElementsAre("stages: 3 warps take turns at the stages, so that stages must be 3 or more"));
  EXPECT_THAT(violations(3), testing::IsEmpty());
}

TEST(Shape, ReducesOfSegmentsHaveStagesWhereTilesFillThem) {
  const auto schedule = [](Type type, std::uint64_t size, const char* architecture) {
    const Problem sum = make_problem(Algorithm::reduce, plus, type, type);
    const Space space(in_segments(sum, size / 64, size), limits_of_architecture(architecture));
    EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>{}) << name(type);
    return space.default_config().schedule;
  };
  for (const Type type : all_types()) EXPECT_EQ(schedule(type, 1 << 26, "sm_90"), "segment_pieces") << name(type);
  EXPECT_EQ(schedule(Type::f32, 1 << 24, "sm_90"), "segment_pieces");
  EXPECT_EQ(schedule(Type::f32, 1 << 23, "sm_90"), "merge_path");
  EXPECT_EQ(schedule(Type::f16, 1 << 22, "sm_90"), "segment_pieces");
  EXPECT_EQ(schedule(Type::f16, 1 << 21, "sm_90"), "merge_path");
  EXPECT_EQ(schedule(Type::i64, 1 << 21, "sm_90"), "segment_pieces");
  EXPECT_EQ(schedule(Type::i64, 1 << 20, "sm_90"), "merge_path");
  EXPECT_EQ(schedule(Type::i8, 1 << 23, "sm_90"), "merge_path");
  EXPECT_EQ(schedule(Type::f32, 1 << 16, "sm_90"), "segment_groups");
  EXPECT_EQ(schedule(Type::f32, 1 << 26, "sm_80"), "merge_path");
}

// Small tiles, so that there are enough of them.
TEST(Shape, FewItemsOfSegmentsAreReducedInSmallTiles) {
  using Tile = std::pair<std::int64_t, std::int64_t>;
  const auto tile = [](Type type, std::uint64_t size, std::uint64_t length, const char* architecture = "sm_90") {
    const Problem sum = make_problem(Algorithm::reduce, plus, type, type);
    const Space space(in_segments(sum, size / length, size), limits_of_architecture(architecture));
    const Config config = space.complete({"merge_path", {}});
    EXPECT_EQ(space.violations(config), std::vector<std::string>{}) << architecture;
    return Tile(config.integer("threads_per_block"), config.integer("items_per_thread"));
  };
  EXPECT_EQ(tile(Type::f32, 1 << 20, 1000), Tile(96, 11));
  EXPECT_EQ(tile(Type::f32, 1 << 20, 16), Tile(96, 11));
  EXPECT_EQ(tile(Type::f32, 1 << 20, 4).first, 256) << "many segments end in each tile";
  EXPECT_EQ(tile(Type::f32, 1 << 21, 1000), Tile(256, 32));
  EXPECT_EQ(tile(Type::f16, 1 << 21, 1000), Tile(96, 11));
  EXPECT_EQ(tile(Type::i8, 1 << 20, 1000).first, 256);
  EXPECT_EQ(tile(Type::i64, 1 << 19, 1000), Tile(96, 11));
  EXPECT_NE(tile(Type::i64, 1 << 19, 1000, "sm_86"), Tile(96, 11)) << "six blocks have no room";
}

TEST(Shape, ScansOfFewSegmentsLookAheadInTilesOfTheirOwn) {
  using Tile = std::pair<std::string, std::int64_t>;
  const auto tile = [](Type type, std::uint64_t size, std::uint64_t length) {
    const Problem scan = make_problem(Algorithm::inclusive_scan, plus, type, type);
    const Space space(in_segments(scan, size / length, size), limits_of_architecture("sm_90"));
    const Config config = space.default_config();
    EXPECT_EQ(space.violations(config), std::vector<std::string>{});
    return Tile(config.schedule, config.schedule == "lookahead" ? config.integer("stages") : 0);
  };
  EXPECT_EQ(tile(Type::f32, 1 << 20, 64), Tile("lookahead", 9));
  EXPECT_EQ(tile(Type::f32, 1 << 20, 4), Tile("lookback", 0)) << "not measured";
  EXPECT_EQ(tile(Type::f32, 1 << 19, 64), Tile("all_aggregates", 0));
  EXPECT_EQ(tile(Type::f16, 1 << 20, 64), Tile("lookback", 0));
  EXPECT_EQ(tile(Type::i64, 1 << 19, 64), Tile("lookahead", 5));
  EXPECT_EQ(tile(Type::i64, 1 << 22, 64), Tile("lookahead", 5));
  EXPECT_EQ(tile(Type::i64, 1 << 26, 64), Tile("lookahead", 5));
  // In a part of a GPU, each multiprocessor has more of the bandwidth.
  DeviceLimits limits = limits_of_architecture("sm_90");
  limits.memory_gb_per_second = 4814;
  const Problem scan = make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32);
  const Space part(in_segments(scan, 1 << 14, 1 << 20), limits_of_part(limits, 16));
  EXPECT_LE(part.complete({"lookahead", {}}).integer("reduce_ahead"), 2);
}

TEST(Shape, FewItemsOfSegmentsAreScannedByGroups) {
  const auto schedule = [](std::uint64_t size, std::uint64_t length) {
    const Problem scan = make_problem(Algorithm::inclusive_scan, plus, Type::f32, Type::f32);
    return Space(in_segments(scan, size / length, size), limits_of_architecture("sm_80")).default_config();
  };
  EXPECT_EQ(schedule(1 << 12, 16).schedule, "segment_groups");
  EXPECT_EQ(schedule(1 << 12, 16).integer("threads_per_segment"), 4);
  EXPECT_EQ(schedule(1 << 12, 64).integer("threads_per_segment"), 16);
  EXPECT_EQ(schedule(1 << 12, 1000).integer("threads_per_segment"), 256) << "the whole block";
  EXPECT_EQ(schedule(1 << 12, 4).schedule, "single_block") << "a few are long for a group";
  EXPECT_EQ(schedule(1 << 16, 16).schedule, "lookback") << "one segment could have most of the items";
}

// The default of a reduce is valid for every type and length, and has more threads for longer rows.
TEST(Shape, DefaultsAreValidForAllTypesAndLengths) {
  for (const char* const architecture : {"sm_75", "sm_80", "sm_86", "sm_90"}) {
    const DeviceLimits limits = limits_of_architecture(architecture);
    for (const Type type : all_types()) {
      std::int64_t threads = 0;
      for (const std::uint64_t length : {1, 4, 17, 64, 500, 1001, 4096, 1 << 20}) {
        for (const Algorithm algorithm : {Algorithm::exclusive_scan, Algorithm::reduce}) {
          const Problem problem = in_rows(make_problem(algorithm, plus, type, type), (1 << 26) / length, length);
          const Space space(problem, limits);
          const Config config = space.default_config();
          EXPECT_EQ(space.violations(config), std::vector<std::string>{}) << to_string(problem);
          for (const ScheduleInfo& schedule : space.describe()) {
            if (schedule.name == "cluster" && limits.compute_capability < 90) continue;
            if (schedule.name == "lookahead" && limits.compute_capability < 80) continue;
            EXPECT_EQ(space.violations(schedule.default_config), std::vector<std::string>{})
                << to_string(problem) << " " << schedule.name << " " << architecture;
          }
          if (algorithm != Algorithm::reduce) continue;
          EXPECT_EQ(config.schedule, length == 1 << 20 ? "row_pieces" : "row_groups");
          const std::int64_t now = space.complete({"row_groups", {}}).integer("threads_per_row");
          EXPECT_GE(now, threads) << to_string(problem);
          threads = now;
        }
      }
      EXPECT_EQ(threads, 256) << name(type);
    }
  }
}

TEST(Shape, AGroupIsWithinAWarpOrTheWholeBlock) {
  const Space space(sums(Algorithm::reduce, 100, 64), limits_of_architecture("sm_90"));
  const auto violations = [&](int block, int row) {
    return space.violations(space.complete({"row_groups", {{"threads_per_block", block}, {"threads_per_row", row}}}));
  };
  EXPECT_TRUE(violations(64, 64).empty());
  EXPECT_TRUE(violations(96, 8).empty());
  EXPECT_EQ(violations(128, 64),
            std::vector<std::string>{"groups: threads_per_row=64 is more than a warp and not the block's 128 threads; "
                                     "use at most 32, or 128"});
}

}  // namespace
}  // namespace upsweep
