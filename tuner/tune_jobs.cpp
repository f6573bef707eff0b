// Many problems on several devices at once.
#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include <upsweep/error.hpp>
#include <upsweep/tune.hpp>

#include "generator/algorithm.hpp"
#include "runtime/context_engine.hpp"
#include "tuner/session/fitting_sizes.hpp"
#include "tuner/tune_engine.hpp"
#include "tuner/worker/compile_pool.hpp"

namespace upsweep::tuner {
namespace {

// The jobs of one kind of device, handed out one by one.
struct Queue {
  DeviceIdentity identity;
  std::size_t next = 0;
};

class Scheduler {
 public:
  Scheduler(std::span<const TuneJob> jobs, const TuneOptions& options,
            const std::function<void(const TuneJob&, const std::string&)>& failed)
      : jobs_(jobs), options_(options), failed_(failed) {
    if (options.total_budget.count() > 0) end_ = Clock::now() + options.total_budget;
  }

  std::vector<TuneReport> run(std::span<runtime::Engine* const> engines) {
    for (runtime::Engine* engine : engines) (void)queue_of(*engine);
    compilers_each_ = std::max(default_compilers() / static_cast<int>(engines.size()), 1);
    all_jobs_ = static_cast<int>(jobs_.size() * queues_.size());
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < engines.size(); ++i) threads.emplace_back([this, &engines, i] { work(*engines[i]); });
    } catch (const std::system_error& error) {
      const std::lock_guard lock(mutex_);  // those that work already end with the job that they are at
      fatal_ = std::make_exception_ptr(no_thread("for each device", error));
    }
    work(*engines.front());
    threads.clear();
    if (fatal_) std::rethrow_exception(fatal_);
    return std::move(reports_);
  }

 private:
  [[nodiscard]] Queue& queue_of(runtime::Engine& engine) {
    const DeviceIdentity& identity = engine.device().identity();
    const auto at =
        std::find_if(queues_.begin(), queues_.end(), [&](const Queue& queue) { return queue.identity == identity; });
    return at != queues_.end() ? *at : queues_.emplace_back(Queue{identity, 0});
  }

  [[nodiscard]] const TuneJob* take(runtime::Engine& engine) {
    const std::lock_guard lock(mutex_);
    Queue& queue = queue_of(engine);
    if (fatal_ || options_.stop.stop_requested() || queue.next == jobs_.size()) return nullptr;
    if (Clock::now() >= end_) {
      for (; queue.next < jobs_.size(); ++queue.next)
        failed_(jobs_[queue.next], "the time for all problems ended before this problem was started");
      return nullptr;
    }
    return &jobs_[queue.next++];
  }

  void work(runtime::Engine& engine) {
    while (const TuneJob* job = take(engine)) {
      try {
        TuneReport report = tune(engine, job->problem, options_for(*job));
        const std::lock_guard lock(mutex_);
        ++jobs_done_;
        if (options_.finished) options_.finished(report);
        reports_.push_back(std::move(report));
      } catch (const DatabaseError&) {
        give_up();  // the next job would fare no better
      } catch (const OutOfTime& error) {
        fail(*job, error);
      } catch (const UsageError&) {
        give_up();
      } catch (const Error& error) {
        fail(*job, error);
      } catch (...) {
        give_up();
      }
    }
  }

  void fail(const TuneJob& job, const Error& error) {
    const std::lock_guard lock(mutex_);
    ++jobs_done_;
    failed_(job, error.what());
  }

  void give_up() {
    const std::lock_guard lock(mutex_);
    if (!fatal_) fatal_ = std::current_exception();
  }

  [[nodiscard]] TuneOptions options_for(const TuneJob& job) {
    TuneOptions options = options_;
    options.sizes = job.sizes;
    if (end_ != Clock::time_point::max()) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
      options.budget = std::min(options.budget, std::max(left, left.zero()));
    }
    if (options.compile_jobs == 0) options.compile_jobs = compilers_each_;
    if (!options_.progress) return options;
    options.progress = [this](TuneProgress progress) {
      const std::lock_guard lock(mutex_);
      progress.jobs_done = jobs_done_;
      progress.jobs = all_jobs_;
      options_.progress(progress);
    };
    return options;
  }

  using Clock = std::chrono::steady_clock;
  std::span<const TuneJob> jobs_;
  const TuneOptions& options_;
  int compilers_each_ = 1;
  const std::function<void(const TuneJob&, const std::string&)>& failed_;
  Clock::time_point end_ = Clock::time_point::max();
  std::mutex mutex_;  // of all that follows
  std::vector<Queue> queues_;
  std::vector<TuneReport> reports_;
  int jobs_done_ = 0;
  int all_jobs_ = 0;
  std::exception_ptr fatal_;
};

}  // namespace

std::vector<TuneReport> tune(std::span<runtime::Engine* const> engines, std::span<const TuneJob> jobs,
                             const TuneOptions& options,
                             const std::function<void(const TuneJob&, const std::string&)>& failed) {
  if (engines.empty()) throw UsageError("no device to tune: give at least one context");
  return Scheduler(jobs, options, failed).run(engines);
}

std::vector<TuneJob> built_in_jobs(const runtime::Device& device) {
  constexpr int first_class = 10, last_class = 30, last_class_on_the_host = 14;
  const int last = device.target() == Target::host ? last_class_on_the_host : last_class;
  std::vector<TuneJob> jobs;
  for (const Problem& problem : built_in_problems()) {
    TuneJob job{problem, {}};
    for (int each = first_class; each <= last; ++each) {
      const std::uint64_t items = std::uint64_t{1} << each;
      const std::uint64_t bytes = input_bytes(problem, items) + output_bytes(problem, items);
      const std::uint64_t memory = device.limits().memory_bytes;
      if (memory == 0 || bytes <= memory / 2) job.sizes.push_back(items);
    }
    if (!job.sizes.empty()) jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace upsweep::tuner

namespace upsweep {

std::vector<TuneReport> tune(std::span<Context* const> contexts, std::span<const TuneJob> jobs,
                             const TuneOptions& options,
                             const std::function<void(const TuneJob&, const std::string& reason)>& failed) {
  std::vector<runtime::Engine*> engines;
  for (const Context* context : contexts) engines.push_back(&runtime::engine_of(*context));
  return tuner::tune(engines, jobs, options, failed);
}

std::vector<TuneJob> built_in_jobs(const Context& context) {
  return tuner::built_in_jobs(runtime::engine_of(context).device());
}

}  // namespace upsweep
