// Checks a candidate before it is measured: its results are right, and it is fast enough to be worth measuring.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <upsweep/problem.hpp>

#include "runtime/engine.hpp"
#include "tuner/measure/candidate.hpp"
#include "tuner/verify/device_comparison.hpp"
#include "tuner/verify/sequential_kernel.hpp"
#include "tuner/verify/verification.hpp"
#include "tuner/worker/runner.hpp"

namespace upsweep::tuner {

// Of one problem. The engine and the scalars of timed calls must outlive it.
class CandidateCheck {
 public:
  CandidateCheck(runtime::Engine& engine, const Problem& problem, runtime::Stream stream, std::uint64_t seed,
                 const std::vector<Scalar>& scalars);
  CandidateCheck(const CandidateCheck&) = delete;
  CandidateCheck& operator=(const CandidateCheck&) = delete;

  // The most items of a call that is checked or timed.
  [[nodiscard]] std::uint64_t items_of_call(const Candidate& candidate, std::uint64_t size) const;
  // What is wrong with it, or makes it hopeless, goes into the outcome. What was right at that size or a greater one is
  // not checked again. `arrays`: of a call.
  void check(const Config& config, const Candidate& candidate, const RunRequest& request, const SlotArrays& arrays,
             Outcome& outcome);

 private:
  // Says by how much it is too slow, as far as a call of fewer items tells; else empty.
  [[nodiscard]] std::string hopeless(const Candidate& candidate, const RunRequest& request,
                                     const SlotArrays& arrays) const;

  runtime::Device& device_;
  runtime::Stream stream_;
  const std::vector<Scalar>& scalars_;
  std::optional<DeviceComparison> comparison_;  // on CUDA devices
  SequentialKernel sequential_;
  Verifier verifier_;
  std::map<Config, std::uint64_t> right_;  // checked for so many items, and found right
};

}  // namespace upsweep::tuner
