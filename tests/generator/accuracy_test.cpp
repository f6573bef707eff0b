// The accuracy of sums: its names, which problems have one, and what sources are made of it.
#include "generator/accuracy.hpp"

#include <array>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "generator/problem_family.hpp"
#include "generator/problem_json.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Problem sum_with(Accuracy accuracy, Type type = Type::f32, Algorithm algorithm = Algorithm::reduce) {
  Problem problem = make_problem(algorithm, plus, type, type, 1000);
  problem.accuracy = accuracy;
  return problem;
}

std::string refusal_of(const Problem& problem) {
  return test::error_of<UsageError>([&] { validate(problem); });
}

TEST(Accuracy, HasNames) {
  std::vector<std::string> names;
  for (const Accuracy accuracy : all_accuracies()) {
    names.emplace_back(name(accuracy));
    EXPECT_EQ(parse_accuracy(names.back()), accuracy);
  }
  EXPECT_THAT(names, testing::ElementsAre("plain", "kahan", "neumaier", "double_double", "binned"));
  EXPECT_EQ(test::error_of<UsageError>([] { (void)parse_accuracy("khan"); }),
            "unknown accuracy 'khan': did you mean 'kahan'? use one of plain, kahan, neumaier, double_double, binned");
  EXPECT_EQ(test::error_of<UsageError>([] { (void)parse_accuracy("pairwise"); }),
            "unknown accuracy 'pairwise': use one of plain, kahan, neumaier, double_double, binned");
}

TEST(Accuracy, IsForScansAndReducesByPlus) {
  for (const Algorithm algorithm : all_algorithms()) {
    const AlgorithmEntry& entry = entry_of(algorithm);
    const bool counts = entry.fold == Fold::counts || entry.fold == Fold::part_counts;
    Problem problem = problem_of(algorithm, entry.usual_operator.value_or(counts ? less : plus), Type::f32, {}, {});
    problem.accuracy = Accuracy::kahan;
    const bool sums = algorithm == Algorithm::reduce || algorithm == Algorithm::inclusive_scan ||
                      algorithm == Algorithm::exclusive_scan || algorithm == Algorithm::reverse_inclusive_scan ||
                      algorithm == Algorithm::reverse_exclusive_scan;
    EXPECT_EQ(refusal_of(problem), sums
                                       ? ""
                                       : std::string(name(algorithm)) +
                                             " has no sums with accuracy kahan: use a scan or reduce, or leave out the "
                                             "accuracy");
  }
  Problem problem = sum_with(Accuracy::neumaier);
  problem.op = maximum;
  EXPECT_EQ(refusal_of(problem),
            "accuracy neumaier is for the operator plus, not for maximum: use plus, or leave out the accuracy");
}

TEST(Accuracy, BinnedIsForReduces) {
  EXPECT_EQ(refusal_of(sum_with(Accuracy::binned)), "");
  for (const Algorithm scan : {Algorithm::inclusive_scan, Algorithm::reverse_exclusive_scan}) {
    EXPECT_EQ(refusal_of(sum_with(Accuracy::binned, Type::f32, scan)),
              std::string(name(scan)) + " has no sums with accuracy binned: use a reduce, or another accuracy");
  }
  EXPECT_THAT(refusal_of(sum_with(Accuracy::binned, Type::i32)), HasSubstr("not of i32"));
  Problem narrow = sum_with(Accuracy::binned, Type::f64);
  narrow.accumulator = narrow.output = Type::f32;
  EXPECT_THAT(refusal_of(narrow), HasSubstr("must not be rounded to f32"));
}

TEST(Accuracy, BinnedIsReproducibleInEverySchedule) {
  const Problem binned = sum_with(Accuracy::binned);
  const Space space(binned, limits_of_architecture("sm_90"));
  for (const Schedule* schedule : space.schedules()) {
    const Config config = space.complete({std::string(schedule->name()), {}});
    EXPECT_TRUE(is_reproducible(binned, config)) << schedule->name();
    EXPECT_TRUE(space.contains(config)) << schedule->name();
  }
  for (const std::uint64_t size : {1u << 10, 1u << 20, 1u << 24, 1u << 28}) {
    for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
      Problem sized = sum_with(Accuracy::binned, type);
      sized.size = size;
      const Space of_size(sized, limits_of_architecture("sm_90"));
      EXPECT_TRUE(of_size.contains(of_size.default_config())) << name(type) << " " << size;
    }
  }
}

TEST(Accuracy, IsForFloatingTypes) {
  for (const Type type : all_types()) {
    const bool is_real = is_floating(type) && !is_complex(type);
    EXPECT_EQ(refusal_of(sum_with(Accuracy::double_double, type)),
              is_real ? ""
                      : "accuracy double_double is for sums of f16, bf16, f32 and f64, not of " +
                            std::string(name(type)) + ": use one of these types, or leave out the accuracy");
    EXPECT_EQ(refusal_of(sum_with(Accuracy::plain, type)), "");
  }
  Problem integers = sum_with(Accuracy::kahan);
  integers.input = Type::i32;
  EXPECT_THAT(refusal_of(integers), HasSubstr("not of i32"));
  // No digit of an item is lost before it is added.
  Problem narrow = sum_with(Accuracy::kahan, Type::f64);
  narrow.accumulator = narrow.output = Type::f32;
  EXPECT_EQ(
      refusal_of(narrow),
      "with accuracy kahan, items of f64 must not be rounded to f32 before they are added: use f64 as accumulator");
  narrow.input = Type::f32;
  narrow.accumulator = Type::f16;  // kept in f32
  EXPECT_EQ(refusal_of(narrow), "");
}

TEST(Accuracy, IsSaidWithTheProblem) {
  EXPECT_EQ(to_string(sum_with(Accuracy::plain)), "reduce plus f32");
  EXPECT_EQ(to_string(sum_with(Accuracy::neumaier)), "reduce plus f32 (neumaier)");
}

TEST(Accuracy, IsAMemberOfTheKeyUnlessItIsPlain) {
  EXPECT_EQ(key_of(sum_with(Accuracy::plain)),
            R"({"accumulator":"f32","algorithm":"reduce","input":"f32","operator":"plus","output":"f32"})");
  EXPECT_EQ(
      key_of(sum_with(Accuracy::kahan)),
      R"({"accumulator":"f32","accuracy":"kahan","algorithm":"reduce","input":"f32","operator":"plus","output":"f32"})");
  for (const Accuracy accuracy : all_accuracies()) {
    Problem read = problem_of(names_of_key(key_of(sum_with(accuracy))));
    read.size = 1000;
    EXPECT_EQ(read, sum_with(accuracy));
  }
  ProblemNames names = names_of(sum_with(Accuracy::kahan));
  names["accuracy"] = "exact";
  EXPECT_THROW((void)problem_of(names), UsageError);
}

// What was measured of plain sums says nothing of these, and the methods are alike.
TEST(Accuracy, IsAFamilyOfItsOwn) {
  EXPECT_EQ(family_text(sum_with(Accuracy::plain)), "3/at_end/4,4,4/reduce/addition/floating,floating,floating/");
  EXPECT_EQ(family_text(sum_with(Accuracy::kahan)),
            "3/at_end/4,8,4/reduce/compensated_addition/floating,floating,floating/");
  EXPECT_EQ(nearness(sum_with(Accuracy::kahan), sum_with(Accuracy::plain)), Nearness::unrelated);
  EXPECT_EQ(nearness(sum_with(Accuracy::kahan), sum_with(Accuracy::double_double)), Nearness::same_kinds);
  EXPECT_FALSE(same_but_for_hints(sum_with(Accuracy::kahan), sum_with(Accuracy::double_double)));
  EXPECT_EQ(family_text(sum_with(Accuracy::binned)),
            "3/at_end/4,32,4/reduce/binned_addition/floating,floating,floating/");
  EXPECT_EQ(nearness(sum_with(Accuracy::binned), sum_with(Accuracy::kahan)), Nearness::unrelated);
  EXPECT_EQ(value_size(sum_with(Accuracy::binned, Type::bf16)), 24u);
  EXPECT_EQ(value_size(sum_with(Accuracy::binned, Type::f64)), 40u);
  Problem wide = sum_with(Accuracy::plain);
  wide.accumulator = Type::f64;
  EXPECT_EQ(nearness(sum_with(Accuracy::kahan), wide), Nearness::same_widths);
  EXPECT_EQ(value_size(sum_with(Accuracy::kahan, Type::f16)), 8u);
  EXPECT_EQ(value_size(sum_with(Accuracy::kahan, Type::f64)), 16u);
  EXPECT_EQ(value_size(sum_with(Accuracy::plain, Type::f16)), 2u);
}

TEST(Accuracy, ChoosesTheOperatorOfSources) {
  const Space space(sum_with(Accuracy::kahan, Type::f16), limits_of_architecture("sm_90"));
  const Config config = space.complete({"last_block", {}});
  EXPECT_FALSE(config.values.contains("arithmetic"));
  const std::string text = generate(space.problem(), config, Target::cuda).text;
  for (const char* part : {"reduce plus f16 (kahan)", "using Value = f16;", "using Accumulator = Compensated<float>;",
                           "  Value initial;", "operator/operator.plus_kahan.cuh", "target/cuda/rounding.cuh"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  const Space binned(sum_with(Accuracy::binned, Type::f16), space.limits());
  const std::string in_bins = generate(binned.problem(), config, Target::cuda).text;
  for (const char* part :
       {"reduce plus f16 (binned)", "using Value = f16;", "using Accumulator = Binned<float, 2, -24, 16>;",
        "  Value initial;", "operator/operator.plus_binned.cuh", "tile/thread_fold.binned.cuh"}) {
    EXPECT_THAT(in_bins, HasSubstr(part));
  }
  const Space plain(sum_with(Accuracy::plain, Type::f16), space.limits());
  const Config with_arithmetic = plain.complete({"last_block", {}});
  EXPECT_THAT(generate(plain.problem(), with_arithmetic, Target::cuda).text, Not(HasSubstr("Compensated")));
  EXPECT_THAT(generate(space.problem(), config, Target::host).text, HasSubstr("target/host/rounding.cuh"));
}

}  // namespace
}  // namespace upsweep
