// What a program can ask about configs: meanings, partial configs, reasons.
#include <upsweep/config_space.hpp>

#include <algorithm>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/support/scans.hpp"

namespace upsweep {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

const DeviceLimits h200 = limits_of_architecture("sm_90");
const Problem scan = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32);

std::vector<Problem> various_problems() {
  std::vector<Problem> problems;
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const auto& [op, type] : {std::pair{Operator::plus, Type::i32},
                                   {Operator::maximum, Type::i8},
                                   {Operator::multiplies, Type::f16},
                                   {Operator::last_nonzero, Type::c128}}) {
      problems.push_back(make_problem(algorithm, op, type, type));
    }
  }
  return problems;
}

TEST(ConfigSpace, EverythingHasAMeaning) {
  const auto is_sentence = [](const std::string& text) {
    return text.size() > 8 && std::isupper(static_cast<unsigned char>(text.front())) != 0 && text.back() == '.';
  };
  for (const Problem& problem : various_problems()) {
    for (const ScheduleInfo& schedule : ConfigSpace(problem, h200).describe()) {
      EXPECT_TRUE(is_sentence(schedule.meaning)) << schedule.meaning;
      EXPECT_FALSE(schedule.source.empty()) << schedule.name;
      for (const Constraint& each : schedule.constraints) EXPECT_EQ(each.meaning.back(), '.') << each.meaning;
      for (const Parameter& parameter : schedule.parameters) {
        EXPECT_TRUE(is_sentence(parameter.meaning)) << parameter.name << ": " << parameter.meaning;
        const bool is_strategy = std::holds_alternative<std::string>(parameter.values.front());
        EXPECT_EQ(parameter.value_meanings.size(), is_strategy ? parameter.values.size() : 0) << parameter.name;
        for (const std::string& each : parameter.value_meanings) EXPECT_EQ(each.back(), '.') << each;
        EXPECT_TRUE(schedule.default_config.values.contains(parameter.name)) << parameter.name;
      }
    }
  }
}

// Every rule that is checked is told: a violation begins with the name of one of the schedule's constraints.
TEST(ConfigSpace, ConstraintsNameAllThatIsChecked) {
  std::set<std::string> met;
  for (const char* architecture : {"sm_75", "sm_80", "sm_90"}) {
    for (const Problem& problem : various_problems()) {
      const Space space(problem, limits_of_architecture(architecture));
      std::mt19937_64 random(3);
      for (const ScheduleInfo& schedule : space.describe()) {
        for (int i = 0; i < 200; ++i) {
          Config config{.schedule = schedule.name, .values = {}};
          for (const Parameter& parameter : schedule.parameters) {
            config.values[parameter.name] = parameter.values[random() % parameter.values.size()];
          }
          for (const std::string& violation : space.violations(config)) {
            const std::string rule = violation.substr(0, violation.find(':'));
            met.insert(rule);
            EXPECT_TRUE(std::any_of(schedule.constraints.begin(), schedule.constraints.end(),
                                    [&](const Constraint& each) { return each.name == rule; }))
                << schedule.name << ": " << violation;
          }
        }
      }
    }
  }
  for (const char* rule : {"alignment", "compute capability", "stages", "order", "load", "packing",
                           "registers per thread", "shared memory per block (bytes)", "threads per multiprocessor"}) {
    EXPECT_TRUE(met.contains(rule)) << rule;
  }
}

TEST(ConfigSpace, ResolvesPartialConfigs) {
  const ConfigSpace space(scan, h200);
  const Config whole = space.resolve({.schedule = "lookback", .values = {{"items_per_thread", 4}}});
  EXPECT_EQ(whole.integer("items_per_thread"), 4);
  EXPECT_EQ(whole.values.size(), space.describe().at(2).parameters.size());
  EXPECT_TRUE(space.contains(whole));
  EXPECT_EQ(space.resolve(whole), whole);
  EXPECT_EQ(space.resolve({}), space.default_config()) << "without a schedule: the default's";
  const Config shaped = space.resolve({.schedule = {}, .values = {{"worker_warps", 8}}});
  EXPECT_EQ(shaped.schedule, space.default_config().schedule);
  EXPECT_EQ(shaped.integer("worker_warps"), 8);
}

// 7 stages of 28 warps are more shared memory than there is: what was not asked for gives way.
TEST(ConfigSpace, DefaultsGiveWayToWhatIsGiven) {
  const ConfigSpace space(scan, h200);
  const Config config = space.resolve({.schedule = "lookahead", .values = {{"worker_warps", 28}}});
  EXPECT_EQ(config.integer("worker_warps"), 28);
  EXPECT_TRUE(space.contains(config));
}

TEST(ConfigSpace, SaysWhatIsWrongWithAConfig) {
  const ConfigSpace space(scan, h200);
  const auto reason = [&](const Config& config) {
    const std::vector<std::string> violations = space.violations(config);
    return violations.empty() ? std::string("none") : violations.front();
  };
  const Config good = space.resolve({.schedule = "lookback", .values = {}});
  const auto with = [&](const char* parameter, const ParameterValue& value) {
    Config config = good;
    config.values[parameter] = value;
    return config;
  };
  EXPECT_EQ(reason(with("threads_per_block", std::string("256"))),
            "threads_per_block takes a number, not the text \"256\": use one of 32, 64, 96, 128, 160, 192, 224, 256, "
            "288, 320, 352, 384, 448, 512, 576, 640, 768, 896, 1024, without quotes");
  EXPECT_EQ(reason(with("descriptor", 3)), "descriptor takes a name, not the number 3: use one of packed, split");
  EXPECT_EQ(reason(with("load", std::string("vectorised"))),
            "load=vectorised is not valid: did you mean 'vectorized'? use one of direct, vectorized, "
            "block_transpose, warp_transpose");
  EXPECT_THAT(reason(with("items", 4)),
              StartsWith("unknown parameter 'items' of schedule lookback: did you mean 'items_per_thread'? use one of "
                         "threads_per_block, items_per_thread, "));
  EXPECT_THAT(reason(with("worker_warps", 8)), HasSubstr("; worker_warps is a parameter of schedule lookahead"));
  EXPECT_THAT([&] { (void)space.resolve({.schedule = "look_back", .values = {}}); },
              ThrowsMessage<UsageError>(HasSubstr("unknown schedule 'look_back' for inclusive_scan: did you mean "
                                                  "'lookback'? use one of single_block, cluster, lookback, ")));
  EXPECT_THAT([&] { (void)space.resolve(with("lookback_window", 3)); },
              ThrowsMessage<UsageError>(HasSubstr("invalid config for inclusive_scan plus i32: "
                                                  "lookback_window=3 is not valid")));
}

TEST(Architectures, AreAllFromTuringOn) {
  for (const char* name : {"sm_75", "sm_86", "sm_87", "sm_88", "sm_89", "sm_100", "sm_103", "sm_110", "sm_121"}) {
    EXPECT_GT(limits_of_architecture(name).shared_bytes_per_block, 48 << 10) << name;
  }
  EXPECT_EQ(limits_of_architecture("sm_87").shared_bytes_per_block, 163 << 10);
  EXPECT_EQ(limits_of_architecture("sm_121").threads_per_multiprocessor, 1536);
  EXPECT_EQ(limits_of_architecture("sm_90a"), limits_of_architecture("sm_90"));
  EXPECT_EQ(limits_of_architecture("sm_100f"), limits_of_architecture("sm_100"));
  EXPECT_THROW((void)limits_of_architecture("sm_80a"), UsageError);
  EXPECT_THROW((void)limits_of_architecture("sm_90f"), UsageError);
  EXPECT_THAT(
      [] { (void)limits_of_architecture("sm90"); },
      ThrowsMessage<UsageError>(StartsWith("unknown architecture 'sm90': did you mean 'sm_90'? use one of sm_75")));
}

// Tiles of `all_aggregates` wait for all that come before: they must not run in two waves where they need not.
TEST(ConfigSpace, TheDefaultOfAllAggregatesKeepsAllTilesResident) {
  int seen = 0;
  for (const Type type : {Type::i8, Type::i32, Type::f64, Type::c128}) {
    for (std::uint64_t size = 1 << 14; size < 1 << 22; size += size / 7 + 1) {
      const ConfigSpace space(make_problem(Algorithm::exclusive_scan, plus, type, type, size), h200);
      const Config config = space.resolve({});
      if (config.schedule != "all_aggregates") continue;
      const auto tile =
          static_cast<std::uint64_t>(config.integer("threads_per_block") * config.integer("items_per_thread"));
      const std::uint64_t blocks = (size + tile - 1) / tile;
      const auto multiprocessors = static_cast<std::uint64_t>(h200.multiprocessors);
      EXPECT_LE(blocks, static_cast<std::uint64_t>(config.integer("minimum_blocks")) * multiprocessors)
          << name(type) << ", " << size << " items";
      ++seen;
    }
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace upsweep
