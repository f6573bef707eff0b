#include "tuner/data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "generator/operator.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/reference.hpp"

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

}  // namespace
}  // namespace upsweep::tuner
