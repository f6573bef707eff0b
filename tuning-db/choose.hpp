// Choosing a config at run time: the ladder from "tuned for exactly this" down to the built-in default.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

// How well a choice matches, best first.
enum class Rung : std::uint8_t {
  forced,          // the caller named the config (never made by `choose`)
  exact,           // tuned for this device, problem and size class
  nearest_size,    // tuned for this device and problem, another size class
  nearest_device,  // tuned for this problem on another device
  type_class,      // tuned for another problem of the same type widths and operator class
  built_in         // nothing fits: the space's default
};

[[nodiscard]] std::string_view name(Rung rung) noexcept;

struct Choice {
  Config config;
  Rung rung = Rung::built_in;
  std::string reason;          // one line for people: "tuned on this device for 2^20 items (asked for 2^21)"
  std::optional<Trial> trial;  // what it rests on; none if built in
};

struct ChoiceOptions {
  bool reproducible = false;  // only configs whose results are bit-identical from run to run
};

// The best known config for the problem at problem.size items. Only configs in the space of the problem on a device of
// these limits are taken. Within a rung:
//   - nearer devices first: same compute capability, then nearest capability, then nearest in multiprocessors and
//     memory bandwidth (bus width x clock), in ratio. The host device and GPUs are never near each other.
//   - then nearer size classes, the larger of two equally near ones: a config for more items costs less when there are
//     few of them than the other way round.
//   - then, on `type_class`, the same kinds (integer or floating) and the same operator.
//   - then the user's rows before shipped ones, and earlier rows before later ones.
// A row that is more than 16-fold away in size counts only if its schedule is the default's for the asked size: one
// tuned for 2^10 items may be a single block's, which would take 2^28 through one multiprocessor.
// Throws UsageError if the problem is invalid, or reproducibility is asked for and no schedule gives it.
[[nodiscard]] Choice choose(const Problem& problem, const DeviceIdentity& device, const DeviceLimits& limits,
                            std::span<const Winner> user_then_shipped, const ChoiceOptions& options = {});

}  // namespace upsweep::tuning_db
