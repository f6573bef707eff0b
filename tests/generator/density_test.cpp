// The density of results: its classes and names, and which problems have one.
#include "generator/density.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "generator/problem_family.hpp"
#include "generator/problem_json.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

Problem selection(Density density) {
  Problem problem = make_problem(Algorithm::select_if, Operator::less, Type::i32, Type::u64, 1000);
  problem.density = density;
  return problem;
}

TEST(Density, IsTheNearestClass) {
  for (const Density density : all_densities()) EXPECT_EQ(density_class(results_per_item(density)), density);
  const auto below = [](double bound) { return density_class(std::nextafter(bound, 0.0)); };
  EXPECT_EQ(below(0.005), Density::none);
  EXPECT_EQ(density_class(0.005), Density::few);
  EXPECT_EQ(below(0.0675), Density::few);
  EXPECT_EQ(density_class(0.0675), Density::some);
  EXPECT_EQ(below(0.3125), Density::some);
  EXPECT_EQ(density_class(0.3125), Density::half);
  EXPECT_EQ(below(0.745), Density::half);
  EXPECT_EQ(density_class(0.745), Density::most);
  EXPECT_EQ(below(0.995), Density::most);
  EXPECT_EQ(density_class(0.995), Density::all);
  EXPECT_EQ(density_class(-0.0), Density::none);
}

TEST(Density, IsAShareOfTheItems) {
  const auto refusal = [](double share) { return test::error_of<UsageError>([&] { (void)density_class(share); }); };
  EXPECT_EQ(refusal(1.5), "a density of 1.5 is not possible: give results per item, from 0 to 1");
  EXPECT_EQ(refusal(-0.25), "a density of -0.25 is not possible: give results per item, from 0 to 1");
  EXPECT_NE(refusal(std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_NE(refusal(std::numeric_limits<double>::infinity()), "");
}

TEST(Density, HasNames) {
  std::vector<std::string> names;
  for (const Density density : all_densities()) {
    names.emplace_back(name(density));
    EXPECT_EQ(parse_density(names.back()), density);
  }
  EXPECT_THAT(names, testing::ElementsAre("0", "0.01", "0.125", "0.5", "0.99", "1"));
  EXPECT_EQ(name(Density::unknown), "");
  for (const char* text : {"", "0.0", "0.02", "half"}) {
    EXPECT_EQ(test::error_of<UsageError>([&] { (void)parse_density(text); }),
              "unknown density '" + std::string(text) + "': use 0, 0.01, 0.125, 0.5, 0.99 or 1");
  }
}

TEST(Density, IsTheReciprocalOfTheLengthOfRuns) {
  EXPECT_EQ(mean_run_length(Density::none), 1e5);
  EXPECT_EQ(mean_run_length(Density::some), 8);
  EXPECT_EQ(mean_run_length(Density::all), 1);
}

TEST(Density, IsForResultsThatDependOnTheData) {
  std::vector<std::string> without;
  for (const Algorithm algorithm : all_algorithms()) {
    const AlgorithmEntry& entry = entry_of(algorithm);
    const bool counts = entry.fold == Fold::counts || entry.fold == Fold::part_counts;
    const Operator op = entry.usual_operator.value_or(counts ? Operator::less : Operator::plus);
    Problem problem = problem_of(algorithm, op, Type::i32, {}, {});
    EXPECT_NO_THROW(validate(problem));
    problem.density = Density::few;
    const std::string refusal = test::error_of<UsageError>([&] { validate(problem); });
    if (refusal.empty()) continue;
    without.emplace_back(name(algorithm));
    EXPECT_EQ(refusal, without.back() + " has as many results for all data: leave out the density");
  }
  EXPECT_THAT(without,
              testing::UnorderedElementsAre("inclusive_scan", "exclusive_scan", "reduce", "adjacent_difference",
                                            "reverse_inclusive_scan", "reverse_exclusive_scan"));
}

// Runs of at least two items are at most half as many as the items.
TEST(Density, IsNoMoreThanThereCanBe) {
  Problem problem = problem_of(Algorithm::nontrivial_runs, equal_to, Type::i32, {}, {});
  for (const Density density : {Density::none, Density::few, Density::some, Density::half}) {
    problem.density = density;
    EXPECT_NO_THROW(validate(problem)) << name(density);
  }
  for (const Density density : {Density::most, Density::all}) {
    problem.density = density;
    EXPECT_EQ(test::error_of<UsageError>([&] { validate(problem); }),
              "nontrivial_runs has a result for each 2 items at most: use a density of at most 0.5");
  }
}

TEST(Density, IsSaidWithTheProblem) {
  EXPECT_EQ(to_string(selection(Density::unknown)), "select_if less i32 in u64 to i32");
  EXPECT_EQ(to_string(selection(Density::few)), "select_if less i32 in u64 to i32 at density 0.01");
}

TEST(Density, IsAMemberOfTheKeyOnlyWhereThereIsOne) {
  const std::string without =
      R"({"accumulator":"u64","algorithm":"select_if","input":"i32","operator":"less","output":"i32"})";
  EXPECT_EQ(key_of(selection(Density::unknown)), without);
  EXPECT_EQ(
      key_of(selection(Density::few)),
      R"({"accumulator":"u64","algorithm":"select_if","density":"0.01","input":"i32","operator":"less","output":"i32"})");
  for (const Density density : all_densities()) {
    Problem read = problem_of(names_of_key(key_of(selection(density))));
    read.size = 1000;
    EXPECT_EQ(read, selection(density));
  }
  ProblemNames names = names_of(selection(Density::few));
  names["density"] = "0.02";
  EXPECT_THROW((void)problem_of(names), UsageError);
}

// Another density is neither the same problem nor of another family.
TEST(Density, IsNoPartOfTheFamily) {
  const Problem few = selection(Density::few), half = selection(Density::half), any = selection(Density::unknown);
  EXPECT_EQ(nearness(few, any), Nearness::same_kinds);
  EXPECT_EQ(nearness(few, half), Nearness::same_kinds);
  EXPECT_EQ(nearness(few, few), Nearness::same_problem);
  EXPECT_EQ(family_text(few), family_text(any));
  EXPECT_FALSE(same_but_for_size(few, any));
  EXPECT_TRUE(same_but_for_hints(few, any));
  Problem larger = any;
  larger.size *= 2;
  EXPECT_TRUE(same_but_for_hints(few, larger));
  larger.input = larger.output = Type::u32;
  EXPECT_FALSE(same_but_for_hints(few, larger));
}

TEST(Density, NoneIsNearerThanAnother) {
  EXPECT_EQ(density_distance(Density::few, Density::few), 0);
  EXPECT_LT(density_distance(Density::unknown, Density::few), density_distance(Density::some, Density::few));
  EXPECT_LT(density_distance(Density::some, Density::few), density_distance(Density::half, Density::few));
  EXPECT_LT(density_distance(Density::half, Density::unknown), density_distance(Density::few, Density::unknown));
}

}  // namespace
}  // namespace upsweep
