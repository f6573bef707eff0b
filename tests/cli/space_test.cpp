// upsweep space, explain --for, and the page docs/config-space.md.
#include <gmock/gmock.h>

#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using Json = nlohmann::json;

class SpaceVerb : public Command {
 protected:
  [[nodiscard]] static std::vector<std::string> space_of(const std::vector<std::string>& more) {
    return words("space inclusive_scan --op plus --type i32 --size 2^20", more);
  }
  [[nodiscard]] static Called space(const std::vector<std::string>& more) { return call(space_of(more)); }

  [[nodiscard]] static Json schedule(const Json& json, const std::string& name) {
    for (const Json& each : json.at("schedules")) {
      if (each.at("name") == name) return each;
    }
    ADD_FAILURE() << "no schedule " << name;
    return {};
  }
  [[nodiscard]] static Json parameter(const Json& schedule, const std::string& name) {
    for (const Json& each : schedule.at("parameters")) {
      if (each.at("name") == name) return each;
    }
    ADD_FAILURE() << "no parameter " << name;
    return {};
  }
};

TEST_F(SpaceVerb, TellsSchedulesParametersAndConstraints) {
  const Called called = worked(space({"--arch", "sm_90", "--schedule", "lookback"}));
  EXPECT_THAT(called.err, IsEmpty());
  EXPECT_THAT(called.out,
              StartsWith("inclusive_scan plus i32, 1048576 items, on sm_90: the default schedule is all_aggregates\n"));
  EXPECT_THAT(called.out, AllOf(HasSubstr("\nlookback\n"), HasSubstr("Merrill and Garland"), HasSubstr("section 4")));
  EXPECT_THAT(called.out, HasSubstr("    lookback_window (default 32)\n"));
  EXPECT_THAT(called.out, HasSubstr("values: 1, 2, 4, 8, 16, 32, 64, 128"));
  EXPECT_THAT(called.out, AllOf(HasSubstr("descriptor (default packed)"), HasSubstr("split: Value and status")));
  EXPECT_THAT(called.out, HasSubstr("alignment: With `load=vectorized`"));
  EXPECT_THAT(called.out, HasSubstr("combinations of values, of which about "));
  EXPECT_THAT(called.out, Not(HasSubstr("\nlookahead")));
  EXPECT_EQ(called.out, space({"--arch", "sm_90", "--schedule", "lookback"}).out) << "the same text every time";
}

TEST_F(SpaceVerb, DefaultsAreThoseOfTheLibrary) {
  const Json json = space({"--arch", "sm_90", "--json"}).json();
  EXPECT_EQ(json.at("default"), document(words("emit inclusive_scan --op plus --type i32 --size 2^20")).at("config"));
  EXPECT_EQ(json.at("schedules").size(), 10u);
  for (const Json& each : json.at("schedules")) {
    std::uint64_t combinations = 1;
    for (const Json& parameter : each.at("parameters")) {
      EXPECT_EQ(parameter.at("default"), each.at("default").at(parameter.at("name").get<std::string>()));
      EXPECT_THAT(parameter.at("values"), Contains(parameter.at("default")));
      combinations *= parameter.at("values").size();
    }
    EXPECT_EQ(each.at("combinations"), combinations);
    EXPECT_GT(each.at("valid_share"), 0);
    EXPECT_LE(each.at("valid_share"), 1);
  }
}

// What an older device lacks is refused with the reason, by value or as a whole.
TEST_F(SpaceVerb, TellsWhatTheDeviceDoesNotAllow) {
  const Json new_one = space({"--arch", "sm_90", "--json"}).json();
  const Json old_one = space({"--arch", "sm_80", "--json"}).json();
  EXPECT_THAT(parameter(schedule(new_one, "lookback"), "prefetch").at("refused"), IsEmpty());
  const Json refused = parameter(schedule(old_one, "lookback"), "prefetch").at("refused");
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused.at(0).at("value"), "bulk");
  EXPECT_EQ(refused.at(0).at("reason"), "compute capability: prefetch=bulk needs 9.0 or higher; use prefetch=none");
  EXPECT_EQ(schedule(new_one, "cluster").at("available"), true);
  EXPECT_EQ(schedule(old_one, "cluster").at("available"), false);
  EXPECT_THAT(schedule(old_one, "cluster").at("reason").get<std::string>(),
              HasSubstr("the schedule cluster needs 9.0"));
  const std::string text = space({"--arch", "sm_80"}).out;
  EXPECT_THAT(text, HasSubstr("not available here: compute capability: the schedule cluster needs 9.0"));
  EXPECT_THAT(text, HasSubstr("not allowed here: bulk (compute capability: prefetch=bulk needs 9.0"));
  // A value is allowed where the other parameters can make room for it.
  EXPECT_THAT(parameter(schedule(new_one, "lookahead"), "worker_warps").at("refused"), IsEmpty());
}

TEST_F(SpaceVerb, TakesADeviceByNameOrLabel) {
  EXPECT_EQ(space({"--arch", "80"}).out, space({"--arch", "sm_80"}).out);
  EXPECT_THAT(space({"--for", "NVIDIA H200"}).out, HasSubstr("on NVIDIA H200 (sm_90): "));
  EXPECT_THAT(space({"--device", "host"}).out, HasSubstr("on host ("));
  EXPECT_THAT(space({}).out, HasSubstr("on sm_90 (no device was named, and this machine has no GPU)"))
      << "needs no GPU";
}

TEST_F(SpaceVerb, RefusesWhatItDoesNotKnow) {
  expect_error(space_of({"--schedule", "lookahed"}), usage,
               {"unknown schedule 'lookahed' for inclusive_scan: did you mean 'lookahead'? use one of single_block"});
  expect_error(space_of({"--arch", "sm_91"}), usage, {"unknown architecture 'sm_91': did you mean 'sm_90'"});
  expect_error(space_of({"--for", "H100"}), usage, {"unknown device 'H100'"});
  expect_error(space_of({"--for", "NVIDIA H200", "--arch", "sm_80"}), usage, {"--for"});
  expect_error(space_of({"--markdown"}), usage, {"leave out the problem"});
  expect_error({"space"}, usage, {"no problem was named"});
  expect_error(words("space reduce --op plus"), usage, {"no problem was named"});
}

TEST_F(SpaceVerb, PageInTheRepositoryIsWhatItPrints) {
  std::ifstream file(UPSWEEP_SOURCE_DIR "/docs/config-space.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const Called called = worked(call({"space", "--markdown"}));
  EXPECT_EQ(page, called.out) << "write it anew: upsweep space --markdown > docs/config-space.md";
  for (const char* part : {"### `descriptor`", "### `delay_nanoseconds`", "### `states_per_lane`", "### `packing`",
                           "### `arithmetic`", "### `lookahead` (scan)", "### `last_started` (reduce)"}) {
    EXPECT_THAT(called.out, HasSubstr(part));
  }
}

TEST_F(SpaceVerb, ExplainToldOfANamedDevice) {
  const std::vector<std::string> arguments =
      words("explain inclusive_scan --op plus --type i32 --size 2^20 --for", {"NVIDIA H200"});
  const Called called = worked(call(arguments));
  EXPECT_THAT(called.out, HasSubstr("device        NVIDIA H200 (sm_90)\n"));
  EXPECT_THAT(called.out, HasSubstr("rung          exact: shipped with upsweep: tuned on this device for 2^20 items"));
  const Json json = document(arguments);
  EXPECT_EQ(
      json.at("config"),
      document(words("emit inclusive_scan --op plus --type i32 --size 2^20 --for", {"NVIDIA H200"})).at("config"));
  EXPECT_EQ(json.at("device").at("architecture"), "sm_90");
  EXPECT_THAT(called.out, Not(HasSubstr("to tune it"))) << "the device is not here";
  EXPECT_TRUE(json.at("tune_command").is_null());
}

}  // namespace
}  // namespace upsweep::cli
