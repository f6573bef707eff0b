#include "tuner/worker/in_process_runner.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/median.hpp"
#include "generator/space.hpp"
#include "runtime/machine_code.hpp"
#include "tuner/measure/sizes.hpp"

namespace upsweep::tuner {
namespace {

// Enough that values show no pattern; longer inputs repeat it.
constexpr std::uint64_t pattern_items = std::uint64_t{1} << 20;
constexpr std::uint64_t least_pattern_items = std::uint64_t{1} << 16;  // other sizes may be asked for

Problem sized(Problem problem, std::uint64_t size) {
  problem.size = size;
  return problem;
}

runtime::Engine& fit_for(const Problem& problem, runtime::Engine& engine) {
  check_size(problem, engine.device());
  return engine;
}

Shifts shifts_of_calls(const Problem& problem, bool misaligned) {
  return misaligned ? shifts_of(problem, 1, 2) : Shifts{};
}

// What tells calls apart that are recorded.
std::tuple<std::uint64_t, bool, bool> series_key(const RunRequest& request) {
  return {request.size, request.replay, request.misaligned};
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
      sequential_(engine, problem, stream_.stream),
      verifier_(engine.device(), stream_.stream, problem, seed, sequential_.calls(), comparison()),
      patterns_(make_call_data(problem, std::clamp(problem.size, least_pattern_items, pattern_items), seed).inputs) {
  if (engine.device().target() == Target::cuda) (void)measurement(problem.size);
}

InProcessRunner::~InProcessRunner() {
  try {
    let_go_of_losers();
    engine_.device().synchronize(stream_.stream);  // nothing may run in memory that is about to be freed
  } catch (const DeviceError&) {
    // The device is lost and nothing runs on it any more; who needs to know has been told.
  }
}

Verifier::Comparison InProcessRunner::comparison() {
  if (engine_.device().target() != Target::cuda) return {};
  try {
    comparison_.emplace(engine_.device(), engine_.kernels());
  } catch (const Error&) {
    return {};  // then everything is fetched, and whatever is wrong shows at the first candidate
  }
  return {.begin = [this](runtime::Stream stream) { comparison_->begin(stream); },
          .compare = [this](const void* a, const void* b, std::uint64_t bytes,
                            runtime::Stream stream) { comparison_->compare(a, b, bytes, stream); },
          .all_same = [this](runtime::Stream stream) { return comparison_->all_same(stream); }};
}

const Config& InProcessRunner::default_config(std::uint64_t size) {
  const auto at = defaults_.find(size);
  if (at != defaults_.end()) return at->second;
  const Space space(sized(problem_, size), engine_.device().limits());
  return defaults_.emplace(size, space.default_config()).first->second;
}

InProcessRunner::Entry& InProcessRunner::load(const Config& config) {
  losers_.erase(config);
  auto at = candidates_.find(config);
  if (at == candidates_.end()) {
    for (const Source& source : generate_steps(problem_, config, engine_.device().target())) {
      if (!engine_.kernels().holds(source.key)) own_kernels_[config].push_back(source.key);
    }
    Plan plan = engine_.plan(problem_, config, stream_.stream);
    std::vector<std::string> machine_code;
    for (const auto& step : plan.state().steps) machine_code.push_back(step->machine_code);
    Candidate candidate(engine_.device(), std::move(plan), stream_.stream);
    Entry entry{std::move(candidate), runtime::combined_machine_code(machine_code)};
    at = candidates_.try_emplace(config, std::move(entry)).first;
  }
  return at->second;
}

InProcessRunner::Entry& InProcessRunner::prepare(const Config& config, std::uint64_t size) {
  Entry& entry = load(config);
  engine_.device().synchronize(stream_.stream);
  if (entry.candidate.reserve(items_of_call(entry, size))) entry.series.clear();
  return entry;
}

bool InProcessRunner::make_places(std::span<const Config> configs) {
  std::uint64_t bytes = 0;
  for (const Config& config : configs) bytes = std::max(bytes, load(config).candidate.workspace_bytes());
  if (bytes == 0) return false;
  if (places_ && places_->have_room(configs.size(), bytes)) return true;
  places_.reset();
  try {
    places_.emplace(engine_.device(), configs.size(), bytes);
  } catch (const DeviceError&) {
    return false;  // if the device is at fault, that shows at once
  }
  return true;
}

void InProcessRunner::move(std::span<const Config> configs) {
  for (std::size_t i = 0; i < configs.size(); ++i) load(configs[i]).candidate.move(places_->at(i, moves_));
  ++moves_;
}

// The most, those that check it included.
std::uint64_t InProcessRunner::items_of_call(const Entry& entry, std::uint64_t size) const {
  return std::max(size, verifier_.sizes(entry.candidate.tiles(), size).back());
}

void InProcessRunner::record_ahead(Entry& entry, const RunRequest& request, const Series& like, Measurement& timer) {
  if (entry.series.contains(series_key(request))) return;
  if (entry.candidate.reserve(items_of_call(entry, request.size))) entry.series.clear();
  timer.record_ahead(series(entry, request), like, timing_of(request, entry.candidate.plan().steps()));
}

// What waits until the device is idle comes last: loading, and letting go of kernels. What keeps one from being ready
// shows when it is asked for.
void InProcessRunner::get_ready(const RunRequest& request, const Series& like, Measurement& timer) {
  for (const Config& loser : losers_) {
    if (const auto at = candidates_.find(loser); at != candidates_.end()) at->second.series.clear();
  }
  for (const bool loaded : {true, false}) {
    for (const Config& config : request.next) {
      if (candidates_.contains(config) != loaded) continue;
      try {
        Entry& entry = load(config);
        if (loaded) record_ahead(entry, request, like, timer);
      } catch (const std::exception&) {
      }
    }
  }
  let_go_of_losers();
}

void InProcessRunner::work_beside(const RunRequest& request, const Series& timed, Measurement& timer) {
  try {
    do_beside();
  } catch (...) {
    beside_failed_ = std::current_exception();  // which is no candidate's fault
  }
  if (!request.next.empty()) get_ready(request, timed, timer);
}

void InProcessRunner::make_room(std::span<const TimedArray> arrays) {
  runtime::Device& device = engine_.device();
  const int slots = rotation_slots(device.limits(), device.target(), bytes_of_call(arrays));
  if (memory_ && memory_->have_room(arrays, slots)) return;
  device.synchronize(stream_.stream);
  let_go_of_losers();
  for (auto& candidate : candidates_) candidate.second.series.clear();
  measurements_.clear();
  places_.reset();
  make_rotation_memory(memory_, device, stream_.stream, arrays, slots);
}

Measurement& InProcessRunner::measurement(std::uint64_t size, bool misaligned) {
  const std::pair key(size, misaligned);
  if (const auto at = measurements_.find(key); at != measurements_.end()) return at->second;
  const std::vector<TimedArray> arrays = timed_arrays(problem_, size, shifts_of_calls(problem_, misaligned), patterns_);
  make_room(arrays);
  return measurements_.try_emplace(key, engine_.device(), stream_.stream, arrays, *memory_).first->second;
}

TimedCall InProcessRunner::timed_call(const Candidate& candidate, const RunRequest& request) const {
  const Shifts shifts = shifts_of_calls(problem_, request.misaligned);
  return [this, &candidate, size = request.size, shifts](const SlotArrays& arrays, runtime::Stream) {
    candidate.run(call_of(shifted(arrays, shifts), size, scalars_));
  };
}

Series& InProcessRunner::series(Entry& entry, const RunRequest& request) const {
  return entry.series.try_emplace(series_key(request), timed_call(entry.candidate, request)).first->second;
}

// A chain of small tiles can take a thousand times as long as the best, which is not worth measuring at great sizes.
std::string InProcessRunner::hopeless(const Entry& entry, const RunRequest& request, const Measurement& timer) {
  constexpr double hopeless_factor = 16;  // large calls take less time an item than small ones, but not so much less
  const std::uint64_t n = verifier_.sizes(entry.candidate.tiles(), request.size).back();
  if (n >= request.size || std::isinf(request.limit_us)) return {};
  const double scale = static_cast<double>(request.size) / static_cast<double>(n);
  const auto call_us = [&] {
    return engine_.device().elapsed_us(stream_.stream,
                                       [&] { entry.candidate.run(call_of(timer.slot(0), n, scalars_)); });
  };
  const auto is_too_slow = [&](double us) { return us * scale > hopeless_factor * request.limit_us; };
  double us = call_us();
  if (is_too_slow(us)) us = std::min(us, call_us());  // the host may have been late
  if (!is_too_slow(us)) return {};
  return fmt::format("takes {:.0f} us for {} items, which is too slow to measure with {} items", us, n, request.size);
}

void InProcessRunner::verify_and_time(const Config& config, const RunRequest& request, Outcome& outcome) {
  Entry& entry = prepare(config, request.size);
  outcome.binary = entry.machine_code;
  Measurement& timer = measurement(request.size, request.misaligned);
  loaded_();
  const auto checked = right_.find(config);
  if (checked == right_.end() || checked->second < request.size) {
    outcome.failure =
        verifier_.check([&](const runtime::CallValues& values, runtime::Stream) { entry.candidate.run(values); },
                        entry.candidate.tiles(), request.size);
    if (!outcome.failure.empty()) {
      outcome.verdict = Verdict::wrong;
      return;
    }
    outcome.failure = hopeless(entry, request, timer);
    if (!outcome.failure.empty()) {
      outcome.verdict = Verdict::pruned;
      return;
    }
    right_[config] = request.size;
  }
  TimingOptions options = timing_of(request, entry.candidate.plan().steps());
  options.limit_us = request.limit_us;
  Series& own = series(entry, request);
  options.meanwhile = [&] { work_beside(request, own, timer); };
  const double before_us = timer.busy_us();
  outcome.samples_us = timer.time(own, options);
  if (request.more_samples > 0 && base::median(outcome.samples_us) <= request.near_us) {
    options.samples = request.more_samples;
    outcome.more_us = timer.time(own, options);
  }
  outcome.clock_mhz = timer.clocks().multiprocessor_mhz;
  busy_us_ += timer.busy_us() - before_us;
}

void InProcessRunner::in_doubt(Outcome& outcome, Verdict verdict, const std::string& failure) {
  outcome.verdict = verdict;
  outcome.failure = failure;
  outcome.samples_us.clear();
  outcome.more_us.clear();
  doubtful_ = true;
}

void InProcessRunner::rethrow_what_failed_beside() {
  if (beside_failed_) std::rethrow_exception(std::exchange(beside_failed_, nullptr));
}

Outcome InProcessRunner::run(const Config& config, const RunRequest& request) {
  check_size(sized(problem_, request.size), engine_.device());
  probe(request.size);
  const bool is_default = config == default_config(request.size);
  Outcome outcome;
  try {
    try {
      verify_and_time(config, request, outcome);
    } catch (const runtime::OutOfDeviceMemory&) {
      if (losers_.empty() && !places_) throw;
      places_.reset();
      let_go_of_losers();
      verify_and_time(config, request, outcome);
    }
  } catch (const base::Cancelled&) {
    let_go(config);  // its workspace is in disorder
    throw;
  } catch (const CompilerError& error) {
    if (is_default) throw;
    outcome.verdict = Verdict::not_compiled;
    outcome.failure = error.what();
    outcome.may_pass = dynamic_cast<const runtime::SourceRefused*>(&error) == nullptr;
  } catch (const runtime::OutOfDeviceMemory& error) {
    if (is_default) throw;
    in_doubt(outcome, Verdict::out_of_memory, error.what());
  } catch (const runtime::DeviceRuined& error) {
    ruined_ = true;
    if (is_default) throw;
    in_doubt(outcome, Verdict::crashed, error.what());
  } catch (const DeviceError& error) {
    if (is_default) throw;
    in_doubt(outcome, Verdict::failed, error.what());
  } catch (const std::bad_alloc&) {
    if (is_default) throw;
    in_doubt(outcome, Verdict::out_of_memory, "not enough host memory for the candidate");
  }
  rethrow_what_failed_beside();
  return outcome;
}

// One call of the default config says whether the device still works.
void InProcessRunner::probe(std::uint64_t size) {
  if (!doubtful_) return;
  const Entry& entry = prepare(default_config(size), size);
  (void)measurement(size).time(timed_call(entry.candidate, {.size = size}), {.samples = 1, .maximum_calls = 1});
  doubtful_ = false;
}

std::vector<std::vector<double>> InProcessRunner::run_in_turn(std::span<const Config> configs,
                                                              const RunRequest& request) {
  try {
    return time_in_turn(configs, request);
  } catch (const base::Cancelled&) {
    for (const Config& config : configs) let_go(config);  // one of their workspaces is in disorder
    throw;
  }
}

std::vector<std::vector<double>> InProcessRunner::time_in_turn(std::span<const Config> configs,
                                                               const RunRequest& request) {
  probe(request.size);
  Measurement& timer = measurement(request.size, request.misaligned);
  std::size_t steps = 1;
  for (const Config& config : configs) {
    steps = std::max(steps, prepare(config, request.size).candidate.plan().steps());  // which may end series
  }
  TimingOptions options = timing_of(request, steps);
  std::vector<Series*> contestants;
  for (const Config& config : configs) contestants.push_back(&series(load(config), request));
  options.meanwhile = [&] { work_beside(request, *contestants.front(), timer); };
  const ReturnAtEnd home(*this);
  const bool moves = request.moves > 0 && !request.replay && make_places(configs);
  const int parts = moves ? std::clamp(request.moves, 1, std::max(request.samples, 1)) : 1;
  std::vector<std::vector<double>> samples(configs.size());
  for (int part = 0; part < parts; ++part) {
    if (moves) move(configs);
    options.samples = request.samples * (part + 1) / parts - request.samples * part / parts;
    const double before_us = timer.busy_us();
    const std::vector<std::vector<double>> taken = timer.time_in_turn(contestants, options);
    busy_us_ += timer.busy_us() - before_us;
    for (std::size_t i = 0; i < taken.size(); ++i)
      samples[i].insert(samples[i].end(), taken[i].begin(), taken[i].end());
    rethrow_what_failed_beside();
  }
  return samples;
}

void InProcessRunner::let_go(const Config& config) {
  candidates_.erase(config);
  if (const auto own = own_kernels_.find(config); own != own_kernels_.end()) {
    for (const std::string& key : own->second) engine_.kernels().drop(key);
    own_kernels_.erase(own);
  }
}

void InProcessRunner::let_go_of_losers() {
  if (losers_.empty() || ruined_) return;
  engine_.device().synchronize(stream_.stream);
  for (const Config& config : losers_) let_go(config);
  losers_.clear();
}

void InProcessRunner::drop_all() {
  keep_only({});
  let_go_of_losers();
}

void InProcessRunner::keep_only(std::span<const Config> configs) {
  let_go_of_losers();  // of the last time
  for (const auto& candidate : candidates_) losers_.insert(candidate.first);
  for (const auto& kernel : own_kernels_) losers_.insert(kernel.first);
  for (const Config& config : configs) losers_.erase(config);
}

}  // namespace upsweep::tuner
