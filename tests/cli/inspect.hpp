// Tests of what the tuning database holds, with trials on a made-up device.
#pragma once

#include <string>

#include <upsweep/source.hpp>

#include "generator/space.hpp"
#include "tests/cli/support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {

class Inspect : public Command {
 protected:
  // A trial of reduce maximum f32 at 2^20 items on a made-up device.
  static tuning_db::Trial trial(double microseconds) {
    tuning_db::Trial made;
    made.device = {.name = "Test GPU", .compute_major = 9, .compute_minor = 0, .multiprocessors = 132};
    made.environment = {.driver = "1.2", .compiler = "nvrtc 13.0", .generator = generator_version()};
    made.problem = make_problem(Algorithm::reduce, Operator::maximum, Type::f32, Type::f32, 1 << 20);
    made.config = Space(made.problem, DeviceLimits{}).default_config();
    made.samples_us = {microseconds, microseconds + 1, microseconds - 1};
    return made;
  }

  // A database with a winner (trial 1) and a failed trial (2).
  [[nodiscard]] std::string make_database(const std::string& name, double microseconds) const {
    tuning_db::Database database(path(name), tuning_db::Database::Mode::read_write);
    database.set_winner(database.record(trial(microseconds)));
    tuning_db::Trial failed = trial(1);
    failed.samples_us.clear();
    failed.failure = "wrong result at item 7";
    failed.verdict = tuning_db::Verdict::wrong;
    (void)database.record(failed);
    return path(name);
  }
};

}  // namespace upsweep::cli
