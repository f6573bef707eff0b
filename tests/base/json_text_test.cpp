#include "base/json_text.hpp"
#include "tests/support/message_of.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace upsweep::base {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string nested(int levels) {
  return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
}

std::string refusal_of(const std::string& text, std::size_t longest = longest_json) {
  SCOPED_TRACE(text.substr(0, 100));
  return test::message_of<BadJson>([&] { (void)parse_json<json>(text, longest); });
}

TEST(JsonText, ReadsWhatIsJson) {
  EXPECT_EQ(parse_json<json>(R"({"a":[1,2.5,"x"],"b":null})").at("a").at(1), 2.5);
  EXPECT_EQ(parse_json<nlohmann::ordered_json>(R"({"b":1,"a":2})").dump(), R"({"b":1,"a":2})");
  EXPECT_EQ(parse_json<json>(nested(deepest_json)).dump(), nested(deepest_json));
}

TEST(JsonText, BracketsInStringsDoNotNest) {
  const std::string brackets(1000, '[');
  EXPECT_EQ(parse_json<json>("[\"" + brackets + "\"]").at(0), brackets);
  EXPECT_EQ(parse_json<json>(R"(["\\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["])").at(0).get<std::string>().size(),
            42u);
  EXPECT_THAT(refusal_of("[\"\\\\\"," + nested(40) + "]"), HasSubstr("nested more than 32 levels deep"))
      << "the string ends at \\\\\"";
}

TEST(JsonText, RefusesWhatNestsTooDeep) {
  for (const int levels : {deepest_json + 1, 1'000'000}) {
    EXPECT_EQ(refusal_of(nested(levels)), "its brackets are nested more than 32 levels deep");
  }
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(refusal_of(objects), "its brackets are nested more than 32 levels deep");
}

TEST(JsonText, RefusesWhatIsTooLong) {
  EXPECT_EQ(refusal_of("[1,2,3]", 6), "the text has 7 bytes, but at most 6 are allowed");
  EXPECT_EQ(parse_json<json>("[1,2,3]", 7).size(), 3u);
}

TEST(JsonText, SaysWhatIsWrongInFewWords) {
  EXPECT_THAT(refusal_of("[1,"),
              AllOf(StartsWith("parse error at line 1, column 4"), Not(HasSubstr("json.exception"))));
  EXPECT_THAT(refusal_of("1e999"), HasSubstr("number overflow"));
  EXPECT_LT(refusal_of("[\"" + std::string(10'000'000, 'x')).size(), 300u);
  EXPECT_LT(refusal_of(std::string(10'000'000, '7') + "e").size(), 300u);
}

}  // namespace
}  // namespace upsweep::base
