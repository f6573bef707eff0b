#include <upsweep/config.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/config_json.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using ::testing::HasSubstr;

TEST(Config, JsonRoundTrip) {
  const Config config{.schedule = "lookback", .values = {{"items_per_thread", 16}, {"load", "direct"}}};
  EXPECT_EQ(to_json(config), R"({"schedule":"lookback","items_per_thread":16,"load":"direct"})");
  EXPECT_EQ(config_from_json(to_json(config)), config);
}

TEST(Config, RefusesWhatIsNoConfig) {
  for (const char* text :
       {"", "{", "[]", "3", R"({"schedule":3})", R"({"schedule":"a","x":1.5})", R"({"schedule":"a","x":null})",
        R"({"schedule":"a","x":18446744073709551615})", R"({"schedule":"a","x":[1]})"}) {
    EXPECT_THROW((void)config_from_json(text), UsageError) << text;
  }
}

// What somebody writes may leave the schedule out; what is stored may not.
TEST(Config, MayLackItsScheduleUnlessItIsStored) {
  EXPECT_EQ(config_from_json(R"({"x":1})"), (Config{.schedule = {}, .values = {{"x", 1}}}));
  EXPECT_EQ(config_from_json("{}"), Config{});
  for (const char* text : {"{}", R"({"x":1})", R"({"schedule":""})"}) {
    EXPECT_THROW((void)stored_config_from_json(text), UsageError) << text;
  }
  EXPECT_EQ(stored_config_from_json(R"({"schedule":"a","x":1})"), config_from_json(R"({"schedule":"a","x":1})"));
}

std::string config_refusal(const std::string& text) {
  SCOPED_TRACE(text.substr(0, 100));
  return test::message_of<UsageError>([&] { (void)config_from_json(text); });
}

TEST(Config, RefusesHugeOnesAtOnce) {
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  EXPECT_THAT(config_refusal(deep), HasSubstr("its brackets are nested more than 32 levels deep"));
  EXPECT_THAT(config_refusal("{\"schedule\":" + deep + "}"),
              HasSubstr("its brackets are nested more than 32 levels deep"));
  std::string many = "{\"schedule\":\"lookback\"";
  for (int i = 0; i < 64; ++i) many += ",\"p" + std::to_string(i) + "\":1";
  EXPECT_THAT(config_refusal(many + "}"), HasSubstr("the text has 65 members, but at most 64 are allowed"));
  for (int i = 0; i < 200'000; ++i) many += ",\"q" + std::to_string(i) + "\":1";
  EXPECT_THAT(config_refusal(many + "}"), HasSubstr("bytes, but at most 1048576 are allowed"));
  const std::string long_name(500'000, 'x');
  EXPECT_LT(config_refusal("{\"schedule\":\"lookback\",\"" + long_name + "\":null}").size(), 400u);
}

TEST(Config, AsksForTheRightKind) {
  const Config config{.schedule = "lookback", .values = {{"items_per_thread", 16}, {"load", "direct"}}};
  EXPECT_EQ(config.integer("items_per_thread"), 16);
  EXPECT_EQ(config.name("load"), "direct");
  EXPECT_THROW((void)config.integer("load"), UsageError);
  EXPECT_THROW((void)config.name("items_per_thread"), UsageError);
  EXPECT_THROW((void)config.integer("nothing"), UsageError);
}

}  // namespace
}  // namespace upsweep
