// How near problems are: the one place that judges it, held against the rules as they were first written down.
#include "generator/problem_family.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "base/hash.hpp"
#include "generator/definitions.hpp"
#include "tests/support/defined.hpp"

namespace upsweep {
namespace {

// Every valid problem of the built-in types whose three types are among a few of each width and kind, and some of
// definitions.
std::vector<Problem> many_problems() {
  std::vector<Problem> problems = built_in_problems();
  const auto add = [&](const Problem& problem) {
    try {
      validate(problem);
      problems.push_back(problem);
    } catch (const UsageError&) {
    }
  };
  for (const Type type : all_types()) add(make_problem(Algorithm::adjacent_difference, minus, type, type, 1000));
  for (const Algorithm algorithm : all_algorithms()) {
    if (algorithm == Algorithm::adjacent_difference) continue;  // as scans but for the schedules
    for (const Operator op : all_operators()) {
      for (const Type type : all_types()) add(make_problem(algorithm, op, type, type, 1000));
    }
    for (const Type input : {Type::u8, Type::f16, Type::i32, Type::f32, Type::c64}) {
      for (const Type accumulator : {Type::i32, Type::f32, Type::i64, Type::f64, Type::c64}) {
        for (const Type output : {Type::i32, Type::f32, Type::f64, Type::c128}) {
          Problem problem = make_problem(algorithm, Operator::plus, input, accumulator, 5);
          problem.output = output;
          add(problem);
        }
      }
    }
    add(test::problem_of<test::Map>(algorithm, 5));
    add(test::problem_of<test::Vector3>(algorithm, 5));
  }
  add(make_problem(test::negated_scan(), Operator::plus, Type::i32, Type::i32, 5));
  return problems;
}

// The rules, plainly.

// Keys are newer than the rules.
bool has_same_key_width(const Problem& a, const Problem& b) {
  return a.key.has_value() == b.key.has_value() && (!a.key || size_of(*a.key) == size_of(*b.key));
}

bool had_same_widths(const Problem& a, const Problem& b) {
  const bool differs_a = a.algorithm == Algorithm::adjacent_difference,
             differs_b = b.algorithm == Algorithm::adjacent_difference;  // with schedules of its own
  return has_same_key_width(a, b) && entry_of(a).emission == entry_of(b).emission && differs_a == differs_b &&
         size_of(a.input) == size_of(b.input) && size_of(a.accumulator) == size_of(b.accumulator) &&
         size_of(a.output) == size_of(b.output);
}

bool had_same_cost(Operator a, Operator b) {
  const OperatorCost cost = entry_of(a).cost;
  return a == b || (cost != OperatorCost::unknown && cost == entry_of(b).cost);
}

// The winners of a scan serve its reverse.
Algorithm forward(const Problem& problem) {
  return entry_of(problem).reverse_of.value_or(problem.algorithm);
}

bool could_serve(const Problem& a, const Problem& b) {
  return forward(a) == forward(b) && had_same_cost(a.op, b.op) && size_of(a.input) == size_of(b.input) &&
         size_of(a.accumulator) == size_of(b.accumulator) && size_of(a.output) == size_of(b.output);
}

bool had_same_kinds(const Problem& a, const Problem& b) {
  const auto same = [](Type x, Type y) {
    return x == y ||
           (is_floating(x) == is_floating(y) && is_complex(x) == is_complex(y) && is_number(x) && is_number(y));
  };
  return same(a.input, b.input) && same(a.accumulator, b.accumulator) && same(a.output, b.output);
}

bool were_the_same(const Problem& a, const Problem& b) {
  return a.algorithm == b.algorithm && a.op == b.op && a.input == b.input && a.accumulator == b.accumulator &&
         a.output == b.output;
}

Nearness plain_nearness(const Problem& a, const Problem& b) {
  if (were_the_same(a, b)) return Nearness::same_problem;
  if (could_serve(a, b)) return had_same_kinds(a, b) ? Nearness::same_kinds : Nearness::may_serve;
  return had_same_widths(a, b) ? Nearness::same_widths : Nearness::unrelated;
}

TEST(Nearness, IsThatOfThePlainRulesForAllPairs) {
  const std::vector<Problem> problems = many_problems();
  ASSERT_GT(problems.size(), 400u);
  std::map<Nearness, std::size_t> found;
  for (const Problem& a : problems) {
    for (const Problem& b : problems) {
      ++found[nearness(a, b)];
      ASSERT_EQ(nearness(a, b), plain_nearness(a, b)) << to_string(a) << " and " << to_string(b);
    }
  }
  EXPECT_EQ(found.size(), 5u) << "some degree of nearness is not among the pairs";
}

// A later degree includes the earlier ones, also in the rules as they were.
TEST(Nearness, DegreesIncludeEachOther) {
  const std::vector<Problem> problems = many_problems();
  for (const Problem& a : problems) {
    for (const Problem& b : problems) {
      if (could_serve(a, b)) {
        ASSERT_TRUE(had_same_widths(a, b)) << to_string(a) << " and " << to_string(b);
      }
      if (were_the_same(a, b)) {
        ASSERT_TRUE(could_serve(a, b) && had_same_kinds(a, b)) << to_string(a);
      }
    }
  }
}

TEST(Nearness, SizesDoNotMatter) {
  const Problem small = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1);
  Problem large = small;
  large.size = std::uint64_t{1} << 40;
  EXPECT_EQ(nearness(small, large), Nearness::same_problem);
  EXPECT_TRUE(same_but_for_size(small, large));
  large.op = Operator::bit_or;
  EXPECT_EQ(nearness(small, large), Nearness::same_kinds);
  EXPECT_FALSE(same_but_for_size(small, large));
}

// Items that are selected by flags are bits: all types of a width are alike. Flags are compared, and so are the items
// of select_if.
TEST(Nearness, ItemsThatAreOnlyPassedOnAreBits) {
  const auto flagged = [](Type item, Type flag) {
    Problem problem = make_problem(Algorithm::select_flagged, not_equal_to, item, Type::u64);
    problem.output = item;
    problem.key = flag;
    return problem;
  };
  const auto selection = [](Type item) {
    Problem problem = make_problem(Algorithm::select_if, not_equal_to, item, Type::u64);
    problem.output = item;
    return problem;
  };
  EXPECT_EQ(nearness(flagged(Type::i32, Type::u8), flagged(Type::f32, Type::u8)), Nearness::same_kinds);
  EXPECT_EQ(nearness(flagged(Type::i64, Type::u8), flagged(Type::c64, Type::u8)), Nearness::same_kinds);
  EXPECT_EQ(nearness(flagged(Type::i32, Type::u8), flagged(Type::f64, Type::u8)), Nearness::unrelated);
  EXPECT_EQ(nearness(flagged(Type::i32, Type::u32), flagged(Type::i32, Type::f32)), Nearness::may_serve);
  EXPECT_EQ(nearness(selection(Type::i32), selection(Type::f32)), Nearness::may_serve);
  EXPECT_EQ(family_text(flagged(Type::f32, Type::u8)),
            "3/compact/4,8,4,1/select_flagged/comparison/bits,integer,bits,integer/");
}

TEST(FamilyText, SaysWhatNearnessIsJudgedBy) {
  const Problem problem = make_problem(Algorithm::reduce, Operator::maximum, Type::u8, Type::f64, 5);
  EXPECT_EQ(family_text(problem), "3/at_end/1,8,8/reduce/extremum/integer,floating,floating/");
  EXPECT_EQ(family_text(problem, Nearness::may_serve), "3/at_end/1,8,8/reduce/extremum/");
  EXPECT_EQ(family_text(problem, Nearness::same_widths), "3/at_end/1,8,8/");
  EXPECT_EQ(family_text(problem, Nearness::unrelated), family_rule);
  const Problem own = test::problem_of<test::Map>(Algorithm::inclusive_scan, 5);
  const std::string op(name(own.op)), type(name(own.input));
  EXPECT_EQ(family_text(own), "3/dense/8,8,8/inclusive_scan/" + op + "/" + type + "," + type + "," + type + "/");
}

TEST(FamilyText, BeginsAlikeForThoseThatAreNear) {
  constexpr std::array levels{Nearness::unrelated, Nearness::same_widths, Nearness::may_serve, Nearness::same_kinds};
  const std::vector<Problem> problems = many_problems();
  std::vector<std::string> texts;
  for (const Problem& problem : problems) texts.push_back(family_text(problem));
  for (const Problem& a : problems) {
    std::array<std::string, levels.size()> begins;
    for (std::size_t k = 0; k < levels.size(); ++k) begins[k] = family_text(a, levels[k]);
    for (std::size_t b = 0; b < problems.size(); ++b) {
      const Nearness near = nearness(a, problems[b]);
      for (std::size_t k = 0; k < levels.size(); ++k) {
        ASSERT_EQ(texts[b].starts_with(begins[k]), near >= levels[k]) << to_string(a) << ", " << to_string(problems[b]);
      }
    }
  }
}

// Databases hold these texts, and find rows by them. Where this fails, give family_rule another number: rows with texts
// of the earlier rule are then judged anew. After that correct the hash. What is added later needs no place here.
TEST(FamilyText, IsWhatDatabasesOfThisRuleHold) {
  std::string texts;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce}) {
    for (const char* op :
         {"plus", "multiplies", "minimum", "maximum", "bit_and", "bit_or", "bit_xor", "last_nonzero", "affine"}) {
      for (const char* type :
           {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64", "c64", "c128"}) {
        const Type each = parse_type(type);
        texts += family_text(make_problem(algorithm, parse_operator(op), each, each)) + '\n';
      }
    }
  }
  EXPECT_EQ(base::hash(texts), "00d33ca7e844f5360b87e473eeccc996");
}

}  // namespace
}  // namespace upsweep
