#include <upsweep/config.hpp>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

namespace upsweep {
namespace {

TEST(Config, JsonRoundTrip) {
  const Config config{.schedule = "lookback", .values = {{"items_per_thread", 16}, {"load", "direct"}}};
  EXPECT_EQ(to_json(config), R"({"schedule":"lookback","items_per_thread":16,"load":"direct"})");
  EXPECT_EQ(config_from_json(to_json(config)), config);
}

TEST(Config, RefusesWhatIsNoConfig) {
  for (const char* text :
       {"", "{", "[]", "3", "{}", R"({"schedule":3})", R"({"schedule":"a","x":1.5})", R"({"schedule":"a","x":null})",
        R"({"schedule":"a","x":18446744073709551615})", R"({"schedule":"a","x":[1]})", R"({"x":1})"}) {
    EXPECT_THROW((void)config_from_json(text), UsageError) << text;
  }
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
