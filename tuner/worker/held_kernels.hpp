// The candidates that a runner keeps loaded, and where their workspaces lie.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <upsweep/problem.hpp>

#include "runtime/engine.hpp"
#include "tuner/measure/candidate.hpp"
#include "tuner/measure/measurement.hpp"
#include "tuner/worker/runner.hpp"

namespace upsweep::tuner {

// What tells recorded calls of one candidate apart.
using SeriesKey = std::tuple<std::uint64_t, bool, bool>;
[[nodiscard]] inline SeriesKey series_key(const RunRequest& request) {
  return {request.size, request.replay, request.misaligned};
}

struct HeldKernel {
  Candidate candidate;
  std::string machine_code;
  std::map<SeriesKey, Series> series = {};

  [[nodiscard]] Series& series_of(const RunRequest& request, const TimedCall& call) {
    return series.try_emplace(series_key(request), call).first->second;
  }
};

// Of one problem. The engine must outlive it, and the stream must be idle when it ends.
class HeldKernels {
 public:
  HeldKernels(runtime::Engine& engine, const Problem& problem, runtime::Stream stream)
      : engine_(engine), problem_(problem), stream_(stream) {}

  [[nodiscard]] bool holds(const Config& config) const { return kernels_.contains(config); }
  // Compiles and loads it unless it is held. Throws CompilerError or DeviceError.
  [[nodiscard]] HeldKernel& load(const Config& config);

  // All but those are let go of when there is a reason to: with the next call, or where memory is short.
  void keep_only(std::span<const Config> configs);
  void let_go(const Config& config);
  // Waits for the stream.
  void let_go_of_losers();
  void drop_all() {
    keep_only({});
    let_go_of_losers();
  }
  // Frees what a candidate may be out of memory for; false if there was nothing.
  [[nodiscard]] bool make_room();
  // The memory that calls are timed in is going to be another: ends all recordings.
  void forget_memory();
  void end_series_of_losers();
  // A candidate ended all work of this process on the device: nothing is unloaded any more.
  void device_is_ruined() noexcept { ruined_ = true; }
  [[nodiscard]] bool ruined() const noexcept { return ruined_; }

  // Room to put the workspaces of those, which are loaded, elsewhere. False if they have none, or memory is short:
  // they stay where they are.
  [[nodiscard]] bool make_places(std::span<const Config> configs);
  void move(std::span<const Config> configs);
  void return_home();

 private:
  runtime::Engine& engine_;
  Problem problem_;
  runtime::Stream stream_;
  std::optional<WorkspacePlaces> places_;
  std::size_t moves_ = 0;
  std::map<Config, HeldKernel> kernels_;
  std::map<Config, std::vector<std::string>> own_;  // keys of kernels that the engine did not hold before
  std::set<Config> losers_;                         // whose kernels can be unloaded
  bool ruined_ = false;
};

}  // namespace upsweep::tuner
