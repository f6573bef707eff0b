// The interface of runners: they load, check and measure candidates, here or in a worker process.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

#include "tuning-db/trial.hpp"

namespace upsweep::tuner {

using tuning_db::Verdict;

struct RunRequest {
  std::uint64_t size = 0;  // items of a timed call
  // Timed calls read and write arrays that are off an aligned address, inputs by one item and outputs by two.
  bool misaligned = false;
  // Timed calls read data with so many results per item. `unknown`: the problem's own. For problems that take a
  // density.
  Density density = Density::unknown;
  // A call that takes longer than this many microseconds is hopeless: its first sample is the only one.
  double limit_us = std::numeric_limits<double>::infinity();
  int samples = 7;
  // With a median of at most near_us, so many more samples are taken at once.
  int more_samples = 0;
  double near_us = std::numeric_limits<double>::infinity();
  double sample_us = 1000;  // as many calls back to back as take about this long are one sample
  // Calls are recorded and replayed where the device can: samples cost the host little, and small calls take a bit less
  // than launched one by one. False: as the user launches them, at the device's pace.
  bool replay = true;
  // In turn, of calls that are launched: so many times, at most once a sample, each config's workspace is put elsewhere
  // (WorkspacePlaces); not where memory is short.
  int moves = 0;
  // Probably asked for next, the first one soonest: made ready while the device is busy. Loading waits for the device
  // to be idle and recording does not, so one that was loaded at the end of a request is recorded during the next.
  std::vector<Config> next = {};
  bool operator==(const RunRequest&) const = default;
};

struct Outcome {
  Verdict verdict = Verdict::measured;
  std::vector<double> samples_us;    // microseconds a call; none unless it was measured
  std::vector<double> more_us = {};  // likewise, of RunRequest::more_samples
  std::string failure;               // one line; empty if and only if it was measured
  std::string binary;                // hash of the machine code, 32 hexadecimal digits; empty: not known
  int clock_mhz = 0;                 // of the multiprocessors; 0: not known
  bool may_pass = false;             // a failure that says nothing of the config, as CompileResult::may_pass
  bool operator==(const Outcome&) const = default;
};

// Of several configs: microseconds a call, a value a sample.
using Samples = std::vector<std::vector<double>>;

// One problem, any number of sizes. For one thread at a time. What is started is finished, or given up with whatever is
// started next; between the two, the device works beside the caller where it can.
class Runner {
 public:
  virtual ~Runner() = default;

  // Compiles, checks (a config that was right at that size or a greater one is not checked again) and times a config of
  // the space. A candidate that does not compile, does not run or is wrong is an outcome. That the size's default
  // config does not compile or run is no candidate's failure: its CompilerError or DeviceError passes through. After a
  // candidate that may have ruined the device, the next call throws DeviceError if the default config no longer runs
  // either. Both throw runtime::Cancelled where the calling thread's work is cancelled; other requests may follow.
  virtual void start(const Config& config, const RunRequest& request) = 0;
  [[nodiscard]] virtual Outcome finish() = 0;
  [[nodiscard]] Outcome run(const Config& config, const RunRequest& request) {
    start(config, request);
    return finish();
  }

  // Samples of configs that ran well, in turn, so that what changes in time meets all of them alike; the limit is
  // ignored. No samples of a config that fails now. Both throw DeviceError where the device is to blame, and
  // runtime::Cancelled as above.
  virtual void start_in_turn(std::span<const Config> configs, const RunRequest& request) = 0;
  [[nodiscard]] virtual Samples finish_in_turn() = 0;
  [[nodiscard]] Samples run_in_turn(std::span<const Config> configs, const RunRequest& request) {
    start_in_turn(configs, request);
    return finish_in_turn();
  }

  // Lets go of all kernels but those, the latest when this runner ends: best while the device is busy with others.
  virtual void keep_only(std::span<const Config> configs) = 0;

  // Seconds that the device has spent on timed calls, by its own clock.
  [[nodiscard]] virtual double busy_seconds() const = 0;
};

}  // namespace upsweep::tuner
