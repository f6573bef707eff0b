// What the tests of choosing share: winners that can be told from each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support.hpp"
#include "tuning-db/choose.hpp"

namespace upsweep::tuning_db {

inline std::uint64_t pow2(int exponent) {
  return std::uint64_t{1} << exponent;
}

inline DeviceIdentity device_of(const char* name, int major, int minor, int multiprocessors = 132,
                                int clock_khz = 3201000) {
  return {name, major, minor, multiprocessors, 6144, clock_khz, true};
}

// A winner that can be told from others by its time.
inline Winner winner_of(const Problem& problem, double time, const DeviceIdentity& device = h200(),
                        const std::string& origin = "user") {
  return {trial_of(problem, time, device), size_class(problem.size), origin};
}

inline Winner with(Winner winner, const char* parameter, ParameterValue value) {
  winner.trial.config.values.insert_or_assign(parameter, std::move(value));
  return winner;
}

inline Winner with_schedule(Winner winner, const std::string& schedule) {
  winner.trial.config = Space(winner.trial.problem, h200_limits()).complete(Config{schedule, {}});
  return winner;
}

inline Choice choose_for(const Problem& problem, const std::vector<Winner>& winners, bool reproducible = false,
                         const DeviceIdentity& device = h200()) {
  const Choice choice = choose(problem, device, h200_limits(), winners, {.reproducible = reproducible});
  EXPECT_TRUE(Space(problem, h200_limits()).contains(choice.config));
  EXPECT_EQ(choice.trial.has_value(), choice.rung != Rung::built_in);
  if (choice.trial) {
    EXPECT_EQ(choice.trial->config, choice.config);
  }
  return choice;
}

// The time that winner_of was given.
inline double time_of(const Choice& choice) {
  return choice.trial ? choice.trial->samples_us.at(0) : -1;
}

}  // namespace upsweep::tuning_db
