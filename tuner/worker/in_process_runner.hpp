// Runs candidates in the calling thread and process: what a candidate does to its process, it does to the tune.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <upsweep/problem.hpp>

#include "runtime/engine.hpp"
#include "tuner/worker/candidate_check.hpp"
#include "tuner/worker/held_kernels.hpp"
#include "tuner/worker/measurements.hpp"
#include "tuner/worker/runner.hpp"

namespace upsweep::tuner {

// The engine must outlive it.
class InProcessRunner final : public Runner {
 public:
  // Results are checked for up to problem.size items, and memory is made for that at once: give the greatest size that
  // will be asked for. Others, greater ones too, can be asked for as well.
  InProcessRunner(runtime::Engine& engine, const Problem& problem, std::uint64_t seed);
  ~InProcessRunner() override;
  InProcessRunner(const InProcessRunner&) = delete;
  InProcessRunner& operator=(const InProcessRunner&) = delete;

  // They return when the device is at recorded calls; what is not recorded is timed by `finish`.
  void start(const Config& config, const RunRequest& request) override;
  [[nodiscard]] Outcome finish() override;
  void start_in_turn(std::span<const Config> configs, const RunRequest& request) override;
  [[nodiscard]] Samples finish_in_turn() override;
  void keep_only(std::span<const Config> configs) override { kernels_.keep_only(configs); }
  [[nodiscard]] double busy_seconds() const override { return busy_us_ * 1e-6; }

  [[nodiscard]] HeldKernels& kernels() noexcept { return kernels_; }
  // Called in the middle of `start`, when the candidate is compiled and loaded and nothing of it has run.
  void on_loaded(std::function<void()> callback) { loaded_ = std::move(callback); }

 private:
  struct OwnStream {
    explicit OwnStream(runtime::Device& of) : device(of), stream(of.create_stream()) {}
    ~OwnStream() { device.destroy_stream(stream); }
    OwnStream(const OwnStream&) = delete;
    OwnStream& operator=(const OwnStream&) = delete;
    runtime::Device& device;
    runtime::Stream stream;
  };
  // A run or a turn that was started.
  struct Started {
    std::vector<Config> configs;
    RunRequest request;
    Outcome outcome = {};  // of a run
    Measurement* timer = nullptr;
    double busy_before_us = 0;
    TimingOptions options = {};
    std::vector<Series*> series = {};
    std::optional<StartedSamples> samples = {};
  };

  [[nodiscard]] HeldKernel& prepare(const Config& config, std::uint64_t size);
  [[nodiscard]] Measurement& measurement(const RunRequest& request);
  [[nodiscard]] TimedCall timed_call(const Candidate& candidate, const RunRequest& request) const;
  // One call of the default config says whether the device still works.
  void probe(std::uint64_t size);
  // Does a part of a run; what fails is the outcome, unless it is no candidate's failure.
  void attempt(void (InProcessRunner::*part)());
  void begin_run();
  void end_run();
  [[nodiscard]] Samples take_moved();
  // Their work was cancelled, which leaves workspaces in disorder.
  void let_go_of_started();
  // Makes the request's next configs ready while the device is at samples.
  void get_ready();

  runtime::Engine& engine_;
  Problem problem_;
  std::vector<Scalar> scalars_;  // of timed calls
  OwnStream stream_;
  CandidateCheck check_;
  Measurements measurements_;
  HeldKernels kernels_;
  std::function<void()> loaded_ = [] {};
  double busy_us_ = 0;
  bool doubtful_ = false;  // whether the device works is to be found out
  Started started_;        // last: what it has given to the device ends first
};

}  // namespace upsweep::tuner
