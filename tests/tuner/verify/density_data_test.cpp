// Data of which a given share of items has results.
#include "tuner/verify/density_data.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "generator/algorithm.hpp"
#include "generator/density.hpp"
#include "generator/operator.hpp"
#include "tests/support/message_of.hpp"
#include "tests/tuner/verify/select_pairs.hpp"
#include "tuner/verify/data.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::uint64_t n = 20'000;

// Of numbers of the type, as a program would compare them.
bool holds(Operator op, Type type, const std::byte* a, const std::byte* b) {
  const Number x = load_number(type, a), y = load_number(type, b);
  if (is_complex(type)) {
    const bool equal = x.floating == y.floating && x.imaginary == y.imaginary;
    return (op == Operator::equal_to) == equal;
  }
  const auto compared = [op](auto left, auto right) {
    if (op == Operator::less) return left < right;
    if (op == Operator::less_equal) return left <= right;
    if (op == Operator::greater) return left > right;
    if (op == Operator::greater_equal) return left >= right;
    return (left == right) == (op == Operator::equal_to);
  };
  if (is_floating(type)) return compared(x.floating, y.floating);
  if (is_signed(type)) return compared(x.integer, y.integer);
  return compared(static_cast<std::uint64_t>(x.integer), static_cast<std::uint64_t>(y.integer));
}

// Within five standard deviations of as many independent items.
void expect_share(double found, double share, const std::string& what) {
  EXPECT_NEAR(found, share, 5 * std::sqrt(share * (1 - share) / static_cast<double>(n))) << what;
}

Problem problem_at(Algorithm algorithm, Operator op, Type input, Density density, std::optional<Type> key = {}) {
  Problem problem = problem_of(algorithm, op, input, std::nullopt, std::nullopt, key);
  if (algorithm == Algorithm::nonzero) problem.output = Type::u64;
  problem.density = density;
  return problem;
}

double share_that_passes(const Problem& problem, std::size_t array, Type type) {
  const CallData data = make_call_data(problem, n, 7);
  const Bytes& items = data.inputs.at(array);
  std::uint64_t passing = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    passing += holds(problem.op, type, items.data() + i * size_of(type), data.scalars.at(0).bytes.data());
  }
  return static_cast<double>(passing) / n;
}

// Runs per item.
double share_of_starts(const Problem& problem, Type type, std::uint64_t items = n) {
  const Operator joins = entry_of(problem.op).is_predicate ? problem.op : Operator::equal_to;
  const Bytes data = make_call_data(problem, items, 7).inputs.at(0);
  std::uint64_t starts = 1;
  for (std::uint64_t i = 1; i < items; ++i) {
    const std::byte* const item = data.data() + i * size_of(type);
    starts += !holds(joins, type, item - size_of(type), item);
  }
  return static_cast<double>(starts) / static_cast<double>(items);
}

void for_each_case(const std::function<void(Operator, Type, Density)>& test) {
  int cases = 0;
  for (const Operator op : all_predicates()) {
    for (const Type type : all_types()) {
      if (!entry_of(op).takes(type)) continue;
      for (const Density density : all_densities()) {
        test(op, type, density);
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 6 * (4 * 12 + 2 * 14)) << "densities of predicates of types";
}

TEST(DensityData, ThatShareOfItemsPasses) {
  for_each_case([](Operator op, Type type, Density density) {
    for (const Algorithm algorithm : {Algorithm::select_if, Algorithm::nonzero, Algorithm::partition}) {
      const Problem problem = problem_at(algorithm, op, type, density);
      expect_share(share_that_passes(problem, 0, type), results_per_item(density), to_string(problem));
    }
  });
}

// Each part of a three-way partition has items: the second threshold takes half of those that the first one leaves.
TEST(DensityData, TheSecondThresholdTakesHalfOfTheOthers) {
  for_each_case([](Operator op, Type type, Density density) {
    if (op == Operator::equal_to || op == Operator::not_equal_to || density != Density::half) return;
    // Where none is known: data from the whole range.
    for (const Density each : {density, Density::unknown}) {
      const Problem problem = problem_at(Algorithm::three_way_partition, op, type, each);
      const CallData data = make_call_data(problem, n, 7);
      double left = 0, taken = 0;
      for (std::uint64_t i = 0; i < n; ++i) {
        const std::byte* const item = data.inputs.at(0).data() + i * size_of(type);
        if (holds(op, type, item, data.scalars.at(0).bytes.data())) continue;
        ++left;
        taken += holds(op, type, item, data.scalars.at(1).bytes.data());
      }
      EXPECT_GT(left, 100) << to_string(problem);
      EXPECT_NEAR(taken / left, 0.5, 0.2) << to_string(problem);
    }
  });
}

TEST(DensityData, ThatShareOfFlagsPasses) {
  for_each_case([](Operator op, Type type, Density density) {
    const Problem problem = problem_at(Algorithm::select_flagged, op, Type::i32, density, type);
    expect_share(share_that_passes(problem, 1, type), results_per_item(density), to_string(problem));
  });
}

TEST(DensityData, RunsOfEqualOrDifferentItemsHaveThatMeanLength) {
  for_each_case([](Operator op, Type type, Density density) {
    if (density == Density::none || (op != Operator::equal_to && op != Operator::not_equal_to)) return;
    for (const Algorithm algorithm : {Algorithm::unique, Algorithm::run_length_encode}) {
      const Problem problem = problem_at(algorithm, op, type, density);
      expect_share(share_of_starts(problem, type), results_per_item(density), to_string(problem));
    }
    const Problem by_key = problem_at(Algorithm::unique_by_key, op, Type::f64, density, type);
    expect_share(share_of_starts(by_key, type), results_per_item(density), to_string(by_key));
  });
}

// Results are the runs of at least two items, and there are no others.
TEST(DensityData, NontrivialRunsAreThatManyPerItem) {
  for (const Operator op : {Operator::equal_to, Operator::not_equal_to, Operator::less}) {
    for (const Density density : {Density::few, Density::some, Density::half}) {
      const Problem problem = problem_at(Algorithm::nontrivial_runs, op, Type::i32, density);
      expect_share(share_of_starts(problem, Type::i32), results_per_item(density), to_string(problem));
    }
  }
}

TEST(DensityData, RunsOfKeysHaveThatMeanLength) {
  for (const Algorithm algorithm :
       {Algorithm::reduce_by_key, Algorithm::inclusive_scan_by_key, Algorithm::exclusive_scan_by_key}) {
    for (const Type key : {Type::u8, Type::i8, Type::u32, Type::i64, Type::f16, Type::f64}) {
      for (const Density density : {Density::few, Density::half, Density::most, Density::all}) {
        const Problem problem = problem_at(algorithm, Operator::plus, Type::i32, density, key);
        expect_share(share_of_starts(problem, key), results_per_item(density), to_string(problem));
      }
    }
  }
}

// An item that joins a run of `less` is above the one before: 8 bits have not enough values for long runs, nor, of
// less_equal, for many short ones in a row.
TEST(DensityData, RunsOfOrderedItemsHaveThatMeanLength) {
  for_each_case([](Operator op, Type type, Density density) {
    if (density == Density::none || op == Operator::equal_to || op == Operator::not_equal_to) return;
    const Problem problem = problem_at(Algorithm::unique, op, type, density);
    EXPECT_NEAR(share_of_starts(problem, type), results_per_item(density), 0.02) << to_string(problem);
  });
}

TEST(DensityData, LongRunsHaveAHundredThousandItems) {
  for (const Algorithm algorithm : {Algorithm::unique, Algorithm::run_length_encode}) {
    const Problem problem = problem_at(algorithm, Operator::equal_to, Type::i32, Density::none);
    EXPECT_NEAR(share_of_starts(problem, Type::i32, 4'000'000), 1e-5, 4e-6) << to_string(problem);
  }
  const Problem ordered = problem_at(Algorithm::unique, Operator::less, Type::i32, Density::none);
  EXPECT_NEAR(share_of_starts(ordered, Type::i32, 4'000'000), 1e-5, 4e-6);
}

TEST(DensityData, RunsHaveAllLengths) {
  const Problem problem = problem_at(Algorithm::unique, Operator::equal_to, Type::i32, Density::half);
  const Bytes data = make_call_data(problem, n, 3).inputs.at(0);
  std::vector<int> lengths(20, 0);
  for (std::uint64_t i = 0, start = 0; i <= n; ++i) {
    const std::byte* const item = data.data() + i * 4;
    if (i < n && (i == 0 || holds(Operator::equal_to, Type::i32, item - 4, item))) continue;
    lengths[std::min<std::uint64_t>(i - start, 19)] += 1;
    start = i;
  }
  for (int length = 1; length < 6; ++length) {
    const double expected = n * 0.5 * std::pow(0.5, length);
    EXPECT_NEAR(lengths[static_cast<std::size_t>(length)], expected, 6 * std::sqrt(expected)) << length;
  }
}

TEST(DensityData, IsTheSameForTheSameSeedOnly) {
  const Problem problem = problem_at(Algorithm::select_flagged, Operator::less, Type::i32, Density::half, Type::u8);
  EXPECT_EQ(make_call_data(problem, 300, 5).inputs, make_call_data(problem, 300, 5).inputs);
  EXPECT_NE(make_call_data(problem, 300, 5).inputs[1], make_call_data(problem, 300, 6).inputs[1]);
}

// Values of items and scalars, and all data of problems without a density.
TEST(DensityData, NothingElseIsChanged) {
  const Problem with = problem_at(Algorithm::reduce_by_key, Operator::plus, Type::f32, Density::half, Type::u32);
  Problem without = with;
  without.density = Density::unknown;
  EXPECT_EQ(make_call_data(with, 3000, 5).inputs[1], make_call_data(without, 3000, 5).inputs[1]);
  EXPECT_NE(make_call_data(with, 3000, 5).inputs[0], make_call_data(without, 3000, 5).inputs[0]);
  for (const Port& port : ports(without)) EXPECT_FALSE(gives_density(without, port)) << port.name;
  for (const Port& port : ports(with)) EXPECT_EQ(gives_density(with, port), port.name == "keys") << port.name;
  const Problem selection = problem_at(Algorithm::select_if, Operator::less, Type::u8, Density::all);
  EXPECT_EQ(make_timed_scalars(selection, 5), std::vector{Scalar::of(std::uint8_t{128})});
}

// A program's own threshold is not in the middle.
TEST(DensityData, OfOwnAlgorithmsIsThatOfRunsOnly) {
  Problem own = select_pairs_problem(1000);
  own.density = Density::half;
  for (const Port& port : ports(own)) EXPECT_EQ(gives_density(own, port), port.previous_items > 0) << port.name;
}

TEST(DensityData, PatternsHoldManyRuns) {
  const Problem short_runs = problem_at(Algorithm::unique, Operator::equal_to, Type::i32, Density::few);
  const Problem long_runs = problem_at(Algorithm::unique, Operator::equal_to, Type::i32, Density::none);
  const Problem nothing = problem_at(Algorithm::select_if, Operator::less, Type::i32, Density::none);
  EXPECT_EQ(pattern_items(short_runs).most, 1u << 20);
  EXPECT_EQ(pattern_items(nothing).most, 1u << 20);
  EXPECT_GE(static_cast<double>(pattern_items(long_runs).most), 40 * mean_run_length(Density::none));
  EXPECT_GE(static_cast<double>(pattern_items(long_runs).least), 2 * mean_run_length(Density::none));
}

}  // namespace
}  // namespace upsweep::tuner
