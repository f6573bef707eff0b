#include "tuner/worker/worker_runner.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tuner/worker/worker_main.hpp"

namespace upsweep::tuner {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int attempts = 2;
constexpr int warm_up_samples = 8;  // as long as samples, at most

[[noreturn]] void pass_on(const Failed& failed) {
  switch (failed.kind) {
    case ErrorKind::compiler:
      throw CompilerError(failed.message);
    case ErrorKind::usage:
      throw UsageError(failed.message);
    case ErrorKind::device:
      throw DeviceError(failed.message);
    default:
      throw Error(failed.kind, failed.message);
  }
}

Failed nonsense() {
  return {.kind = ErrorKind::device, .message = "the worker sent an unexpected answer"};
}

}  // namespace

WorkerRunner::WorkerRunner(const runtime::Device& device, Options options)
    : options_(std::move(options)),
      device_(device.label()),
      description_(describe_device(device)),
      limits_(device.limits()) {
  start_worker();
}

void WorkerRunner::start_worker() {
  for (int attempt = 1;; ++attempt) {
    try {
      worker_.emplace(options_.worker);
      ++workers_;
      return open();
    } catch (const DeviceError&) {
      worker_.reset();
      if (attempt == attempts) throw;
    }
  }
}

void WorkerRunner::open() {
  const Open request{.device = device_, .problem = options_.problem, .seed = options_.seed};
  const WorkerProcess::Heard heard = worker_->ask(request, options_.deadlines.open);
  if (const auto* lost = std::get_if<Lost>(&heard)) {
    throw DeviceError(fmt::format("a worker could not open {}: {}", device_, lost->how));
  }
  const Answer& answer = std::get<Answer>(heard);
  if (const auto* failed = std::get_if<Failed>(&answer)) pass_on(*failed);
  const auto* opened = std::get_if<Opened>(&answer);
  if (opened == nullptr) pass_on(nonsense());
  if (opened->device != description_) {
    throw DeviceError(fmt::format(
        "{} is another device in a worker process ({}) than in this process ({}): check CUDA_VISIBLE_DEVICES", device_,
        opened->device, description_));
  }
}

WorkerProcess& WorkerRunner::worker() {
  if (!worker_) start_worker();
  return *worker_;
}

bool WorkerRunner::is_default(const Config& config, std::uint64_t size) const {
  Problem problem = options_.problem;
  problem.size = size;
  return config == Space(problem, limits_).default_config();
}

milliseconds WorkerRunner::patience(const RunRequest& request) const {
  const Deadlines& deadlines = options_.deadlines;
  if (known_size_ == 0) return deadlines.first;
  const double ratio = static_cast<double>(request.size) / static_cast<double>(known_size_);
  const double seconds = known_seconds_ * std::max(ratio, 1.0) +
                         (request.samples + request.more_samples + warm_up_samples) * request.sample_us * 1e-6;
  return std::max(deadlines.least, milliseconds(static_cast<std::int64_t>(deadlines.multiple * seconds * 1e3)));
}

Outcome WorkerRunner::lose(const Lost& lost, const char* when) {
  worker_.reset();
  return {.verdict = lost.hung ? Verdict::hung : Verdict::crashed,
          .failure = fmt::format("the worker was lost {}: {}", when, lost.how)};
}

WorkerRunner::Attempt WorkerRunner::listen_to_run(const RunRequest& request, bool is_default) {
  const Clock::time_point begin = Clock::now();
  WorkerProcess::Heard heard = listen(patience(request));
  if (const auto* lost = std::get_if<Lost>(&heard)) return {.outcome = lose(*lost, "while the candidate ran")};
  auto* ran = std::get_if<Ran>(&std::get<Answer>(heard));
  if (ran == nullptr) {
    const auto* failed = std::get_if<Failed>(&std::get<Answer>(heard));
    Attempt failure{.failed = failed == nullptr ? nonsense() : *failed};
    worker_.reset();
    return failure;
  }
  busy_seconds_ += ran->busy_seconds;
  if (ran->leaving) worker_.reset();
  if (is_default && ran->outcome.verdict == Verdict::measured) {
    known_seconds_ = std::max(known_seconds_, std::chrono::duration<double>(Clock::now() - begin).count());
    known_size_ = std::max(known_size_, request.size);
  }
  return {.outcome = std::move(ran->outcome)};
}

WorkerProcess::Heard WorkerRunner::listen(milliseconds patience) {
  try {
    return worker_->listen(patience);
  } catch (...) {
    worker_.reset();
    throw;
  }
}

void WorkerRunner::send() {
  if (std::exchange(under_way_, false)) worker_.reset();  // nobody will listen to its answer
  Request request = Run{.number = runs_, .config = configs_.front(), .request = request_};
  if (in_turn_) request = Turn{.configs = configs_, .request = request_};
  static_cast<void>(worker().tell(request));  // that it is lost, listening will say
  under_way_ = true;
}

WorkerProcess::Heard WorkerRunner::hear(milliseconds patience) {
  if (!under_way_) send();
  under_way_ = false;
  return listen(patience);
}

WorkerRunner::Attempt WorkerRunner::attempt(bool is_default) {
  const WorkerProcess::Heard heard = hear(options_.deadlines.load);
  if (const auto* lost = std::get_if<Lost>(&heard)) {
    Outcome outcome = lose(*lost, "while the candidate was compiled and loaded");
    if (lost->hung) {
      outcome.verdict = Verdict::not_compiled;
      outcome.may_pass = true;
    }
    return {.outcome = std::move(outcome)};
  }
  const Answer& answer = std::get<Answer>(heard);
  if (std::holds_alternative<Loaded>(answer)) return listen_to_run(request_, is_default);
  if (const auto* ran = std::get_if<Ran>(&answer)) {  // it could not be loaded
    if (ran->leaving) worker_.reset();
    return {.outcome = ran->outcome};
  }
  const auto* failed = std::get_if<Failed>(&answer);
  Attempt failure{.failed = failed == nullptr ? nonsense() : *failed};
  worker_.reset();
  return failure;
}

void WorkerRunner::start(const Config& config, const RunRequest& request) {
  ++runs_;
  configs_ = {config};
  request_ = request;
  in_turn_ = false;
  send();
}

Outcome WorkerRunner::finish() {
  const bool by_default = is_default(configs_.front(), request_.size);
  for (int number = 1;; ++number) {
    Attempt tried = attempt(by_default);
    const bool after_keeping = std::exchange(kept_, false);
    const bool alone = request_.next.empty() && !after_keeping;
    request_.next.clear();  // once is enough, and it must not be what ends workers
    if (tried.failed) {
      // The default config, or a worker that an earlier candidate has left in disorder: a fresh one will tell.
      if (tried.failed->kind != ErrorKind::device || number == attempts) pass_on(*tried.failed);
      continue;
    }
    const Verdict verdict = tried.outcome->verdict;
    const bool ended = verdict == Verdict::crashed || verdict == Verdict::hung || verdict == Verdict::not_compiled;
    // It may have been one of the next ones, or one that was let go of.
    if (ended && !alone && number < attempts) continue;
    if (!ended || !by_default) return std::move(*tried.outcome);
    if (number == attempts) {
      throw DeviceError(
          fmt::format("the default config failed on {} in two new workers: {}", device_, tried.outcome->failure));
    }
  }
}

std::optional<Samples> WorkerRunner::turn() {
  kept_ = false;  // whatever ends this one, it is tried again
  const WorkerProcess::Heard heard =
      hear(options_.deadlines.load + static_cast<int>(configs_.size()) * patience(request_));
  if (const auto* answer = std::get_if<Answer>(&heard)) {
    if (const auto* turned = std::get_if<Turned>(answer);
        turned != nullptr && turned->samples_us.size() == configs_.size()) {
      busy_seconds_ += turned->busy_seconds;
      return turned->samples_us;
    }
  }
  worker_.reset();
  return std::nullopt;
}

void WorkerRunner::start_in_turn(std::span<const Config> configs, const RunRequest& request) {
  configs_ = {configs.begin(), configs.end()};
  request_ = request;
  in_turn_ = true;
  send();
}

Samples WorkerRunner::finish_in_turn() {
  for (int number = 1; number <= attempts; ++number) {
    if (auto samples = turn()) return std::move(*samples);
    request_.next.clear();  // it may be what ended the worker
  }
  // One of them ends workers: each alone shows which, and the others have their times.
  Samples samples;
  const RunRequest alone = request_;
  for (const Config& config : std::vector<Config>(configs_)) samples.push_back(run(config, alone).samples_us);
  return samples;
}

void WorkerRunner::keep_only(std::span<const Config> configs) {
  if (!worker_) return;
  kept_ = worker_->tell(Keep{.configs = {configs.begin(), configs.end()}});
  if (!kept_) worker_.reset();
}

}  // namespace upsweep::tuner
