// The short form of configs: what tables show, and that it reads back.
#include "generator/short_config.hpp"

#include <random>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "generator/device_limits.hpp"
#include "generator/schedule.hpp"
#include "tests/support/space_points.hpp"

namespace upsweep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;
using ::testing::StartsWith;

Problem sum(std::uint64_t size = 1 << 24) {
  return make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, size);
}

Space space_of(const Problem& problem) {
  return {problem, limits_of_architecture("sm_90")};
}

TEST(ShortConfig, HasTheScheduleAndWhatDiffersFromItsDefaults) {
  const Space space = space_of(sum());
  ASSERT_EQ(space.default_config().schedule, "lookahead");
  EXPECT_EQ(short_form(space.default_config(), space), "default");
  EXPECT_EQ(short_form(space.complete({.schedule = "lookback", .values = {}}), space), "lookback");
  Config config = space.default_config();
  const std::int64_t warps = config.integer("worker_warps"), vectors = config.integer("vectors_per_thread");
  config.values["worker_warps"] = warps + 1;
  EXPECT_EQ(short_form(config, space), "lookahead, worker_warps=" + std::to_string(warps + 1));
  config.values["vectors_per_thread"] = vectors + 2;
  EXPECT_THAT(short_form(config, space), HasSubstr("worker_warps=" + std::to_string(warps + 1)));
  EXPECT_THAT(short_form(config, space), HasSubstr("vectors_per_thread=" + std::to_string(vectors + 2)));
  EXPECT_LT(short_form(config, space).size(), 60u);
}

// Defaults depend on the size and on the device: the same config is short for one and long for another.
TEST(ShortConfig, IsRelativeToProblemAndDevice) {
  const Problem small = sum(1 << 10);
  const Config config = space_of(small).default_config();
  EXPECT_EQ(short_form(config, small, limits_of_architecture("sm_90")), "default");
  EXPECT_EQ(short_form(config, small, host_limits()), "default");
  EXPECT_THAT(short_form(config, sum(), limits_of_architecture("sm_90")), StartsWith("single_block"));
  EXPECT_THAT(short_form(config, small, limits_of_architecture("sm_80")), HasSubstr("dependent_launch=yes"));
}

TEST(ShortConfig, IsWholeWhereDefaultsAreUnknown) {
  const Config config = space_of(sum()).default_config();
  const std::string whole = short_form(config, sum(), std::nullopt);
  EXPECT_THAT(whole, StartsWith("lookahead, "));
  for (const auto& [name, value] : config.values) EXPECT_THAT(whole, HasSubstr(", " + name + "=" + to_string(value)));
  Config missing = config;
  missing.values.erase("worker_warps");
  EXPECT_THAT(short_form(missing, space_of(sum())), HasSubstr("vectors_per_thread="));
  EXPECT_THAT(short_form(missing, space_of(sum())), Not(HasSubstr("worker_warps=")));
  const Config unknown{.schedule = "sideways", .values = {{"speed", 9}}};
  EXPECT_EQ(short_form(unknown, space_of(sum())), "sideways, speed=9");
  Config more = config;
  more.values["colour"] = "red";
  EXPECT_EQ(short_form(more, space_of(sum())), "lookahead, colour=red");
  Problem invalid = sum();
  invalid.op = Operator::bit_and;
  invalid.input = Type::f32;
  EXPECT_EQ(short_form(config, invalid, limits_of_architecture("sm_90")), whole);
}

TEST(ShortConfig, DifferingParametersAreThoseOfTheShortForm) {
  const DeviceLimits limits = limits_of_architecture("sm_90");
  Config config = space_of(sum()).default_config();
  EXPECT_THAT(differing_parameters(config, sum(), limits), Optional(IsEmpty()));
  config.values["worker_warps"] = 3;
  config.values["colour"] = "red";
  EXPECT_THAT(differing_parameters(config, sum(), limits), Optional(ElementsAre("worker_warps", "colour")));
  EXPECT_EQ(differing_parameters(config, sum(), std::nullopt), std::nullopt);
  config.values.erase("worker_warps");
  EXPECT_EQ(differing_parameters(config, sum(), limits), std::nullopt);
}

TEST(ShortConfig, ReadsBack) {
  std::mt19937_64 random(1);
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
    for (const std::uint64_t size : {std::uint64_t{1} << 10, std::uint64_t{1} << 24}) {
      const Space space = space_of(make_problem(algorithm, Operator::maximum, Type::f16, Type::f16, size));
      for (int i = 0; i < 50; ++i) {
        const Config config = i == 0 ? space.default_config() : test::sample(space, random);
        const std::string text = short_form(config, space);
        const std::optional<Config> read = config_from_text(text);
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(space.resolve(*read), config) << text;
      }
    }
  }
}

TEST(ShortConfig, IsToldFromPaths) {
  for (const char* text : {"default", "lookback", " lookback , load=direct", "single_block,threads_per_block=64", "a=b",
                           "schedule=lookback", "{\"schedule\":\"lookback\"}", " {}", "{\"load\":\"a/b\"}"}) {
    EXPECT_TRUE(config_from_text(text)) << text;
  }
  for (const char* text : {"./lookback", "lookback.json", "configs/default", "out/a=b.json", "../a,b", "."}) {
    EXPECT_FALSE(config_from_text(text)) << text;
  }
}

TEST(ShortConfig, ReadsJson) {
  EXPECT_EQ(config_from_text(R"( {"schedule":"lookback","load":"direct"} )"),
            config_from_text("lookback, load=direct"));
}

TEST(ShortConfig, ScheduleMayBeLeftOutOrBeNamed) {
  const Space space = space_of(sum(1 << 10));
  const Config config{.schedule = "", .values = {{"warp_scan", std::string("sklansky")}}};
  EXPECT_EQ(config_from_text("warp_scan=sklansky"), config);
  EXPECT_EQ(space.resolve(*config_from_text("warp_scan=sklansky")).schedule, space.default_config().schedule);
  EXPECT_EQ(config_from_text("schedule=lookback"), config_from_text("lookback"));
  EXPECT_EQ(config_from_text("warp_scan=sklansky, schedule = lookback"),
            config_from_text("lookback, warp_scan=sklansky"));
  EXPECT_EQ(config_from_text("schedule=default"), config_from_text("default"));
}

TEST(ShortConfig, DefaultMayBeChanged) {
  const Space space = space_of(sum());
  EXPECT_EQ(space.resolve(*config_from_text("default")), space.default_config());
  const Config config = *config_from_text("default, worker_warps=4");
  EXPECT_EQ(config.values.size(), 1u);
  EXPECT_EQ(config.integer("worker_warps"), 4);
  EXPECT_EQ(space.resolve(config).schedule, "lookahead");
}

std::string refusal(const std::string& text) {
  try {
    return config_from_text(text) ? "" : "a path";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(ShortConfig, RefusesWhatIsNotAParameterWithItsValue) {
  EXPECT_THAT(refusal("lookback, load"), HasSubstr("'load' in the config does not have the form NAME=VALUE"));
  EXPECT_THAT(refusal("lookback, =3"), HasSubstr("write lookback, NAME=VALUE"));
  EXPECT_THAT(refusal("lookback, load=, store=direct"), HasSubstr("'load='"));
  EXPECT_THAT(refusal("lookback,, load=direct"), HasSubstr("''"));
  EXPECT_THAT(refusal(", load=direct"),
              HasSubstr("'' in the config does not have the form NAME=VALUE: write SCHEDULE"));
  EXPECT_THAT(refusal("lookback, load=direct, load=direct"), HasSubstr("gives the parameter load twice"));
  EXPECT_THAT(refusal("lookback, schedule=chained"), HasSubstr("gives the schedule twice"));
  for (const char* text : {"lookback warp_scan=sklansky", "warp_scan=sklansky load=direct"}) {
    EXPECT_THAT(refusal(text), StartsWith("the config has no comma in '" + std::string(text) + "': ")) << text;
  }
}

TEST(ShortConfig, RefusesAWordThatIsNeitherAScheduleNorAFile) {
  EXPECT_THAT(refusal("lokback"), StartsWith("the config 'lokback' is neither a schedule nor a file: did you mean "
                                             "'lookback'? use one of default, single_block, cluster, "));
  EXPECT_THAT(refusal("defaults"), HasSubstr("did you mean 'default'?"));
  EXPECT_THAT(refusal("zzz"), HasSubstr("file: use one of default"));
}

}  // namespace
}  // namespace upsweep
