// Compiles many configs at a time, in processes of their own where there are workers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <upsweep/error.hpp>
#include <upsweep/problem.hpp>

#include "runtime/cache/binary_cache.hpp"
#include "runtime/compiler.hpp"
#include "tuner/compile/compilations.hpp"
#include "tuner/worker/worker_process.hpp"

namespace upsweep::tuner {

// The threads that the machine runs but for an eighth of them, and for one at least, which is left to what is timed;
// one where there is but one. Samples are replays, or calls in a held stream, so a
// host that is busy does not show in them.
[[nodiscard]] int default_compilers();

class CompilePool final : public Compilations {
 public:
  struct Options {
    Problem problem;
    std::string architecture;  // as runtime::architecture_for
    // None: compiles in threads of this process, and what ends the compiler ends it all.
    std::optional<WorkerSettings> worker = std::nullopt;
    // For threads; workers make their own compiler and have their cache from their variables.
    std::shared_ptr<runtime::Compiler> compiler = nullptr;  // none: the one for the architecture
    runtime::BinaryCache::Options cache = {};
    int workers = 0;                             // 0: default_compilers()
    std::size_t queue = 0;                       // configs that wait to be compiled; 0: twice the workers
    std::chrono::milliseconds deadline{60'000};  // of one; in workers only
  };
  // Workers are started when there is work for them.
  explicit CompilePool(Options options);
  // Ends the workers, and the compilers that threads have started; a thread that compiles by itself, as NVRTC makes it,
  // finishes first.
  ~CompilePool() override;
  CompilePool(const CompilePool&) = delete;
  CompilePool& operator=(const CompilePool&) = delete;

  // One for each compiler, and one more for every other one: what waits longer was proposed with less known.
  [[nodiscard]] std::size_t enough() const override;
  // Waits while the queue is full.
  void submit(const Config& config) override;
  [[nodiscard]] bool ready() override;
  // Submitted and not yet given back by `wait`.
  [[nodiscard]] std::size_t pending() const override;
  [[nodiscard]] CompileResult wait() override;
  // None: nothing is pending, or nothing was done in that time.
  [[nodiscard]] std::optional<CompileResult> wait(std::chrono::milliseconds patience);

 private:
  void work(const std::stop_token& stop);
  void add_thread();
  [[nodiscard]] CompileResult compile(const Config& config, std::optional<WorkerProcess>& worker,
                                      const std::stop_token& stop);
  struct Attempt {
    CompileResult result;
    bool again = false;
  };
  [[nodiscard]] Attempt attempt(const Config& config, std::optional<WorkerProcess>& worker,
                                const std::stop_token& stop);
  [[nodiscard]] CompileResult compile_here(const Config& config);

  Options options_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Config> queue_;
  std::deque<CompileResult> done_;
  std::size_t outstanding_ = 0;
  int idle_ = 0;
  std::vector<std::jthread> threads_;  // last: they use the rest
};

// What to say where the system starts no more threads. what: "for compiling".
[[nodiscard]] DeviceError no_thread(const std::string& what, const std::system_error& error);

}  // namespace upsweep::tuner
