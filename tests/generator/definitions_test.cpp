#include "generator/definitions.hpp"

#include <gmock/gmock.h>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "generator/catalogues.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/defined.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/scans.hpp"

namespace upsweep {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TypeDefinition pair_of_floats() {
  return {.name = "Pair",
          .size = 8,
          .alignment = 4,
          .fields = {{Type::f32, 0}, {Type::f32, 4}},
          .text = "struct Pair { float a, b; };"};
}

template <typename Definition>
std::string refusal(const Definition& definition) {
  return test::message_of<UsageError>([&] {
    if constexpr (std::is_same_v<Definition, TypeDefinition>) {
      define_type(definition);
    } else if constexpr (std::is_same_v<Definition, OperatorDefinition>) {
      define_operator(definition);
    } else {
      define_algorithm(definition);
    }
  });
}

TEST(Definitions, AreInternedByTheirContent) {
  const Type first = define_type(pair_of_floats());
  EXPECT_EQ(define_type(pair_of_floats()), first);
  EXPECT_EQ(parse_type(name(first)), first);
  EXPECT_THAT(std::string(name(first)), StartsWith("Pair@"));
  TypeDefinition other = pair_of_floats();
  other.text += " // another";
  EXPECT_NE(define_type(other), first);
  other = pair_of_floats();
  other.fields[1].type = Type::i32;
  EXPECT_NE(define_type(other), first);

  EXPECT_EQ(test::Map::op(), test::Map::op());
  OperatorDefinition commutes = *definition_of(test::Map::op());
  commutes.commutative = true;
  EXPECT_NE(define_operator(commutes), test::Map::op()) << "properties are a part of it";
  commutes = *definition_of(test::Map::op());
  commutes.identity = test::Map::scalar({1, 1});
  EXPECT_NE(define_operator(commutes), test::Map::op());
}

TEST(Definitions, BuiltInOnesComeFirstAndAreAllThatIsListed) {
  const Type defined = define_type(pair_of_floats());
  EXPECT_EQ(all_types().size(), 14u);
  EXPECT_EQ(all_types()[static_cast<std::size_t>(Type::c128)], Type::c128);
  EXPECT_EQ(all_operators().size(), 9u);
  EXPECT_EQ(all_nonassociative_operators().size(), 1u);
  EXPECT_EQ(all_predicates().size(), 6u);
  EXPECT_EQ(all_algorithms().size(), 19u);
  EXPECT_GE(static_cast<std::size_t>(defined), all_types().size());
  EXPECT_FALSE(definition_of(Type::f32));
  EXPECT_FALSE(definition_of(Operator::plus));
  EXPECT_FALSE(definition_of(Algorithm::reduce));
}

TEST(Definitions, CanBeReadBack) {
  const TypeDefinition type = *definition_of(define_type(pair_of_floats()));
  EXPECT_EQ(type.name, "Pair");
  EXPECT_EQ(type.text, pair_of_floats().text);
  EXPECT_EQ(type.fields, pair_of_floats().fields);
  const OperatorDefinition op = *definition_of(test::Map::op());
  EXPECT_EQ(op.identity, test::Map::scalar({1, 0}));
  EXPECT_EQ(define_operator(op), test::Map::op());
  EXPECT_EQ(define_algorithm(*definition_of(test::negated_scan())), test::negated_scan());
}

TEST(Definitions, WhatIsLeftOutHasTheSafeAnswer) {
  const Operator op =
      define_operator({.name = "first", .type = Type::i32, .text = "int first(int a, int) { return a; }"});
  EXPECT_FALSE(is_commutative(op));
  EXPECT_FALSE(is_exact(op, Type::i32));
  EXPECT_FALSE(has_identity(op));
  EXPECT_EQ(entry_of(op).cost, OperatorCost::unknown);
  EXPECT_THROW(validate(op, Type::i64), UsageError);
  EXPECT_THROW((void)identity(op, Type::i32), UsageError);
}

TEST(Definitions, TypesThatCannotBeAreRefused) {
  const auto with = [](auto change) {
    TypeDefinition definition = pair_of_floats();
    change(definition);
    return refusal(definition);
  };
  EXPECT_THAT(with([](auto& d) { d.name = "a b"; }), HasSubstr("use letters, digits and underscores"));
  EXPECT_THAT(with([](auto& d) { d.name = "f32"; }), HasSubstr("is built in: use another name"));
  EXPECT_THAT(with([](auto& d) { d.text = " \n"; }), HasSubstr("has no text"));
  EXPECT_THAT(with([](auto& d) { d.size = 0; }), HasSubstr("has 0 bytes: use 1 to 16"));
  EXPECT_THAT(with([](auto& d) { d.size = 24; }), HasSubstr("has 24 bytes: use 1 to 16"));
  EXPECT_THAT(with([](auto& d) { d.alignment = 3; }), HasSubstr("a power of two that divides the size"));
  EXPECT_THAT(with([](auto& d) { d.alignment = 16; }), HasSubstr("a power of two that divides the size"));
  EXPECT_THAT(with([](auto& d) { d.fields.clear(); }), HasSubstr("has no fields"));
  EXPECT_THAT(with([](auto& d) { d.fields[1].offset = 2; }), HasSubstr("field of type f32 at byte 2"));
  EXPECT_THAT(with([](auto& d) { d.fields[1].offset = 8; }), HasSubstr("has fields up to byte 12, but 8 bytes"));
  EXPECT_THAT(with([](auto& d) { d.fields[1].offset = 0xfffffffc; }), HasSubstr("but 8 bytes"));
  EXPECT_THAT(with([](auto& d) { d.fields = {{Type::f64, 0}}; }), HasSubstr("its field of type f64 needs 8"));
  EXPECT_THAT(with([](auto& d) { d.text = "struct Pair { float a, b; }; // \xe9"; }), HasSubstr("is not UTF-8"));
  EXPECT_THAT(with([](auto& d) { d.fields[0].type = define_type(pair_of_floats()); }), HasSubstr("not built in"));
}

TEST(Definitions, OperatorsAndAlgorithmsThatCannotBeAreRefused) {
  OperatorDefinition op = *definition_of(test::Map::op());
  op.identity = Scalar::of(1);
  EXPECT_THAT(refusal(op), HasSubstr("has type i32: pass a value of type Map@"));
  op.name = "plus";
  EXPECT_THAT(refusal(op), HasSubstr("the operator 'plus' is built in"));
  op = *definition_of(test::Map::op());
  op.name = "Map";
  EXPECT_THAT(refusal(op), HasSubstr("has the name of its type"));
  EXPECT_THAT(refusal(AlgorithmDefinition{.name = "reduce", .text = "x"}), HasSubstr("'reduce' is built in"));
  EXPECT_THAT(refusal(AlgorithmDefinition{.name = "empty"}), HasSubstr("has no text"));
}

TEST(Definitions, StructuresAreNotConverted) {
  Problem problem = test::problem_of<test::Map>(Algorithm::reduce, 100);
  validate(problem);
  problem.output = Type::u64;
  EXPECT_THROW(validate(problem), UsageError);
  problem.output = problem.accumulator;
  problem.input = Type::u64;
  EXPECT_THROW(validate(problem), UsageError);
}

TEST(Definitions, ValuesHaveText) {
  EXPECT_EQ(to_string(test::Vector3::scalar({{1, -2.5f, 0}})), "{1, -2.5, 0}");
  EXPECT_EQ(to_string(test::Map::scalar({7, 4294967295u})), "{7, 4294967295}");
  EXPECT_THROW((void)parse_scalar(test::Map::type(), "{1, 2}"), UsageError);
  EXPECT_THROW((void)Scalar::of(test::Map::type(), 1.0f), UsageError) << "another size";
}

TEST(Definitions, SourcesHoldTheTextInANamespaceWithItsLines) {
  const Problem problem = test::problem_of<test::Map>(Algorithm::inclusive_scan, 1000);
  const Space space(problem, limits_of_architecture("sm_90"));
  const Source source = generate(problem, space.complete({"single_block", {}}), Target::cuda);
  EXPECT_THAT(source.text, HasSubstr("namespace user {\n#line 1 \"type Map\"\nstruct Map {\n  u32 m, c;\n};\n"));
  EXPECT_THAT(source.text, HasSubstr("#line 1 \"operator compose\"\n__device__ Map compose(Map a, Map b) {"));
  EXPECT_THAT(source.text, HasSubstr("using Input = user::Map;"));
  EXPECT_THAT(source.text, HasSubstr("static_assert(sizeof(user::Map) == 8,"));
  EXPECT_THAT(source.text, HasSubstr("return user::compose(a, b);"));
}

// Bytes, of which a value has so many.
Problem of_bytes(Algorithm algorithm, std::uint32_t size, std::uint32_t alignment, bool commutative, std::uint64_t n) {
  TypeDefinition definition{.name = "Bytes", .size = size, .alignment = alignment, .text = "struct Bytes;"};
  for (std::uint32_t i = 0; i < size; ++i) definition.fields.push_back({Type::u8, i});
  const Type type = define_type(definition);
  const Operator op = define_operator({.name = "any", .type = type, .commutative = commutative, .text = "any"});
  return make_problem(algorithm, op, type, type, n);
}

TEST(Definitions, DefaultsAreInTheSpaceForEverySizeOfAType) {
  for (const char* const architecture : {"sm_75", "sm_90"}) {
    const DeviceLimits limits = limits_of_architecture(architecture);
    for (std::uint32_t size = 1; size <= 16; ++size) {
      for (const std::uint32_t alignment : {1u, 2u, 4u, 8u, 16u}) {
        if (size % alignment != 0) continue;
        for (const Algorithm algorithm : test::scans_and_reduces) {
          for (int exponent = 0; exponent <= 28; exponent += 2) {
            for (const bool commutative : {false, true}) {
              const Space space(of_bytes(algorithm, size, alignment, commutative, std::uint64_t{1} << exponent),
                                limits);
              EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>())
                  << architecture << ", " << size << " bytes aligned to " << alignment << ", 2^" << exponent;
              EXPECT_FALSE(space.seed_configs().empty());
            }
          }
        }
      }
    }
  }
}

TEST(Definitions, PaddingOfAnIdentityIsNoPartOfTheOperator) {
  OperatorDefinition definition = *definition_of(test::Padded::op());
  Scalar identity = test::Padded::scalar({1, 2});
  definition.identity = identity;
  const Operator first = define_operator(definition);
  identity.bytes[13] = std::byte{77};
  definition.identity = identity;
  EXPECT_EQ(define_operator(definition), first);
}

template <typename T>
void expect_valid_defaults() {
  for (const char* const architecture : {"sm_75", "sm_80", "sm_90", "sm_120"}) {
    const DeviceLimits limits = limits_of_architecture(architecture);
    for (const Algorithm algorithm : test::scans_and_reduces) {
      for (int exponent = 0; exponent <= 30; ++exponent) {
        for (const std::uint64_t n : {std::uint64_t{1} << exponent, (std::uint64_t{3} << exponent) / 2}) {
          const Space space(test::problem_of<T>(algorithm, n), limits);
          EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>())
              << architecture << " " << to_string(space.problem()) << " " << n;
          EXPECT_FALSE(space.seed_configs().empty());
        }
      }
    }
  }
}

TEST(Definitions, DefaultsAreInTheSpaceAtEverySize) {
  expect_valid_defaults<test::Map>();
  expect_valid_defaults<test::Vector3>();
  expect_valid_defaults<test::Color>();
  expect_valid_defaults<test::Wide>();
}

template <typename T>
void expect_valid_defaults_along_axes() {
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const auto& [length, inner] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {4, 16}, {16, 64}, {64, 3}, {64, 1000}, {1024, 64}, {16384, 16}, {65536, 4}, {1 << 20, 1 << 10}}) {
      for (const int exponent : {10, 18, 22, 26, 32}) {
        Problem problem = along_axis(test::problem_of<T>(algorithm, 1), axis(1, length, inner));
        problem.size = std::uint64_t{1} << exponent;
        for (const DeviceLimits& limits :
             {DeviceLimits{}, limits_of_architecture("sm_75"), limits_of_architecture("sm_90")}) {
          const Space space(problem, limits);
          EXPECT_EQ(space.violations(space.default_config()), std::vector<std::string>())
              << to_string(problem) << " " << problem.size << ", " << limits.compute_capability;
        }
      }
    }
  }
}

TEST(Definitions, AreReducedByAxisBlocksByDefault) {
  Problem problem = along_axis(test::problem_of<test::Color>(Algorithm::reduce, 1), axis(1, 64, 64));
  for (const int exponent : {12, 20, 26}) {
    problem.size = std::uint64_t{1} << exponent;
    const Space space(problem, limits_of_architecture("sm_90"));
    EXPECT_EQ(space.default_config().schedule, "axis_blocks") << exponent;
  }
}

TEST(Definitions, DefaultsAlongAxesAreInTheSpace) {
  expect_valid_defaults_along_axes<test::Map>();
  expect_valid_defaults_along_axes<test::Vector3>();
  expect_valid_defaults_along_axes<test::Color>();
  expect_valid_defaults_along_axes<test::Wide>();
}

TEST(Definitions, NamesThatAreNotDefinedSayWhatToDo) {
  EXPECT_THAT(test::message_of<UsageError>([&] { (void)parse_type("Nobody@0123456789abcdef"); }),
              HasSubstr("is not defined in this process: define it first"));
}

TEST(Definitions, SchedulesThatNeedVectorsDoNotTakeOtherSizes) {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  const auto has = [&](const Problem& problem, std::string_view name) {
    const Space space(problem, limits);
    return std::any_of(space.schedules().begin(), space.schedules().end(),
                       [&](const Schedule* schedule) { return schedule->name() == name; });
  };
  EXPECT_TRUE(has(test::problem_of<test::Wide>(Algorithm::inclusive_scan, 1000), "lookahead"));
  EXPECT_FALSE(has(test::problem_of<test::Vector3>(Algorithm::inclusive_scan, 1000), "lookahead"));
  EXPECT_FALSE(has(test::problem_of<test::Map>(Algorithm::inclusive_scan, 1000), "lookahead")) << "aligned to 4 only";
  EXPECT_TRUE(has(test::problem_of<test::Vector3>(Algorithm::inclusive_scan, 1000), "lookback"));
}

}  // namespace
}  // namespace upsweep
