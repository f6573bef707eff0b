// A session over scripted parts.
#pragma once

#include <gtest/gtest.h>

#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/session/scripted.hpp"
#include "tuner/session/session.hpp"

namespace upsweep::tuner {

class SessionTest : public testing::Test {
 protected:
  std::optional<TunedSize> run(std::int64_t configs, const Session::Progress& progress = {}) {
    search = Counting(configs);
    runner.turns_of_sizes.clear();
    CompiledOnce compilations(compilers);
    Session session(
        {.device = device, .limits = {}, .environment = environment, .problem = problem, .session = "tune 1"},
        config_of(1), {search, compilations, runner, database}, options);
    return session.run(progress);
  }
  // What the rows of a stage say: "3 97" or "3 failure".
  std::vector<std::string> rows(tuning_db::Stage stage) {
    std::vector<std::string> texts;
    for (const tuning_db::Trial& trial : database.trials()) {
      if (trial.stage != stage) continue;
      const std::string result =
          trial.failure.empty() ? std::to_string(static_cast<int>(trial.median_us())) : trial.failure;
      texts.push_back(std::to_string(number_of(trial.config)) + " " + result);
    }
    return texts;
  }
  std::vector<std::int64_t> winners() {
    std::vector<std::int64_t> numbers;
    for (const auto& winner : database.winners()) numbers.push_back(number_of(winner.trial.config));
    return numbers;
  }
  // Config k takes what a test says in runs and in turns.
  void take(std::function<double(std::int64_t)> us) {
    runner.outcome = [us](std::int64_t number, const RunRequest& request) { return taking(us(number), request); };
    runner.turn_us = [us](std::int64_t number, std::uint64_t) { return us(number); };
  }

  test::TestFolder folder;
  Problem problem = scripted_problem;
  DeviceIdentity device{"GPU", 9, 0, 132, 6144, 3201000, true};
  Environment environment{"driver", "compiler", "1"};
  tuning_db::Database database{folder / "t.db", tuning_db::Database::Mode::read_write};
  Counting search{0};
  ScriptedCompilers compilers;
  ScriptedRunner runner;
  SessionOptions options;
};

}  // namespace upsweep::tuner
