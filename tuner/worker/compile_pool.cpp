#include "tuner/worker/compile_pool.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/cancellation.hpp"
#include "tuner/compile/compile_config.hpp"

namespace upsweep::tuner {
namespace {

// What ended the attempt, not what the compiler said of the source.
CompileResult not_tried(const Config& config, std::string failure) {
  return {.config = config,
          .verdict = tuning_db::Verdict::not_compiled,
          .failure = std::move(failure),
          .binary = {},
          .may_pass = true};
}

}  // namespace

int default_compilers() {
  const int threads = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(threads - std::max(threads / 8, 1), 1);
}

CompilePool::CompilePool(Options options) : options_(std::move(options)) {
  if (options_.workers <= 0) options_.workers = default_compilers();
  if (!options_.compiler) options_.compiler = compiler_for(options_.architecture);
  if (options_.queue == 0) options_.queue = 2 * static_cast<std::size_t>(options_.workers);
}

CompilePool::~CompilePool() {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
  }
  for (std::jthread& thread : threads_) thread.request_stop();
  changed_.notify_all();
}

std::size_t CompilePool::pending() const {
  const std::lock_guard lock(mutex_);
  return outstanding_;
}

bool CompilePool::ready() {
  const std::lock_guard lock(mutex_);
  return !done_.empty();
}

std::size_t CompilePool::enough() const {
  const auto workers = static_cast<std::size_t>(options_.workers);
  return std::min(workers + (workers + 1) / 2, workers + options_.queue);
}

CompileResult CompilePool::wait() {
  constexpr std::chrono::milliseconds step{20};
  while (true) {
    if (std::optional<CompileResult> result = wait(step)) return *std::move(result);
    base::throw_if_cancelled();
  }
}

void CompilePool::submit(const Config& config) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.size() < options_.queue; });
  queue_.push_back(config);
  ++outstanding_;
  if (queue_.size() > static_cast<std::size_t>(idle_) && static_cast<int>(threads_.size()) < options_.workers) {
    add_thread();
  }
  changed_.notify_all();
}

void CompilePool::add_thread() {
  try {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  } catch (const std::system_error& error) {
    if (!threads_.empty()) return;  // those that there are do it, if later
    queue_.pop_back();
    --outstanding_;
    throw no_thread("for compiling", error);
  }
}

std::optional<CompileResult> CompilePool::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [this] { return !done_.empty() || outstanding_ == 0; });
  if (done_.empty()) return std::nullopt;
  CompileResult result = std::move(done_.front());
  done_.pop_front();
  --outstanding_;
  return result;
}

void CompilePool::work(const std::stop_token& stop) {
  const base::CancellationScope scope(stop);
  std::optional<WorkerProcess> worker;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    ++idle_;
    const bool found = changed_.wait(lock, stop, [this] { return !queue_.empty(); });
    --idle_;
    if (!found) return;
    const Config config = std::move(queue_.front());
    queue_.pop_front();
    changed_.notify_all();
    lock.unlock();
    CompileResult result = options_.worker ? compile(config, worker, stop) : compile_here(config);
    lock.lock();
    done_.push_back(std::move(result));
    changed_.notify_all();
  }
}

CompileResult CompilePool::compile_here(const Config& config) {
  try {
    runtime::BinaryCache cache(options_.cache);
    return compile_config(*options_.compiler, cache, options_.problem, config, options_.architecture);
  } catch (const std::exception& error) {
    return not_tried(config, error.what());
  }
}

// A worker that is lost is tried once more, in a new one: what killed it may have been meant for another process.
CompileResult CompilePool::compile(const Config& config, std::optional<WorkerProcess>& worker,
                                   const std::stop_token& stop) {
  Attempt first = attempt(config, worker, stop);
  if (!first.again || stop.stop_requested()) return std::move(first.result);
  return attempt(config, worker, stop).result;
}

CompilePool::Attempt CompilePool::attempt(const Config& config, std::optional<WorkerProcess>& worker,
                                          const std::stop_token& stop) {
  try {
    if (!worker) worker.emplace(*options_.worker);
    const Compile request{options_.problem, config, options_.architecture};
    const WorkerProcess::Heard heard = worker->ask(request, options_.deadline, stop);
    if (const auto* lost = std::get_if<WorkerProcess::Lost>(&heard)) {
      worker.reset();
      return {not_tried(config, fmt::format("the compiler process was lost: {}", lost->how)), !lost->hung};
    }
    const Answer& answer = std::get<Answer>(heard);
    const auto* result = std::get_if<CompileResult>(&answer);
    // Whoever waits for this config must not be given another one.
    if (result != nullptr && result->config == config) return {*result, false};
    worker.reset();
    const auto* failed = std::get_if<Failed>(&answer);
    return {not_tried(config, failed != nullptr ? failed->message : "the worker sent an unexpected answer"), false};
  } catch (const std::exception& error) {
    return {not_tried(config, error.what()), false};
  }
}

DeviceError no_thread(const std::string& what, const std::system_error& error) {
  return DeviceError(fmt::format(
      "cannot start a thread {} ({}): end other processes, or raise the limit of this user or container (ulimit -u)",
      what, error.code().message()));
}

}  // namespace upsweep::tuner
