// The one vocabulary of problems, and their keys.
#include "generator/problem_json.hpp"

#include <gmock/gmock.h>

#include "generator/definitions.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::HasSubstr;

Problem wide_reduce() {
  Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::u8, Type::i64, 1000);
  problem.output = Type::f64;
  return problem;
}

TEST(ProblemJson, HasItsMembersInReadingOrder) {
  EXPECT_EQ(json_of<ordered_json>(wide_reduce()).dump(),
            R"({"algorithm":"reduce","operator":"plus","input":"u8","accumulator":"i64","output":"f64","size":1000})");
}

TEST(ProblemJson, ReadsBackWhatItWrote) {
  for (const Problem& problem : built_in_problems()) {
    Problem read = problem_of(names_of_json(json_of<json>(problem), "it", {"size"}));
    EXPECT_EQ(read.size, 0u);
    read.size = problem.size;
    EXPECT_EQ(read, problem);
  }
}

TEST(ProblemJson, RefusesOtherMembers) {
  const auto after = [](const auto& change) {
    json object = json_of<json>(wide_reduce());
    change(object);
    return test::error_of<InputError>([&] { (void)names_of_json(object, "entry 3", {"size"}); });
  };
  EXPECT_EQ(after([](json&) {}), "");
  EXPECT_EQ(after([](json& object) { object["form"] = "i32"; }), "entry 3 has an unknown member 'form'");
  EXPECT_EQ(after([](json& object) { object.erase("output"); }), "entry 3 lacks the member 'output'");
  EXPECT_EQ(after([](json& object) { object["input"] = 5; }), "entry 3: 'input' must be a string");
  EXPECT_EQ(after([](json& object) { object = 5; }), "entry 3 is not a JSON object");
  EXPECT_EQ(test::error_of<InputError>([] { (void)names_of_json(json_of<json>(wide_reduce()), "entry 3"); }),
            "entry 3 has an unknown member 'size'");
}

TEST(ProblemKey, IsSortedJsonWithoutTheSize) {
  EXPECT_EQ(key_of(make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 7)),
            R"({"accumulator":"i32","algorithm":"reduce","input":"i32","operator":"plus","output":"i32"})");
  EXPECT_EQ(key_of(wide_reduce()),
            R"({"accumulator":"i64","algorithm":"reduce","input":"u8","operator":"plus","output":"f64"})");
  Problem larger = wide_reduce();
  larger.size *= 2;
  EXPECT_EQ(key_of(larger), key_of(wide_reduce()));
}

TEST(ProblemKey, ReadsBackWhatItWrote) {
  for (Problem problem : built_in_problems()) {
    problem.size = 0;
    EXPECT_EQ(problem_of(names_of_key(key_of(problem))), problem);
  }
}

TEST(ProblemKey, RefusesEveryOtherText) {
  const auto refused = [](const std::string& key) {
    return test::error_of<UsageError>([&] { (void)problem_of(names_of_key(key)); });
  };
  const std::string key = key_of(wide_reduce());
  EXPECT_EQ(refused(key), "");
  EXPECT_THAT(refused(""), HasSubstr("is not valid JSON"));
  EXPECT_THAT(refused("[]"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(refused(key + " "), HasSubstr("sort its members, without spaces"));
  EXPECT_THAT(refused(json_of<ordered_json>(names_of(wide_reduce()), 1).dump()), HasSubstr("unknown member 'size'"));
  EXPECT_THAT(refused(R"({"algorithm":"reduce","accumulator":"i64","input":"u8","operator":"plus","output":"f64"})"),
              HasSubstr("sort its members"));
  EXPECT_THAT(
      refused(
          R"({"accumulator":"i64","algorithm":"reduce","input":"u8","input":"u8","operator":"plus","output":"f64"})"),
      HasSubstr("sort its members"));
  EXPECT_THAT(refused(R"({"accumulator":"i64","algorithm":"reduce","input":"u8","operator":"plus"})"),
              HasSubstr("lacks the member 'output'"));
  EXPECT_THAT(refused(R"({"accumulator":"i64","algorithm":"reduce","input":"u8","operator":"plux","output":"f64"})"),
              HasSubstr("unknown operator 'plux'"));
  EXPECT_THAT(refused(R"({"accumulator":"i64","algorithm":"reduce","input":null,"operator":"plus","output":"f64"})"),
              HasSubstr("'input' must be a string"));
}

TEST(ProblemKey, TellsOfDefinitionsThatAreNotMade) {
  ProblemNames names = names_of(wide_reduce());
  EXPECT_FALSE(lacks_definitions(names));
  names["operator"] = "add@6f1c0d6e2a9b4c57";
  EXPECT_TRUE(lacks_definitions(names));
  EXPECT_EQ(names_of_key(key_of(names)), names) << "a key can name them";
  EXPECT_THAT(test::error_of<UsageError>([&] { (void)problem_of(names); }), HasSubstr("not defined in this process"));
  names["input"] = "i33";
  EXPECT_FALSE(lacks_definitions(names)) << "that is no definition's name";
  for (const char* text : {"add", "add@", "@6f1c0d6e2a9b4c57", "add@6f1c0d6e2a9b4c5", "add@6f1c0d6e2a9b4c571",
                           "add@6F1C0D6E2A9B4C57", "a b@6f1c0d6e2a9b4c57", "1@6f1c0d6e2a9b4c57", ""}) {
    EXPECT_FALSE(is_name_of_definition(text)) << text;
  }
}

TEST(ProblemKey, NamesDefinitionsThatAreMade) {
  Problem problem = make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 0);
  EXPECT_FALSE(has_definitions(problem));
  problem.op = define_operator({.name = "key_test_sum",
                                .type = Type::i32,
                                .text = "__device__ i32 key_test_sum(i32 a, i32 b) { return a + b; }"});
  EXPECT_TRUE(has_definitions(problem));
  EXPECT_FALSE(lacks_definitions(names_of(problem)));
  EXPECT_THAT(key_of(problem), HasSubstr("\"operator\":\"key_test_sum@"));
  EXPECT_EQ(problem_of(names_of_key(key_of(problem))), problem);
}

}  // namespace
}  // namespace upsweep
