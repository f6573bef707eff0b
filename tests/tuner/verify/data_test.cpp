#include "tuner/verify/data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "generator/operator.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/defined.hpp"
#include "tests/support/reference.hpp"
#include "tests/tuner/verify/select_pairs.hpp"
#include "tests/tuner/verify/values.hpp"

namespace upsweep::tuner {
namespace {

using test::Reference;

std::vector<Problem> problems() {
  std::vector<Problem> all = test::all_problems();
  const std::vector<Problem> mixed = test::mixed_problems();
  all.insert(all.end(), mixed.begin(), mixed.end());
  return all;
}

TEST(Data, IsTheSameForTheSameSeedOnly) {
  for (const Problem& problem : problems()) {
    EXPECT_EQ(make_data(problem, 300, 5), make_data(problem, 300, 5)) << to_string(problem);
    EXPECT_NE(make_data(problem, 300, 5), make_data(problem, 300, 6)) << to_string(problem);
    EXPECT_EQ(make_data(problem, 300, 5).size(), 300 * size_of(problem.input)) << to_string(problem);
  }
}

// Of floating sums and products no association rounds, so that compare() is exact: one bit is enough to be wrong.
TEST(Data, NothingRounds) {
  for (const Problem& problem : problems()) {
    if (test::is_exact(problem.op, problem.accumulator)) continue;
    for (const std::uint64_t n : {1u, 17u, 5000u, 300'000u}) {
      SCOPED_TRACE(testing::Message() << to_string(problem) << " n " << n);
      const Reference reference(problem, make_data(problem, n, 3), make_initial(problem, 3));
      const auto output = reference.output(n);
      ASSERT_EQ(reference.compare(n, output), std::nullopt);
      const std::size_t item = size_of(problem.output);
      const std::uint64_t last = output.size() / item - 1;
      const double value = load_number(problem.output, output.data() + last * item).floating;
      ASSERT_TRUE(std::isfinite(value));
      Bytes wrong(output.begin(), output.end());
      wrong[last * item] ^= std::byte{1};
      const auto mismatch = reference.compare(n, wrong);
      ASSERT_TRUE(mismatch.has_value()) << "there is a tolerance";
      EXPECT_EQ(mismatch->index, last);
    }
  }
}

// What stands before a tile shows in it: there are many results, to the end.
TEST(Data, ResultsKeepChanging) {
  for (const Problem& problem : problems()) {
    if (problem.algorithm != Algorithm::inclusive_scan) continue;
    const std::uint64_t n = 20'000;
    const Reference reference(problem, make_data(problem, n, 9), identity(problem.op, problem.accumulator));
    const auto output = reference.output(n);
    const std::size_t item = size_of(problem.output);
    std::set<std::string> different, late;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::string value(reinterpret_cast<const char*>(output.data() + i * item), item);
      different.insert(value);
      if (i >= n / 2) late.insert(value);
    }
    EXPECT_GE(different.size(), 5u) << to_string(problem);
    const bool bits = problem.op == Operator::bit_and || problem.op == Operator::bit_or;
    if (bits) continue;  // those of narrow types are used up by then
    EXPECT_GE(late.size(), 2u) << to_string(problem);
  }
}

TEST(Data, InitialValueIsNotTheIdentity) {
  for (const Problem& problem : problems()) {
    bool differs = false;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Scalar initial = make_initial(problem, seed);
      EXPECT_EQ(initial.type, problem.accumulator);
      differs = differs || initial != identity(problem.op, problem.accumulator);
    }
    EXPECT_TRUE(differs) << to_string(problem);
  }
}

// --- arrays of algorithms that say what theirs hold

std::vector<std::size_t> run_lengths(const std::vector<std::int32_t>& keys) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) lengths.push_back(0);
    ++lengths.back();
  }
  return lengths;
}

TEST(Data, EachInputHasItsOwn) {
  const Problem problem = select_pairs_problem(1000);
  const CallData data = make_call_data(problem, 1000, 5);
  EXPECT_EQ(data.items, 1000u);
  ASSERT_EQ(data.inputs.size(), 2u);
  EXPECT_EQ(data.inputs[0].size(), 1000u * 4);
  EXPECT_EQ(data.inputs[1].size(), 1000u * 8);
  EXPECT_EQ(data.inputs, make_call_data(problem, 1000, 5).inputs);
  EXPECT_NE(data.inputs[0], make_call_data(problem, 1000, 6).inputs[0]);
  EXPECT_NE(data.inputs[1], make_call_data(problem, 1000, 6).inputs[1]);
  EXPECT_EQ(data.scalars, std::vector{Scalar::of(std::int32_t{1000})});
  EXPECT_EQ(make_timed_scalars(problem, 5), data.scalars);
}

// So that what was measured and checked before stays the same.
TEST(Data, OfOneInputIsThatOfTheOperator) {
  for (const Problem& problem : problems()) {
    const CallData data = make_call_data(problem, 300, 5);
    EXPECT_EQ(data.inputs, std::vector<Bytes>{make_data(problem, 300, 5)}) << to_string(problem);
    const bool starts = problem.algorithm != Algorithm::inclusive_scan;
    EXPECT_EQ(data.scalars, starts ? std::vector{make_initial(problem, 5)} : std::vector<Scalar>());
    EXPECT_EQ(make_timed_scalars(problem, 5),
              starts ? std::vector{identity(problem.op, problem.accumulator)} : std::vector<Scalar>());
  }
}

TEST(Data, KeysAreRunsOfAllLengths) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const std::vector<std::size_t> lengths =
        run_lengths(values_of<std::int32_t>(make_call_data(select_pairs_problem(0), 200'000, seed).inputs[0]));
    const double mean = 200'000.0 / static_cast<double>(lengths.size());
    EXPECT_GT(mean, 6) << seed;
    EXPECT_LT(mean, 11) << seed;
    EXPECT_GT(std::count(lengths.begin(), lengths.end(), 1u), 2000) << seed;
    EXPECT_GE(lengths[40], 500u) << "a long one comes early";
    EXPECT_GE(lengths[400], 2000u);
    EXPECT_GT(std::count_if(lengths.begin(), lengths.end(), [](std::size_t n) { return n >= 2000; }), 2) << seed;
  }
}

// A struct of two fields changes as a whole, in both.
TEST(Data, KeysOfStructuresChangeInAllFields) {
  Problem problem = select_pairs_problem(0);
  problem.input = test::Map::type();
  const auto keys = values_of<std::array<std::int32_t, 2>>(make_call_data(problem, 2000, 1).inputs[0]);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    EXPECT_EQ(keys[i][0] == keys[i - 1][0], keys[i][1] == keys[i - 1][1]) << i;
    changes += keys[i] != keys[i - 1];
  }
  EXPECT_GT(changes, 100u);
}

TEST(Data, NarrowKeysHaveOtherNeighboursToo) {
  Problem problem = select_pairs_problem(0);
  problem.input = Type::u8;
  const auto keys = values_of<std::uint8_t>(make_call_data(problem, 5000, 1).inputs[0]);
  const std::vector<std::int32_t> narrow(keys.begin(), keys.end());
  problem.input = Type::u64;
  const auto wide = values_of<std::uint64_t>(make_call_data(problem, 5000, 1).inputs[0]);
  std::vector<std::int32_t> low;
  for (const std::uint64_t key : wide) low.push_back(static_cast<std::int32_t>(key));
  EXPECT_EQ(run_lengths(narrow), run_lengths(low)) << "no two runs have become one";
}

// What is selected from has values on either side of a threshold in the middle of the range.
TEST(Data, WhatIsSelectedFromIsAnything) {
  Problem problem = select_pairs_problem(0);
  const auto share_below_zero = [&](Type type) {
    problem.output = type;  // of the values
    const Bytes data = make_call_data(problem, 4000, 1).inputs[1];
    int negative = 0;
    std::set<double> different;
    for (std::size_t i = 0; i < 4000; ++i) {
      const Number value = load_number(type, data.data() + i * size_of(type));
      negative += is_floating(type) ? value.floating < 0 : value.integer < 0;
      different.insert(is_floating(type) ? value.floating : static_cast<double>(value.integer));
      EXPECT_TRUE(std::isfinite(value.floating));
      EXPECT_EQ(value.floating, std::floor(value.floating));
    }
    EXPECT_GT(different.size(), 200u) << name(type);
    return negative / 4000.0;
  };
  for (const Type type : all_types()) {
    if (type == Type::u64) continue;  // whose greater half is negative in a Number
    EXPECT_NEAR(share_below_zero(type), is_signed(type) ? 0.5 : 0, 0.05) << name(type);
  }
}

TEST(Data, BothPartsOfWhatIsSelectedFromAreAnything) {
  Problem problem = select_pairs_problem(0);
  problem.output = Type::c64;
  const auto parts = values_of<std::array<float, 2>>(make_call_data(problem, 4000, 1).inputs[1]);
  const auto negative = std::count_if(parts.begin(), parts.end(), [](const auto& value) { return value[1] < 0; });
  EXPECT_NEAR(static_cast<double>(negative) / 4000, 0.5, 0.05);
}

// As operators that programs define have: their results must not round, whatever the algorithm.
TEST(Data, WhatIsAddedUpInFloatsDoesNotRound) {
  Problem problem = select_pairs_problem(0);
  problem.accumulator = problem.output = Type::f32;
  const auto values = values_of<float>(make_call_data(problem, 100'000, 1).inputs[1]);
  double sum = 0;
  for (const float value : values) sum += std::abs(value);
  EXPECT_LT(sum, 1 << 24);
  EXPECT_GT(sum, 1000);
}

// The sums of columns, whose items are not neighbours, hold in the type, too, however many columns the items are.
TEST(Data, NothingRoundsAlongAnAxis) {
  Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::f32, Type::f32, 9000);
  problem.shape = Shape::axis;
  problem.row_length = 1000;
  problem.inner = 3;
  const auto values = values_of<float>(make_call_data(problem, 9000, 7).inputs[0]);
  for (const std::size_t columns : {1, 2, 3}) {
    std::vector<double> sums(columns);
    double greatest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sums[i % columns] += values[i];
      greatest = std::max(greatest, std::abs(sums[i % columns]));
    }
    EXPECT_LE(greatest, 1 << 24);
    EXPECT_GT(greatest, 1 << 12);
  }
}

}  // namespace
}  // namespace upsweep::tuner
