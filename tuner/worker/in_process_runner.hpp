// Runs candidates in the calling thread and process: what a candidate does to its process, it does to the tune.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <upsweep/problem.hpp>

#include "runtime/engine.hpp"
#include "tuner/measure/candidate.hpp"
#include "tuner/measure/measurement.hpp"
#include "tuner/verify/device_comparison.hpp"
#include "tuner/verify/sequential_kernel.hpp"
#include "tuner/verify/verification.hpp"
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

  [[nodiscard]] Outcome run(const Config& config, const RunRequest& request) override;
  [[nodiscard]] std::vector<std::vector<double>> run_in_turn(std::span<const Config> configs,
                                                             const RunRequest& request) override;
  void keep_only(std::span<const Config> configs) override;
  [[nodiscard]] double busy_seconds() const override { return busy_us_ * 1e-6; }

  // Lets go of all kernels at once.
  void drop_all();
  // Called in the middle of `run`, when the candidate is compiled and loaded and nothing of it has run.
  void on_loaded(std::function<void()> callback) { loaded_ = std::move(callback); }
  // Whether a candidate ended all work of this process on the device.
  [[nodiscard]] bool ruined() const noexcept { return ruined_; }

 private:
  struct OwnStream {
    explicit OwnStream(runtime::Device& of) : device(of), stream(of.create_stream()) {}
    ~OwnStream() { device.destroy_stream(stream); }
    OwnStream(const OwnStream&) = delete;
    OwnStream& operator=(const OwnStream&) = delete;
    runtime::Device& device;
    runtime::Stream stream;
  };
  // All candidates work at home when this ends.
  struct ReturnAtEnd {
    explicit ReturnAtEnd(InProcessRunner& of) : runner(of) {}
    ~ReturnAtEnd() {
      for (auto& entry : runner.candidates_) entry.second.candidate.return_home();
    }
    ReturnAtEnd(const ReturnAtEnd&) = delete;
    ReturnAtEnd& operator=(const ReturnAtEnd&) = delete;
    InProcessRunner& runner;
  };
  struct Entry {
    Candidate candidate;
    std::string machine_code;
    std::map<std::tuple<std::uint64_t, bool, bool>, Series> series = {};  // as series_key has it
  };

  [[nodiscard]] Verifier::Comparison comparison();
  [[nodiscard]] const Config& default_config(std::uint64_t size);
  [[nodiscard]] Entry& load(const Config& config);
  [[nodiscard]] Entry& prepare(const Config& config, std::uint64_t size);
  // Room to put the workspaces of those, which are loaded, elsewhere. False if they have none, or memory is short:
  // they stay where they are.
  [[nodiscard]] bool make_places(std::span<const Config> configs);
  void move(std::span<const Config> configs);
  // Says by how much it is too slow, as far as a call of fewer items tells; else empty.
  [[nodiscard]] std::string hopeless(const Entry& entry, const RunRequest& request, const Measurement& timer);
  [[nodiscard]] std::uint64_t items_of_call(const Entry& entry, std::uint64_t size) const;
  void record_ahead(Entry& entry, const RunRequest& request, const Series& like, Measurement& timer);
  // Makes the request's next configs ready; `like` is what is being timed.
  void get_ready(const RunRequest& request, const Series& like, Measurement& timer);
  // What is done while `timed` is.
  void work_beside(const RunRequest& request, const Series& timed, Measurement& timer);
  void rethrow_what_failed_beside();
  void verify_and_time(const Config& config, const RunRequest& request, Outcome& outcome);
  [[nodiscard]] Measurement& measurement(std::uint64_t size, bool misaligned = false);
  void make_room(std::span<const TimedArray> arrays);
  [[nodiscard]] TimedCall timed_call(const Candidate& candidate, const RunRequest& request) const;
  [[nodiscard]] Series& series(Entry& entry, const RunRequest& request) const;
  [[nodiscard]] std::vector<std::vector<double>> time_in_turn(std::span<const Config> configs,
                                                              const RunRequest& request);
  void in_doubt(Outcome& outcome, Verdict verdict, const std::string& failure);
  void probe(std::uint64_t size);
  void let_go(const Config& config);
  void let_go_of_losers();

  runtime::Engine& engine_;
  Problem problem_;
  std::vector<Scalar> scalars_;  // of timed calls
  OwnStream stream_;
  std::optional<DeviceComparison> comparison_;  // on CUDA devices
  SequentialKernel sequential_;
  Verifier verifier_;
  std::vector<Bytes> patterns_;  // of the inputs of timed calls
  std::optional<RotationMemory> memory_;
  std::map<std::pair<std::uint64_t, bool>, Measurement> measurements_;  // by size and misaligned; they use the memory
  std::map<std::uint64_t, Config> defaults_;                            // by size
  std::optional<WorkspacePlaces> places_;
  std::map<Config, Entry> candidates_;
  std::map<Config, std::vector<std::string>> own_kernels_;  // keys of those that the engine did not hold before
  std::set<Config> losers_;                                 // whose kernels can be unloaded
  std::map<Config, std::uint64_t> right_;                   // checked for so many items, and found right
  std::function<void()> loaded_ = [] {};
  std::exception_ptr beside_failed_;
  std::size_t moves_ = 0;
  double busy_us_ = 0;
  bool doubtful_ = false;  // whether the device works is to be found out
  bool ruined_ = false;
};

}  // namespace upsweep::tuner
