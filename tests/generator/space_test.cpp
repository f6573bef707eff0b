#include "generator/space.hpp"
#include "generator/short_config.hpp"

#include <gtest/gtest.h>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "generator/schedule.hpp"
#include "tests/support/scans.hpp"

namespace upsweep {
namespace {

Problem sum(Algorithm algorithm, Type type = Type::i32, std::uint64_t size = 1 << 24) {
  return make_problem(algorithm, Operator::plus, type, type, size);
}

const DeviceLimits space_device = limits_of_architecture("sm_90");

std::string first_violation(const Problem& problem, const Config& partial, const DeviceLimits& limits = space_device) {
  const Space space(problem, limits);
  const std::vector<std::string> violations = space.violations(space.complete(partial));
  return violations.empty() ? "none" : violations.front();
}

TEST(Space, DefaultsAreValidEverywhere) {
  for (const char* architecture : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    for (const Algorithm algorithm : test::scans_and_reduces) {
      for (const Type type : all_types()) {
        for (const std::uint64_t size : {1ull, 1000ull, 1ull << 20, 1ull << 33}) {
          const Space space(sum(algorithm, type, size), limits_of_architecture(architecture));
          EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>{}) << architecture;
        }
      }
    }
  }
}

// 2^62 items of 4 bytes are no bytes at all in 64 bits.
TEST(Space, DefaultsOfAnySizeAreThoseOfLargeOnes) {
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const Type type : {Type::u8, Type::i32, Type::f64, Type::c128}) {
      const Config large = Space(sum(algorithm, type, 1ull << 40), space_device).default_config();
      for (const std::uint64_t size : {1ull << 60, 1ull << 61, 1ull << 62, 1ull << 63, ~0ull}) {
        EXPECT_EQ(Space(sum(algorithm, type, size), space_device).default_config(), large)
            << name(algorithm) << ' ' << name(type) << ' ' << size;
      }
    }
  }
}

// What is read, computed in and written may differ: defaults of every schedule, and at sizes around what they change
// at.
TEST(Space, DefaultsAreValidForMixedTypes) {
  int problems = 0;
  const std::vector<Type> types{Type::i8,  Type::i16, Type::f16, Type::i32, Type::f32,
                                Type::i64, Type::f64, Type::c64, Type::c128};
  for (const char* architecture : {"sm_75", "sm_86", "sm_90"}) {
    const DeviceLimits limits = limits_of_architecture(architecture);
    for (const Type input : types) {
      for (const Type accumulator : types) {
        for (const Type output : types) {
          Problem problem = sum(Algorithm::exclusive_scan, input);
          problem.accumulator = accumulator;
          problem.output = output;
          try {
            validate(problem);
          } catch (const UsageError&) {
            continue;
          }
          ++problems;
          for (const std::uint64_t size : {1, 731, 2048, 4096, 8192, 10000, 1 << 14, 1 << 18, 1 << 21, 1 << 24}) {
            problem.size = size;
            const Space space(problem, limits);
            EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>{})
                << to_string(problem) << " " << size << " " << architecture;
            if (limits.compute_capability < 90) continue;
            for (const char* schedule : {"single_block", "cluster", "lookback"}) {
              EXPECT_EQ(space.violations(space.complete({schedule, {}})), std::vector<std::string>{})
                  << to_string(problem) << " " << size << " " << schedule;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(problems, 200);
}

TEST(Space, LookaheadHasADefaultForWiderOutputs) {
  for (const char* architecture : {"sm_80", "sm_86", "sm_90", "sm_120"}) {
    for (const auto& [type, output] :
         {std::pair{Type::i32, Type::i32}, {Type::u8, Type::u64}, {Type::i8, Type::c128}}) {
      const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, type, output);
      EXPECT_EQ(first_violation(problem, {.schedule = "lookahead", .values = {}}, limits_of_architecture(architecture)),
                "none")
          << architecture << " " << to_string(problem);
    }
  }
}

TEST(Space, SeedConfigsAreValidAndSuitTheSize) {
  for (const char* architecture : {"sm_75", "sm_80", "sm_86", "sm_90", "sm_120"}) {
    for (const Algorithm algorithm : test::scans_and_reduces) {
      for (const Type type : {Type::i8, Type::f32, Type::c128}) {
        for (const std::uint64_t size : {1ull, 1ull << 14, 1ull << 20, 1ull << 28}) {
          const Space space(sum(algorithm, type, size), limits_of_architecture(architecture));
          const std::vector<Config> seeds = space.seed_configs();
          ASSERT_FALSE(seeds.empty());
          EXPECT_EQ(seeds.front(), space.default_config());
          for (const Config& seed : seeds) {
            EXPECT_TRUE(space.contains(seed) && space.suits(seed)) << architecture << to_json(seed);
          }
        }
      }
    }
  }
}

TEST(Space, FewBlocksSuitFewItemsAndLookaheadMany) {
  const auto suits = [](Algorithm algorithm, std::uint64_t size, const char* schedule) {
    return Space(sum(algorithm, Type::i32, size), space_device).suits({.schedule = schedule, .values = {}});
  };
  for (const char* schedule : {"single_block", "cluster"}) {
    EXPECT_TRUE(suits(Algorithm::inclusive_scan, 1 << 20, schedule));
    EXPECT_FALSE(suits(Algorithm::inclusive_scan, (1 << 20) + 1, schedule));
  }
  EXPECT_FALSE(suits(Algorithm::reduce, 1 << 24, "single_block"));
  EXPECT_FALSE(suits(Algorithm::inclusive_scan, (1 << 16) - 1, "lookahead")) << "less than 2^18 bytes";
  EXPECT_TRUE(suits(Algorithm::inclusive_scan, 1 << 16, "lookahead"));
  for (const std::uint64_t size : {1ull, 1ull << 40}) {
    EXPECT_TRUE(suits(Algorithm::inclusive_scan, size, "lookback"));
    EXPECT_TRUE(suits(Algorithm::reduce, size, "last_started"));
  }
}

TEST(Space, AllAggregatesIsForFewTiles) {
  const auto tiles = [](Type input, Type output, std::uint64_t size) {
    const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, input, output, size);
    const Space space(problem, limits_of_architecture("sm_90"));
    const std::uint64_t tile = generate(problem, space.complete({"all_aggregates", {}})).launch.items_per_tile;
    return space.default_config().schedule == "all_aggregates" ? size / tile : 0;
  };
  for (const auto& [input, output] : {std::pair{Type::i8, Type::c128},
                                      {Type::i8, Type::i64},
                                      {Type::i64, Type::i8},
                                      {Type::f64, Type::f16},
                                      {Type::i32, Type::i32},
                                      {Type::u8, Type::u8}}) {
    for (int exponent = 16; exponent <= 23; ++exponent) {
      const std::uint64_t found = tiles(input, output, std::uint64_t{1} << exponent);
      EXPECT_TRUE(found == 0 || (found >= 32 && found <= 1024)) << name(input) << " 2^" << exponent << ": " << found;
    }
  }
  EXPECT_EQ(tiles(Type::i32, Type::i32, 1 << 20), 256u);
}

// The reference is used only where it is asked for by name.
TEST(Space, SequentialIsValidAndSuitsNoSize) {
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const std::uint64_t size : {0ull, 1ull, 1ull << 10, 1ull << 30}) {
      const Space space(sum(algorithm, Type::i32, size), space_device);
      const Config sequential = space.complete({.schedule = "sequential", .values = {}});
      EXPECT_TRUE(space.contains(sequential));
      EXPECT_FALSE(space.suits(sequential));
      EXPECT_TRUE(is_reproducible(sum(algorithm, Type::f32, size), sequential));
      EXPECT_NE(space.default_config().schedule, "sequential");
      for (const Config& seed : space.seed_configs()) EXPECT_NE(seed.schedule, "sequential");
    }
  }
}

TEST(Space, NamesTheViolatedConstraint) {
  const Problem scan = sum(Algorithm::inclusive_scan);
  EXPECT_EQ(first_violation(scan, {.schedule = "lookback", .values = {{"lookback_window", 3}}}),
            "lookback_window=3 is not valid: use one of 1, 2, 4, 8, 16, 32, 64, 128");
  EXPECT_EQ(first_violation(scan, {.schedule = "lookback", .values = {{"speed", 3}}}),
            "unknown parameter 'speed' of schedule lookback: use one of threads_per_block, items_per_thread, "
            "minimum_blocks, load, store, warp_scan, block_scan, descriptor, prefetch, delay_nanoseconds, "
            "lookback_window, dependent_launch");
  EXPECT_TRUE(
      first_violation(scan, {.schedule = "lookback", .values = {{"load", "vectorized"}, {"items_per_thread", 15}}})
          .starts_with("alignment: with load=vectorized"));
  EXPECT_TRUE(
      first_violation(scan, {.schedule = "lookback", .values = {{"threads_per_block", 1024}, {"minimum_blocks", 3}}})
          .starts_with("threads per multiprocessor: the config needs 3072, but the device has 2048"));
  EXPECT_TRUE(
      first_violation(sum(Algorithm::inclusive_scan, Type::f64),
                      {.schedule = "lookback", .values = {{"threads_per_block", 1024}, {"items_per_thread", 32}}})
          .starts_with("shared memory per block (bytes): "));
  EXPECT_TRUE(first_violation(scan, {.schedule = "lookback",
                                     .values = {{"threads_per_block", 512},
                                                {"items_per_thread", 32},
                                                {"load", "direct"},
                                                {"store", "direct"},
                                                {"minimum_blocks", 4}}})
                  .starts_with("registers per thread: the config needs 56, but the device has 32"));
  EXPECT_EQ(
      first_violation(sum(Algorithm::reduce, Type::c128),
                      {.schedule = "last_block", .values = {{"load", "vectorized"}, {"items_per_thread", 4}}}),
      "alignment: with load=vectorized, the items of a thread must fill whole vectors of 4, 8 or 16 bytes, with at "
      "least two items per vector, but 4 items of 16 bytes do not; use another items_per_thread or another load");
  const Problem fill = make_problem(Algorithm::reduce, Operator::last_nonzero, Type::i32, Type::i32);
  EXPECT_TRUE(first_violation(fill, {.schedule = "last_block", .values = {{"accumulate", "per_thread"}}})
                  .starts_with("order: "));
}

TEST(Space, RefusesSchedulesOfOtherAlgorithms) {
  const Space space(sum(Algorithm::reduce), space_device);
  EXPECT_EQ(
      space.violations({.schedule = "lookback", .values = {}}).front(),
      "unknown schedule 'lookback' for reduce: use one of single_block, last_block, last_started, ladder, sequential");
  EXPECT_THROW((void)space.complete({.schedule = "nothing", .values = {}}), UsageError);
  EXPECT_THROW(space.validate({.schedule = "last_block", .values = {}}), UsageError);
}

// Vectors are not filled by seven bytes: neither tiles that come in so nor tiles that go out so will do.
TEST(Space, DefaultsGiveWayToWhatWasGiven) {
  for (const Algorithm algorithm : test::scans_and_reduces) {
    const Space space(sum(algorithm, Type::i8), space_device);
    for (const Schedule* schedule : space.schedules()) {
      const Config defaults = space.complete({std::string(schedule->name()), {}});
      if (!defaults.values.contains("items_per_thread") || schedule->is_baseline()) continue;  // these have no sevens
      const Config given{defaults.schedule, {{"items_per_thread", 7}}};
      const Config config = space.complete_around(given);
      EXPECT_EQ(space.violations(config), std::vector<std::string>{}) << to_json(config);
      EXPECT_EQ(config.values.at("items_per_thread"), ParameterValue(std::int64_t{7}));
      for (const auto& [name, value] : config.values) {
        const bool may_change = name == "items_per_thread" || name == "load" || name == "store";
        EXPECT_TRUE(may_change || value == defaults.values.at(name)) << to_json(config) << ": " << name;
      }
    }
  }
}

TEST(Space, WhatWasGivenStaysEvenIfItIsWrong) {
  const Space space(sum(Algorithm::inclusive_scan, Type::i8), space_device);
  const Config both{"lookback", {{"items_per_thread", 7}, {"load", "vectorized"}}};
  EXPECT_EQ(space.complete_around(both), space.complete(both));
  const Config none{"lookback", {{"items_per_thread", 1000}}};
  EXPECT_EQ(space.complete_around(none), space.complete(none));
  const Config right{"lookback", {{"items_per_thread", 8}}};
  EXPECT_EQ(space.complete_around(right), space.complete(right));
}

TEST(Space, KnowsWhatIsReproducible) {
  const auto reproducible = [](Operator op, Type type, const char* config,
                               Algorithm algorithm = Algorithm::inclusive_scan) {
    const Problem problem = make_problem(algorithm, op, type, type);
    return is_reproducible(problem, Space(problem, space_device).complete(*config_from_text(config)));
  };
  EXPECT_TRUE(reproducible(Operator::plus, Type::i32, "lookback"));
  EXPECT_FALSE(reproducible(Operator::plus, Type::f32, "lookback"));
  EXPECT_FALSE(reproducible(Operator::multiplies, Type::f16, "lookback"));
  EXPECT_TRUE(reproducible(Operator::maximum, Type::f32, "lookback"));
  EXPECT_TRUE(reproducible(Operator::plus, Type::f32, "chained"));
  EXPECT_TRUE(reproducible(Operator::plus, Type::f32, "all_aggregates"));
  EXPECT_TRUE(reproducible(Operator::plus, Type::f32, "single_block"));
  EXPECT_FALSE(reproducible(Operator::multiplies, Type::c64, "lookback"));
  EXPECT_TRUE(reproducible(Operator::last_nonzero, Type::c128, "lookback"));
  EXPECT_FALSE(reproducible(Operator::plus, Type::f32, "lookahead, order=ticket"));
  EXPECT_TRUE(reproducible(Operator::plus, Type::f32, "lookahead, order=strided"));
  EXPECT_TRUE(reproducible(Operator::plus, Type::i32, "lookahead, order=ticket")) << "integers do not round";
  EXPECT_FALSE(reproducible(Operator::plus, Type::c64, "lookahead, order=ticket"));
  EXPECT_TRUE(reproducible(Operator::plus, Type::f32, "cluster"));
  EXPECT_TRUE(reproducible(Operator::plus, Type::f32, "last_block", Algorithm::reduce));
  EXPECT_TRUE(reproducible(Operator::plus, Type::f32, "last_started", Algorithm::reduce));
}

TEST(Architectures, UnknownOneListsKnownOnes) {
  EXPECT_THROW((void)limits_of_architecture("sm_61"), UsageError);
  EXPECT_EQ(architecture_of({.name = "x", .compute_major = 10, .compute_minor = 0}), "sm_100");
}

}  // namespace
}  // namespace upsweep
