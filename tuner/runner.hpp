// Running candidates: from a config to its times, or to why there are none.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

#include "runtime/engine.hpp"
#include "tuner/measurement.hpp"
#include "tuner/verification.hpp"

namespace upsweep::tuner {

struct Outcome {
  std::vector<double> samples_us;
  std::string failure;         // empty: it was right and was timed
  bool device_failed = false;  // what the candidate did may have broken more than itself: see Runner::probe
};

class Runner {
 public:
  virtual ~Runner() = default;

  // Compiles, checks and times a config of the space. A candidate that does not compile, does not run or is wrong is an
  // outcome. The default config is to be run first: that it does not compile or run is no candidate's failure, and its
  // CompilerError or DeviceError passes through.
  [[nodiscard]] virtual Outcome run(const Config& config, double limit_us) = 0;

  // Throws DeviceError if the default config no longer runs either.
  virtual void probe() = 0;

  // Samples of configs that ran well, in turn. Throws DeviceError.
  [[nodiscard]] virtual std::vector<std::vector<double>> run_in_turn(std::span<const Config> configs, int samples) = 0;

  // Lets go of all kernels but those.
  virtual void keep_only(std::span<const Config> configs) = 0;
};

// A plan with a workspace and a stream that nothing else uses: a candidate that leaves its workspace in disorder
// spoils neither the next one nor the caller's own calls.
class Candidate {
 public:
  Candidate(runtime::Device& device, Plan plan, runtime::Stream stream, std::uint64_t most_items);
  void run(const void* in, void* out, std::uint64_t n, const Scalar& initial) const;
  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }

 private:
  Plan plan_;
  runtime::Stream stream_;
  runtime::Buffer memory_;
  BorrowedWorkspace workspace_;
};

// All in the calling thread. The engine must outlive it.
class InProcessRunner final : public Runner {
 public:
  // problem.size is what is timed.
  InProcessRunner(runtime::Engine& engine, const Problem& problem, std::uint64_t seed);
  ~InProcessRunner() override;
  InProcessRunner(const InProcessRunner&) = delete;
  InProcessRunner& operator=(const InProcessRunner&) = delete;

  [[nodiscard]] Outcome run(const Config& config, double limit_us) override;
  void probe() override;
  [[nodiscard]] std::vector<std::vector<double>> run_in_turn(std::span<const Config> configs, int samples) override;
  void keep_only(std::span<const Config> configs) override;

 private:
  struct OwnStream {
    explicit OwnStream(runtime::Device& of) : device(of), stream(of.create_stream()) {}
    ~OwnStream() { device.destroy_stream(stream); }
    OwnStream(const OwnStream&) = delete;
    OwnStream& operator=(const OwnStream&) = delete;
    runtime::Device& device;
    runtime::Stream stream;
  };

  [[nodiscard]] const Candidate& prepare(const Config& config);
  [[nodiscard]] std::vector<double> verify_and_time(const Config& config, double limit_us, std::string& failure);
  [[nodiscard]] Measurement::Call timed_call(const Candidate& candidate) const;
  void let_go(const Config& config);

  runtime::Engine& engine_;
  Problem problem_;
  Config default_config_;
  Scalar identity_;
  OwnStream stream_;
  Verifier verifier_;
  Measurement measurement_;
  std::map<Config, Candidate> candidates_;
  std::map<Config, std::string> own_kernels_;  // keys of those that the engine did not hold before
};

}  // namespace upsweep::tuner
