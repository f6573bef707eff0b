#include "tuner/worker/in_process_runner.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/median.hpp"
#include "generator/space.hpp"
#include "tuner/measure/rotation_memory.hpp"
#include "tuner/verify/density_data.hpp"
#include "tuner/verify/segment_data.hpp"

namespace upsweep::tuner {
namespace {

Problem sized(Problem problem, std::uint64_t size) {
  problem.size = size;
  return problem;
}

runtime::Engine& fit_for(const Problem& problem, runtime::Engine& engine) {
  check_size(problem, engine.device());
  return engine;
}

std::vector<Bytes> patterns_for(Problem problem, Density density, std::uint64_t seed) {
  if (density != Density::unknown) problem.density = density;
  const PatternItems items = pattern_items(problem);  // longer inputs repeat them
  return make_patterns(problem, std::clamp(problem.size, items.least, items.most), seed);
}

// `steps`: of the plan that is called, or the most of several.
TimingOptions timing_of(const RunRequest& request, std::size_t steps) {
  TimingOptions options;
  options.samples = request.samples;
  options.sample_us = request.sample_us;
  options.launches = static_cast<int>(steps);
  if (request.replay) options.timing = Timing::replayed;
  return options;
}

}  // namespace

InProcessRunner::InProcessRunner(runtime::Engine& engine, const Problem& problem, std::uint64_t seed)
    : engine_(fit_for(problem, engine)),
      problem_(problem),
      scalars_(make_timed_scalars(problem, seed)),
      stream_(engine.device()),
      check_(engine, problem, stream_.stream, seed, scalars_),
      measurements_(engine.device(), stream_.stream, problem,
                    [problem, seed](Density density) { return patterns_for(problem, density, seed); }),
      kernels_(engine, problem, stream_.stream) {
  if (engine.device().target() == Target::cuda) (void)measurement({.size = problem.size});
}

InProcessRunner::~InProcessRunner() {
  try {
    kernels_.let_go_of_losers();
    engine_.device().synchronize(stream_.stream);  // nothing may run in memory that is about to be freed
  } catch (const DeviceError&) {
    // The device is lost and nothing runs on it any more; who needs to know has been told.
  }
}

HeldKernel& InProcessRunner::prepare(const Config& config, std::uint64_t size) {
  HeldKernel& kernel = kernels_.load(config);
  engine_.device().synchronize(stream_.stream);
  if (kernel.candidate.reserve(check_.items_of_call(kernel.candidate, size))) kernel.series.clear();
  return kernel;
}

Measurement& InProcessRunner::measurement(const RunRequest& request) {
  if (!measurements_.have_room(request.size, request.misaligned)) kernels_.forget_memory();
  return measurements_.at(request.size, request.misaligned, request.density);
}

TimedCall InProcessRunner::timed_call(const Candidate& candidate, const RunRequest& request) const {
  const Shifts shifts = measurements_.shifts(request.misaligned);
  return [this, &candidate, size = request.size, shifts](const SlotArrays& arrays, runtime::Stream) {
    candidate.run(call_of(problem_, shifted(arrays, shifts), size, scalars_));
  };
}

void InProcessRunner::probe(std::uint64_t size) {
  if (!doubtful_) return;
  const HeldKernel& kernel = prepare(Space(sized(problem_, size), engine_.device().limits()).default_config(), size);
  const RunRequest request{.size = size};
  (void)measurement(request).time(timed_call(kernel.candidate, request), {.samples = 1, .maximum_calls = 1});
  doubtful_ = false;
}

void InProcessRunner::begin_run() {
  const RunRequest& request = started_.request;
  HeldKernel& kernel = prepare(started_.configs.front(), request.size);
  started_.outcome.binary = kernel.machine_code;
  started_.timer = &measurement(request);
  loaded_();
  check_.check(started_.configs.front(), kernel.candidate, request, started_.timer->slots().at(0), started_.outcome);
  if (!started_.outcome.failure.empty()) return;
  started_.options = timing_of(request, kernel.candidate.plan().steps());
  started_.options.limit_us = request.limit_us;
  started_.series = {&kernel.series_of(request, timed_call(kernel.candidate, request))};
  started_.busy_before_us = started_.timer->busy_us();
  started_.samples = started_.timer->start(*started_.series.front(), started_.options);
}

void InProcessRunner::end_run() {
  if (!started_.samples) begin_run();
  Outcome& outcome = started_.outcome;
  if (!outcome.failure.empty()) return;
  const RunRequest& request = started_.request;
  Measurement& timer = *started_.timer;
  const auto finish = [&] {
    get_ready();
    return timer.finish(*std::exchange(started_.samples, std::nullopt)).front();
  };
  outcome.samples_us = finish();
  if (request.more_samples > 0 && base::median(outcome.samples_us) <= request.near_us) {
    started_.options.samples = request.more_samples;
    started_.samples = timer.start(*started_.series.front(), started_.options);
    outcome.more_us = finish();
  }
  outcome.clock_mhz = timer.clocks().multiprocessor_mhz;
  busy_us_ += timer.busy_us() - started_.busy_before_us;
}

void InProcessRunner::attempt(void (InProcessRunner::*part)()) {
  Outcome& outcome = started_.outcome;
  const auto is_default = [&] {
    const Space space(sized(problem_, started_.request.size), engine_.device().limits());
    return started_.configs.front() == space.default_config();
  };
  const auto fail = [&](Verdict verdict, const std::string& failure, bool doubtful) {
    outcome.verdict = verdict;
    outcome.failure = failure;
    outcome.samples_us.clear();
    outcome.more_us.clear();
    started_.samples.reset();
    doubtful_ = doubtful_ || doubtful;
  };
  try {
    try {
      (this->*part)();
    } catch (const runtime::OutOfDeviceMemory&) {
      started_.samples.reset();
      if (!kernels_.make_room()) throw;
      (this->*part)();
    }
  } catch (const base::Cancelled&) {
    let_go_of_started();
    throw;
  } catch (const CompilerError& error) {
    if (is_default()) throw;
    fail(Verdict::not_compiled, error.what(), false);
    outcome.may_pass = dynamic_cast<const runtime::SourceRefused*>(&error) == nullptr;
  } catch (const runtime::OutOfDeviceMemory& error) {
    if (is_default()) throw;
    fail(Verdict::out_of_memory, error.what(), true);
  } catch (const runtime::DeviceRuined& error) {
    kernels_.device_is_ruined();
    if (is_default()) throw;
    fail(Verdict::crashed, error.what(), true);
  } catch (const DeviceError& error) {
    if (is_default()) throw;
    fail(Verdict::failed, error.what(), true);
  } catch (const std::bad_alloc&) {
    if (is_default()) throw;
    fail(Verdict::out_of_memory, "not enough host memory for the candidate", true);
  }
}

void InProcessRunner::start(const Config& config, const RunRequest& request) {
  started_ = {{config}, request};
  check_size(sized(problem_, request.size), engine_.device());
  probe(request.size);
  attempt(&InProcessRunner::begin_run);
}

Outcome InProcessRunner::finish() {
  if (started_.outcome.failure.empty()) attempt(&InProcessRunner::end_run);
  return std::move(started_.outcome);
}

// What waits until the device is idle comes last: loading, and letting go of kernels. What keeps one from being ready
// shows when it is asked for.
void InProcessRunner::get_ready() {
  const RunRequest& request = started_.request;
  if (request.next.empty() || !started_.samples->under_way) return;
  kernels_.end_series_of_losers();
  for (const bool loaded : {true, false}) {
    for (const Config& config : request.next) {
      if (kernels_.holds(config) != loaded) continue;
      try {
        HeldKernel& kernel = kernels_.load(config);
        if (!loaded || kernel.series.contains(series_key(request))) continue;
        if (kernel.candidate.reserve(check_.items_of_call(kernel.candidate, request.size))) kernel.series.clear();
        started_.timer->record_ahead(kernel.series_of(request, timed_call(kernel.candidate, request)),
                                     *started_.series.front(), timing_of(request, kernel.candidate.plan().steps()));
      } catch (const std::exception&) {
      }
    }
  }
  kernels_.let_go_of_losers();
}

// Each round has the workspaces elsewhere.
Samples InProcessRunner::take_moved() {
  struct HomeAtEnd {
    HeldKernels& kernels;
    ~HomeAtEnd() { kernels.return_home(); }
  };
  const HomeAtEnd home{kernels_};
  const RunRequest& request = started_.request;
  const int parts = std::clamp(request.moves, 1, std::max(request.samples, 1));
  Samples samples(started_.configs.size());
  for (int part = 0; part < parts; ++part) {
    kernels_.move(started_.configs);
    started_.options.samples = request.samples * (part + 1) / parts - request.samples * part / parts;
    const Samples taken = started_.timer->finish(started_.timer->start_in_turn(started_.series, started_.options));
    for (std::size_t i = 0; i < taken.size(); ++i)
      samples[i].insert(samples[i].end(), taken[i].begin(), taken[i].end());
  }
  return samples;
}

void InProcessRunner::let_go_of_started() {
  started_.samples.reset();
  for (const Config& config : started_.configs) kernels_.let_go(config);
}

void InProcessRunner::start_in_turn(std::span<const Config> configs, const RunRequest& request) {
  started_ = {{configs.begin(), configs.end()}, request};
  try {
    probe(request.size);
    started_.timer = &measurement(request);
    std::size_t steps = 1;
    for (const Config& config : started_.configs) {
      steps = std::max(steps, prepare(config, request.size).candidate.plan().steps());  // which may end series
    }
    started_.options = timing_of(request, steps);
    for (const Config& config : started_.configs) {
      HeldKernel& kernel = kernels_.load(config);
      started_.series.push_back(&kernel.series_of(request, timed_call(kernel.candidate, request)));
    }
    started_.busy_before_us = started_.timer->busy_us();
    const bool moves = request.moves > 0 && !request.replay && kernels_.make_places(started_.configs);
    if (!moves) started_.samples = started_.timer->start_in_turn(started_.series, started_.options);
  } catch (const base::Cancelled&) {
    let_go_of_started();
    throw;
  }
}

Samples InProcessRunner::finish_in_turn() {
  try {
    if (started_.samples) get_ready();
    Samples samples =
        started_.samples ? started_.timer->finish(*std::exchange(started_.samples, std::nullopt)) : take_moved();
    busy_us_ += started_.timer->busy_us() - started_.busy_before_us;
    return samples;
  } catch (const base::Cancelled&) {
    let_go_of_started();
    throw;
  }
}

}  // namespace upsweep::tuner
