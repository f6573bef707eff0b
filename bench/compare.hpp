// upsweep, another library and the machine's limits, interleaved in one run, so that their ratios mean something.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>

#include "bench/cell.hpp"
#include "bench/peer.hpp"
#include "bench/plain_kernels.hpp"
#include "runtime/engine.hpp"
#include "tuner/measure/measurement.hpp"
#include "tuner/verify/port_call.hpp"
#include "tuner/verify/segment_data.hpp"

namespace upsweep::bench {

// A config that takes part beside the one that upsweep chooses.
struct NamedConfig {
  std::string label;
  Config config;  // may be partial
};

struct CompareOptions {
  int samples = 9;
  double budget_us = std::numeric_limits<double>::infinity();  // for all modes of a problem together
  std::uint64_t offset_in = 0;                                 // items by which pointers are off an aligned address
  std::uint64_t offset_out = 0;
  tuner::LengthDistribution lengths = tuner::LengthDistribution::mixed;  // of segments
  std::vector<Mode> modes{Mode{}};
  std::vector<tuning_db::Rung> rungs = {};  // whose configs take part too, each in its place
  std::vector<NamedConfig> configs = {};    // that take part too
};

// The arrays of a problem's calls, offsets included, with room for those that show the machine's limits: the first
// array that is read and the first that is written are at least as large as what they copy or read.
[[nodiscard]] std::vector<tuner::TimedArray> footprint(const Problem& problem, const CompareOptions& options);

[[nodiscard]] Row make_row(Who who, std::string label, std::uint64_t bytes, const std::vector<double>& samples);

// Compares one problem after another in the same memory.
class Comparison {
 public:
  // Allocates for the largest of the problems, or for less where memory is short; the peer may be null. Throws
  // DeviceError where none of them fits. Plain kernels take part on a GPU only.
  Comparison(runtime::Engine& engine, std::shared_ptr<const Peer> peer, CompareOptions options,
             std::span<const Problem> problems);

  // Why the problem cannot be measured on this device: empty if it can.
  [[nodiscard]] std::string obstacle(const Problem& problem) const;
  // A cell a mode, in the order of the options. Throws DeviceError if there is an obstacle.
  [[nodiscard]] std::vector<Cell> run(const Problem& problem);

 private:
  // Of the device's part, if it is one: a peer does not know its context.
  [[nodiscard]] Stream stream() const { return engine_.device().default_stream(); }

  runtime::Engine& engine_;
  std::shared_ptr<const Peer> peer_;
  CompareOptions options_;
  std::optional<PlainKernels> plain_;
  [[nodiscard]] std::uint64_t written_bytes(const Problem& problem, const Plan& plan, const tuner::SlotArrays& slot);
  std::vector<tuner::Bytes> fill(const Problem& problem);

  tuner::RotationMemory memory_;
  bool has_pattern_ = true;  // the one that serves all problems but those whose data decide how much they write
};

}  // namespace upsweep::bench
