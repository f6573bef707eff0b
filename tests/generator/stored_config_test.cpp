// A config that was stored before a parameter existed keeps its meaning.
#include "generator/stored_config.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "generator/schedule.hpp"
#include "generator/short_config.hpp"
#include "generator/space.hpp"
#include "tests/support/scans.hpp"

namespace upsweep {
namespace {

TEST(StoredConfig, LacksNoParameterAfterwardsThatCameLater) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::maximum, Type::f16, Type::f16);
  Config stored = Space(problem, limits_of_architecture("sm_90")).complete({"lookback", {}});
  for (const char* name : {"dependent_launch", "arithmetic", "prefetch", "delay_nanoseconds"})
    stored.values.erase(name);
  Config expected = stored;
  expected.values.insert(
      {{"dependent_launch", "no"}, {"arithmetic", "portable"}, {"prefetch", "none"}, {"delay_nanoseconds", 0}});
  EXPECT_EQ(migrated(problem, stored), expected);
}

TEST(StoredConfig, KeepsWhatItHas) {
  const Problem problem = make_problem(Algorithm::reduce, Operator::minimum, Type::i8, Type::i8);
  Config stored = Space(problem, limits_of_architecture("sm_90")).complete({"last_started", {}});
  EXPECT_EQ(migrated(problem, stored), stored);
  stored.values.erase("threads_per_block");
  stored.values["of_another_version"] = 3;
  EXPECT_EQ(migrated(problem, stored), stored) << "what has no meaning in absence stays away";
  const Config unknown{"of_another_version", {{"stages", 3}}};
  EXPECT_EQ(migrated(problem, unknown), unknown);
}

TEST(StoredConfig, HasTodaysNames) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::maximum, Type::i8, Type::i8);
  const Space space(problem, limits_of_architecture("sm_90"));
  const auto check = [&](const char* then, Config config) {
    Config stored = config = space.complete(config);
    stored.schedule = then;
    if (config.schedule == "lookahead") stored.values["packing"] = "halves";
    EXPECT_EQ(migrated(problem, stored), config);
    EXPECT_EQ(config_from_json(to_json(stored)), config) << "as the command reads it";
    EXPECT_THAT(space.violations(migrated(problem, stored)), testing::IsEmpty());
  };
  check("gather", {"all_aggregates", {}});
  check("lookahead", {"lookahead", {{"packing", "packed_16x2"}}});
  EXPECT_EQ(config_from_text("gather")->schedule, "all_aggregates");
  EXPECT_EQ(config_from_text("gather, packing=halves"), (Config{"all_aggregates", {{"packing", "packed_16x2"}}}));
}

TEST(StoredConfig, AbsenceStandsForAValueOfTheParameter) {
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const Type type : {Type::i8, Type::f16, Type::f32}) {
      const Problem problem = make_problem(algorithm, Operator::maximum, type, type);
      const Space space(problem, limits_of_architecture("sm_90"));
      for (const Schedule* schedule : space.schedules()) {
        for (const Parameter& parameter : schedule->parameters(problem)) {
          if (!parameter.absent) continue;
          EXPECT_NE(std::find(parameter.values.begin(), parameter.values.end(), *parameter.absent),
                    parameter.values.end())
              << schedule->name() << ", " << parameter.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace upsweep
