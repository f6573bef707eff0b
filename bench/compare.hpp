// upsweep, another library and the machine's limits, interleaved in one run, so that their ratios mean something.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

#include "bench/peer.hpp"
#include "bench/plain_kernels.hpp"
#include "runtime/engine.hpp"
#include "tuner/measurement.hpp"

namespace upsweep::bench {

// Who takes part. The last four are limits: what the machine can do at all.
enum class Who : std::uint8_t { upsweep, upsweep_default, peer, memcpy, plain_copy, plain_read, empty_kernel };

[[nodiscard]] std::string_view name(Who who) noexcept;  // "plain_copy"

// How calls are made and timed.
struct Mode {
  tuner::Caches caches = tuner::Caches::cold;
  tuner::Timing timing = tuner::Timing::back_to_back;
  auto operator<=>(const Mode&) const = default;
};

// "cold", "warm" (both back to back), "cold_launched", "warm_launched" (as the host makes them), "cold_synchronized",
// "warm_synchronized" (one call and a wait for it).
[[nodiscard]] std::string name(const Mode& mode);
// Throws UsageError naming the known ones.
[[nodiscard]] Mode parse_mode(std::string_view text);
[[nodiscard]] std::span<const Mode> all_modes() noexcept;

// What one contestant took, in microseconds a call.
struct Row {
  Who who = Who::upsweep;
  std::string label;  // "upsweep", "CUB 3.0.1", "plain copy"
  double median_us = 0;
  double lowest_us = 0;
  double lower_quartile_us = 0;
  double upper_quartile_us = 0;
  double highest_us = 0;
  int samples = 0;
  std::uint64_t bytes = 0;  // that a call reads and writes; 0 of the empty kernel
  double gigabytes_per_second = 0;
};

[[nodiscard]] Row make_row(Who who, std::string label, std::uint64_t bytes, const std::vector<double>& samples);

// One problem of one size in one mode.
struct Cell {
  Problem problem;
  Mode mode;
  std::string rung;
  Config config;  // of `upsweep`
  int slots = 0;  // that cold calls rotated through
  std::vector<Row> rows;
  [[nodiscard]] const Row* row(Who who) const noexcept;  // nullptr: did not take part
};

struct CompareOptions {
  int samples = 9;
  double budget_us = std::numeric_limits<double>::infinity();  // for all modes of a problem together
  std::uint64_t offset_in = 0;                                 // items by which pointers are off an aligned address
  std::uint64_t offset_out = 0;
  std::vector<Mode> modes{Mode{}};
};

// Bytes of input and output that calls of a problem touch, offsets included.
struct Footprint {
  std::uint64_t input = 0;
  std::uint64_t output = 0;
};
[[nodiscard]] Footprint footprint(const Problem& problem, const CompareOptions& options);

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
  runtime::Engine& engine_;
  std::shared_ptr<const Peer> peer_;
  CompareOptions options_;
  std::optional<PlainKernels> plain_;
  tuner::RotationMemory memory_;
};

}  // namespace upsweep::bench
