// What one rung of the choice gives, whatever the others have.
#include <gmock/gmock.h>

#include <upsweep/error.hpp>

#include "choose_support.hpp"
#include "generator/space.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep::tuning_db {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

DeviceIdentity part(int multiprocessors) {
  return device_of("NVIDIA H200", 9, 0, multiprocessors);
}

RungChoice on(Rung rung, const Problem& problem, const std::vector<Winner>& winners,
              const DeviceIdentity& device = part(16)) {
  const RungChoice choice = choose_on(rung, problem, device, h200_limits(), winners);
  EXPECT_EQ(choice.rung, rung);
  EXPECT_TRUE(!choice.config || Space(problem, h200_limits()).contains(*choice.config));
  return choice;
}

TEST(ChooseRung, NamesAreReadBack) {
  for (const Rung rung : chosen_rungs()) EXPECT_EQ(parse_rung(name(rung)), rung);
  EXPECT_EQ(chosen_rungs().size(), 5u);
  EXPECT_EQ(test::message_of<UsageError>([] { (void)parse_rung("forced"); }),
            "unknown rung 'forced': use one of exact, nearest_size, nearest_device, type_class, built_in, all");
}

TEST(ChooseRung, EachGivesItsOwnWhateverIsBetter) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const Config default_config = Space(asked, h200_limits()).default_config();
  const std::vector winners{winner_of(asked, 1, part(16)), winner_of(scan_of(Type::i32, pow2(21)), 1, part(16)),
                            winner_of(asked, 1, part(8)), winner_of(asked, 1, part(32)),
                            winner_of(scan_of(Type::u32, pow2(20)), 1, part(16))};
  EXPECT_EQ(on(Rung::exact, asked, winners).reason, "tuned on this device for 2^20 items");
  EXPECT_EQ(on(Rung::nearest_size, asked, winners).reason, "tuned on this device for 2^21 items (this call: 2^20)");
  EXPECT_EQ(
      on(Rung::nearest_device, asked, winners).reason,
      "tuned on NVIDIA H200 (compute capability 9.0, 8 multiprocessors, the nearest device known) for 2^20 items");
  EXPECT_THAT(on(Rung::type_class, asked, winners).reason, StartsWith("tuned for inclusive_scan plus u32"));
  EXPECT_THAT(on(Rung::built_in, asked, winners).reason, StartsWith("built-in default"));
  EXPECT_EQ(on(Rung::built_in, asked, winners).config, default_config);
}

// What a call takes without results of its own device is what the rung gives with them.
TEST(ChooseRung, IsWhatACallTakesWithoutTheBetterRungs) {
  const Problem asked = scan_of(Type::i32, pow2(20));
  const std::vector<Winner> others{with(winner_of(asked, 1, part(8)), "dependent_launch", "no"),
                                   winner_of(asked, 1, part(32))};
  std::vector<Winner> all = others;
  all.push_back(winner_of(asked, 1, part(16)));
  const Choice without = choose(asked, part(16), h200_limits(), others);
  ASSERT_EQ(without.rung, Rung::nearest_device);
  ASSERT_EQ(choose(asked, part(16), h200_limits(), all).rung, Rung::exact);
  EXPECT_EQ(on(Rung::nearest_device, asked, all).config, without.config);
  EXPECT_EQ(on(Rung::nearest_device, asked, all).reason, without.reason);
  EXPECT_NE(on(Rung::exact, asked, all).config, without.config);
}

TEST(ChooseRung, SaysWhyItHasNothing) {
  const Problem asked = scan_of(Type::i32, pow2(26));
  for (const Rung rung : {Rung::exact, Rung::nearest_size, Rung::nearest_device, Rung::type_class}) {
    const RungChoice choice = on(rung, asked, {});
    EXPECT_EQ(choice.config, std::nullopt) << name(rung);
    EXPECT_EQ(choice.reason, "there is no result") << name(rung);
  }
  const RungChoice other = on(Rung::nearest_device, asked, {winner_of(asked, 1, part(132))});
  EXPECT_EQ(other.config, std::nullopt);
  EXPECT_EQ(
      other.reason,
      "no result fits; the nearest (tuned on NVIDIA H200 (compute capability 9.0, 132 multiprocessors, the nearest "
      "device known) for 2^26 items) is not used: a device with another memory bandwidth per multiprocessor");
  EXPECT_TRUE(on(Rung::nearest_device, asked, {winner_of(asked, 1, part(132)), winner_of(asked, 1, part(8))}).config);
}

TEST(ChooseRung, TakesReproducibleConfigsOnlyWhereAsked) {
  const Problem floats = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::f32, Type::f32, pow2(20));
  Winner tickets = winner_of(floats, 1, part(16));
  tickets.trial.config = Space(floats, h200_limits()).complete(Config{"lookback", {}});
  ASSERT_FALSE(is_reproducible(floats, tickets.trial.config));
  const std::vector winners{tickets};
  const RungChoice choice = choose_on(Rung::exact, floats, part(16), h200_limits(), winners, {.reproducible = true});
  EXPECT_EQ(choice.config, std::nullopt);
  EXPECT_THAT(choice.reason, HasSubstr("is not used: not reproducible"));
  EXPECT_TRUE(choose_on(Rung::exact, floats, part(16), h200_limits(), winners).config);
  const RungChoice built_in = choose_on(Rung::built_in, floats, part(16), h200_limits(), {}, {.reproducible = true});
  EXPECT_TRUE(is_reproducible(floats, built_in.config.value()));
}

}  // namespace
}  // namespace upsweep::tuning_db
