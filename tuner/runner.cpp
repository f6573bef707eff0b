#include "tuner/runner.hpp"

#include <algorithm>
#include <set>

#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tuner/data.hpp"

namespace upsweep::tuner {
namespace {

// Enough that values show no pattern; longer inputs repeat it.
constexpr std::uint64_t pattern_items = std::uint64_t{1} << 20;

std::uint64_t outputs_of(const Problem& problem) {
  return problem.algorithm == Algorithm::reduce ? 1 : problem.size;
}

std::byte* aligned(void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t up = WorkspaceRule::header_bytes - 1;
  return static_cast<std::byte*>(memory) + (((address + up) & ~up) - address);
}

runtime::Buffer workspace_memory(runtime::Device& device, std::uint64_t bytes) {
  return bytes == 0 ? runtime::Buffer() : runtime::Buffer(device, bytes + WorkspaceRule::header_bytes);
}

}  // namespace

Candidate::Candidate(runtime::Device& device, Plan plan, runtime::Stream stream, std::uint64_t most_items)
    : plan_(std::move(plan)),
      stream_(stream),
      memory_(workspace_memory(device, plan_.workspace_bytes(most_items))),
      workspace_(plan_.borrow_workspace(aligned(memory_.data()), plan_.workspace_bytes(most_items), stream)) {}

void Candidate::run(const void* in, void* out, std::uint64_t n, const Scalar& initial) const {
  plan_.run(in, out, n, initial, stream_, workspace_);
}

InProcessRunner::InProcessRunner(runtime::Engine& engine, const Problem& problem, std::uint64_t seed)
    : engine_(engine),
      problem_(problem),
      default_config_(Space(problem, engine.device().limits()).default_config()),
      identity_(identity(problem.op, problem.accumulator)),
      stream_(engine.device()),
      verifier_(engine.device(), stream_.stream, problem, seed),
      measurement_(engine.device(), stream_.stream, problem.size * size_of(problem.input),
                   outputs_of(problem) * size_of(problem.output),
                   make_data(problem, std::min(problem.size, pattern_items), seed)) {}

InProcessRunner::~InProcessRunner() {
  try {
    engine_.device().synchronize(stream_.stream);  // nothing may run in memory that is about to be freed
  } catch (const DeviceError&) {
    // The device is lost and nothing runs on it any more; who needs to know has been told.
  }
}

const Candidate& InProcessRunner::prepare(const Config& config) {
  if (const auto at = candidates_.find(config); at != candidates_.end()) return at->second;
  const Source source = generate(problem_, config, engine_.device().target());
  if (!engine_.kernels().holds(source.key)) own_kernels_[config] = source.key;
  Plan plan = engine_.plan(problem_, config, stream_.stream);
  const std::vector<std::uint64_t> sizes = verifier_.sizes(source.launch.items_per_tile);
  const std::uint64_t most = std::max(problem_.size, sizes.back());
  return candidates_.try_emplace(config, engine_.device(), std::move(plan), stream_.stream, most).first->second;
}

Measurement::Call InProcessRunner::timed_call(const Candidate& candidate) const {
  return [this, &candidate](const void* in, void* out, runtime::Stream) {
    candidate.run(in, out, problem_.size, identity_);
  };
}

std::vector<double> InProcessRunner::verify_and_time(const Config& config, double limit_us, std::string& failure) {
  const Candidate& candidate = prepare(config);
  failure = verifier_.check([&](const void* in, void* out, std::uint64_t n, const Scalar& initial,
                                runtime::Stream) { candidate.run(in, out, n, initial); },
                            candidate.plan().source().launch.items_per_tile);
  if (!failure.empty()) return {};
  TimingOptions options;
  options.limit_us = limit_us;
  return measurement_.time(timed_call(candidate), options);
}

Outcome InProcessRunner::run(const Config& config, double limit_us) {
  Outcome outcome;
  try {
    outcome.samples_us = verify_and_time(config, limit_us, outcome.failure);
  } catch (const CompilerError& error) {
    if (config == default_config_) throw;
    outcome.failure = error.what();
  } catch (const DeviceError& error) {
    if (config == default_config_) throw;
    outcome.failure = error.what();
    outcome.device_failed = true;
  }
  return outcome;
}

void InProcessRunner::probe() {
  const Candidate& candidate = prepare(default_config_);
  (void)measurement_.time(timed_call(candidate), {.samples = 1, .maximum_calls = 1});
}

std::vector<std::vector<double>> InProcessRunner::run_in_turn(std::span<const Config> configs, int samples) {
  std::vector<Measurement::Call> calls;
  for (const Config& config : configs) calls.push_back(timed_call(prepare(config)));
  TimingOptions options;
  options.samples = samples;
  return measurement_.time_in_turn(calls, options);
}

void InProcessRunner::let_go(const Config& config) {
  candidates_.erase(config);
  if (const auto own = own_kernels_.find(config); own != own_kernels_.end()) {
    engine_.kernels().drop(own->second);
    own_kernels_.erase(own);
  }
}

void InProcessRunner::keep_only(std::span<const Config> configs) {
  std::set<Config> losers;
  for (const auto& candidate : candidates_) losers.insert(candidate.first);
  for (const auto& kernel : own_kernels_) losers.insert(kernel.first);
  for (const Config& config : configs) losers.erase(config);
  if (losers.empty()) return;
  engine_.device().synchronize(stream_.stream);
  for (const Config& config : losers) let_go(config);
}

}  // namespace upsweep::tuner
