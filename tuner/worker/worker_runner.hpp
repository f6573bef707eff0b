// Runs candidates in a worker process: whatever one does ends the worker at most, and a new one goes on.
#pragma once

#include <chrono>
#include <optional>

#include <upsweep/problem.hpp>

#include "runtime/device.hpp"
#include "tuner/worker/runner.hpp"
#include "tuner/worker/worker_process.hpp"

namespace upsweep::tuner {

// How long a worker may take.
struct Deadlines {
  std::chrono::milliseconds open{300'000};   // to start, open the device and compute what results must be
  std::chrono::milliseconds load{180'000};   // to compile and load a candidate
  std::chrono::milliseconds first{300'000};  // for a run while nothing is known of how long one takes
  // After that: a multiple of the expected time, and not less than:
  double multiple = 20;
  std::chrono::milliseconds least{5'000};
};

class WorkerRunner final : public Runner {
 public:
  struct Options {
    WorkerSettings worker;
    Problem problem;  // as InProcessRunner takes it
    std::uint64_t seed = 1;
    Deadlines deadlines = {};
  };
  // `device` is what the worker is to open too, by its label; nothing runs on this process's own. Throws DeviceError if
  // the worker does not come up, or its device is another one.
  WorkerRunner(const runtime::Device& device, Options options);

  // As Runner says. The default config of the size is tried in two workers before its failure passes through.
  void start(const Config& config, const RunRequest& request) override;
  [[nodiscard]] Outcome finish() override;
  void start_in_turn(std::span<const Config> configs, const RunRequest& request) override;
  [[nodiscard]] Samples finish_in_turn() override;
  void keep_only(std::span<const Config> configs) override;
  [[nodiscard]] double busy_seconds() const override { return busy_seconds_; }

  // Workers that were started so far.
  [[nodiscard]] int workers() const noexcept { return workers_; }

 private:
  using Lost = WorkerProcess::Lost;
  struct Attempt {
    std::optional<Outcome> outcome;
    std::optional<Failed> failed;  // the worker says that the candidate is not to blame
  };

  [[nodiscard]] WorkerProcess& worker();
  void start_worker();
  void open();
  // Sends what was started to the worker.
  void send();
  // The first answer to what was started, which is sent anew unless it is under way.
  [[nodiscard]] WorkerProcess::Heard hear(std::chrono::milliseconds patience);
  [[nodiscard]] WorkerProcess::Heard listen(std::chrono::milliseconds patience);
  [[nodiscard]] Attempt attempt(bool is_default);
  [[nodiscard]] Attempt listen_to_run(const RunRequest& request, bool is_default);
  [[nodiscard]] Outcome lose(const Lost& lost, const char* when);
  [[nodiscard]] std::optional<Samples> turn();
  [[nodiscard]] std::chrono::milliseconds patience(const RunRequest& request) const;
  [[nodiscard]] bool is_default(const Config& config, std::uint64_t size) const;

  Options options_;
  std::string device_;  // label
  std::string description_;
  DeviceLimits limits_;
  std::optional<WorkerProcess> worker_;
  int workers_ = 0;
  std::uint64_t runs_ = 0;
  std::vector<Config> configs_;  // that were started
  RunRequest request_;
  bool in_turn_ = false;
  bool under_way_ = false;  // the worker has been sent the request, and was not listened to
  bool kept_ = false;       // nothing was answered since the worker was told which kernels to keep
  double busy_seconds_ = 0;
  // A run of the default config: how long it took, by this process's clock, and for how many items.
  double known_seconds_ = 0;
  std::uint64_t known_size_ = 0;
};

}  // namespace upsweep::tuner
