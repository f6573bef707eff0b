// Mistyped names, and the names that people use for types, operators and algorithms.
#include "generator/names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/aliases.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::vector<std::string> parameters{"threads_per_block", "items_per_thread", "block_scan", "lookback_window"};

TEST(Names, NearOnesAreFewEditsAway) {
  EXPECT_THAT(near_names("thread_per_block", parameters), ElementsAre("threads_per_block"));
  EXPECT_THAT(near_names("treads_per_blocks", parameters), ElementsAre("threads_per_block"));
  EXPECT_THAT(near_names("blokc_scan", parameters), ElementsAre("block_scan")) << "a swap is one edit";
  EXPECT_THAT(near_names("Block_Scan", parameters), ElementsAre("block_scan")) << "case does not count";
  EXPECT_THAT(near_names("warp_speed", parameters), IsEmpty());
  EXPECT_THAT(near_names("", parameters), IsEmpty());
  EXPECT_THAT(near_names(std::string(100'000, 'x'), parameters), IsEmpty());
}

TEST(Names, NearOnesBeginAlikeOrHaveTheWord) {
  EXPECT_THAT(near_names("items", parameters), ElementsAre("items_per_thread"));
  EXPECT_THAT(near_names("look", parameters), ElementsAre("lookback_window"));
  EXPECT_THAT(near_names("block", parameters), ElementsAre("threads_per_block", "block_scan"));
  EXPECT_THAT(near_names("ock", parameters), IsEmpty()) << "neither a beginning nor a word";
  EXPECT_THAT(near_names("H200", std::vector<std::string>{"NVIDIA H100", "NVIDIA H200"}), ElementsAre("NVIDIA H200"));
}

TEST(Names, ShortOnesAreNotAllNearEachOther) {
  const std::vector<std::string> types{"i8", "u8", "f16", "f32"};
  EXPECT_THAT(near_names("x", types), IsEmpty());
  EXPECT_THAT(near_names("f31", types), ElementsAre("f32"));
}

TEST(Names, UnknownOneIsToldWithTheAlternatives) {
  EXPECT_EQ(unknown_name("operator", "plux", std::vector<std::string>{"plus", "maximum"}),
            "unknown operator 'plux': did you mean 'plus'? use one of plus, maximum");
  EXPECT_EQ(unknown_name("parameter", "colour", parameters, "of schedule lookback"),
            "unknown parameter 'colour' of schedule lookback: use one of threads_per_block, items_per_thread, "
            "block_scan, lookback_window");
  EXPECT_LT(unknown_name("verb", std::string(100'000, 'x'), parameters).size(), 400u);
}

TEST(Aliases, AreTakenWhereSomebodyTypes) {
  for (const char* text : {"plus", "sum", "add", "+"}) EXPECT_EQ(operator_named(text), Operator::plus) << text;
  for (const char* text : {"product", "mul", "*"}) EXPECT_EQ(operator_named(text), Operator::multiplies) << text;
  EXPECT_EQ(operator_named("min"), Operator::minimum);
  EXPECT_EQ(operator_named("max"), Operator::maximum);
  EXPECT_EQ(operator_named("&"), Operator::bit_and);
  EXPECT_EQ(operator_named("or"), Operator::bit_or);
  EXPECT_EQ(operator_named("^"), Operator::bit_xor);
  for (const char* text : {"i32", "int", "int32", "int32_t"}) EXPECT_EQ(type_named(text), Type::i32) << text;
  EXPECT_EQ(type_named("uint8"), Type::u8);
  EXPECT_EQ(type_named("unsigned long long"), Type::u64);
  for (const char* text : {"float", "float32"}) EXPECT_EQ(type_named(text), Type::f32) << text;
  EXPECT_EQ(type_named("double"), Type::f64);
  EXPECT_EQ(type_named("half"), Type::f16);
  EXPECT_EQ(type_named("bfloat16"), Type::bf16);
  EXPECT_EQ(type_named("complex64"), Type::c64) << "as NumPy: two f32";
  EXPECT_EQ(type_named("complex128"), Type::c128);
  EXPECT_EQ(algorithm_named("exclusive"), Algorithm::exclusive_scan);
}

TEST(Aliases, AreNotNamesOfStoredText) {
  EXPECT_THROW((void)parse_operator("sum"), UsageError);
  EXPECT_THROW((void)parse_type("int"), UsageError);
  EXPECT_THROW((void)parse_algorithm("exclusive"), UsageError);
}

// One name stands for one value, and every canonical name for itself.
TEST(Aliases, AreUnambiguous) {
  for (const Type type : all_types()) {
    EXPECT_EQ(type_named(name(type)), type);
    for (const std::string_view alias : entry_of(type).aliases) EXPECT_EQ(type_named(alias), type) << alias;
  }
  for (const auto operators : {all_operators(), all_nonassociative_operators(), all_predicates()}) {
    for (const Operator op : operators) {
      EXPECT_EQ(operator_named(name(op)), op);
      for (const std::string_view alias : entry_of(op).aliases) EXPECT_EQ(operator_named(alias), op) << alias;
    }
  }
  for (const Algorithm algorithm : all_algorithms()) {
    EXPECT_EQ(algorithm_named(name(algorithm)), algorithm);
    for (const std::string_view alias : entry_of(algorithm).aliases)
      EXPECT_EQ(algorithm_named(alias), algorithm) << alias;
  }
}

TEST(Aliases, UnknownNamesAreToldWithWhatWasMeant) {
  const std::string plux = message_of<UsageError>([] { (void)operator_named("plux"); });
  EXPECT_THAT(plux, StartsWith("unknown operator 'plux': did you mean 'plus'? use one of plus, multiplies, minimum, "));
  EXPECT_THAT(plux, HasSubstr("(or sum, add, +,"));
  EXPECT_THAT(message_of<UsageError>([] { (void)operator_named("summ"); }), HasSubstr("did you mean 'plus'?"))
      << "meant is sum";
  EXPECT_THAT(message_of<UsageError>([] { (void)type_named("floot"); }), HasSubstr("did you mean 'f32'?"));
  EXPECT_THAT(message_of<UsageError>([] { (void)operator_named("zzz"); }), Not(HasSubstr("did you mean")));
}

TEST(Aliases, WhatMayBeTwoThingsIsAskedBack) {
  EXPECT_EQ(
      message_of<UsageError>([] { (void)algorithm_named("scan"); }),
      "the algorithm 'scan' is ambiguous: use inclusive_scan (result i includes item i) or exclusive_scan (result i "
      "does not include item i)");
  EXPECT_THAT(message_of<UsageError>([] { (void)type_named("char"); }), HasSubstr("use i8 or u8"));
  EXPECT_THAT(message_of<UsageError>([] { (void)type_named("long"); }), HasSubstr("use i32 or i64"));
}

}  // namespace
}  // namespace upsweep
