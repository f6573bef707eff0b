// Chooses the config of a call: from a result for exactly this problem down to the built-in default, rung by rung.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

// How well a choice matches, best first.
enum class Rung : std::uint8_t {
  forced,          // the caller named the config (never made by `choose`)
  exact,           // tuned for this device, problem and size class
  nearest_size,    // tuned for this device and problem, another size class
  nearest_device,  // tuned for this problem on another device
  type_class,  // tuned for another problem of the same type widths and kinds, and operator class, or another density
  built_in     // nothing fits: the space's default
};

[[nodiscard]] std::string_view name(Rung rung) noexcept;
// All that `choose` makes, best first.
[[nodiscard]] std::span<const Rung> chosen_rungs() noexcept;
// One of these. Throws UsageError naming them.
[[nodiscard]] Rung parse_rung(std::string_view text);

// A winner that was looked at on the way to a choice.
struct Considered {
  Rung rung = Rung::built_in;  // that it would give; built_in: none
  std::string device;          // its name
  Problem problem;             // with the size that was measured
  Config config;
  double median_us = 0;
  bool same_environment = true;  // as asked for; true if none was
  std::string origin;            // "user", "shipped" or "pinned"
  std::string verdict;           // "taken", or why not
};

struct Choice {
  Config config;
  Rung rung = Rung::built_in;
  std::string reason;          // one line for people: "tuned on this device for 2^20 items (asked for 2^21)"
  std::optional<Trial> trial;  // what it rests on; none if built in
  std::vector<Considered> considered = {};  // at most eight, best first
};

struct ChoiceOptions {
  bool reproducible = false;                    // only configs whose results are bit-identical from run to run
  std::optional<Environment> environment = {};  // now; results that were measured with it go before others
};

// The best known config for the problem at problem.size items. Only configs in the space of the problem on a device of
// these limits are taken. Within a rung:
//   - on `type_class`, first the same problem with another density of results, or with none.
//   - nearer devices first: same compute capability, then nearest capability, then nearest in the number of
//     multiprocessors and in memory bandwidth per multiprocessor, in ratio. A part of a GPU is a device of its own. The
//     host device and GPUs are never near each other, nor are devices whose bandwidths per multiprocessor differ by a
//     factor of more than 1.5: the default is then better.
//   - then nearer densities: the asked one, then none, then the nearest class.
//   - then nearer size classes, the larger of two equally near ones: a config for more items costs less when there are
//     few of them than the other way round.
//   - then, on `type_class`, the same operator.
//   - then those of the same side of the size class (SizeSide); of another class, those of its power of two.
//   - then the user's rows before shipped ones, those measured with the environment asked for, and the newest. A change
//     of driver, compiler or generator thus takes nothing away: older results serve until there are new ones.
// Operators are of one class if they cost about the same: plus, bit_and, bit_or, bit_xor; minimum, maximum; multiplies,
// affine; last_nonzero. Values of another kind (integer, floating, complex) are no guide: the default is made for the
// size, and was faster than what had won for another kind where that was measured.
// A row that is more than 2-fold away in size counts only if its schedule is the default's for the asked size: one
// tuned for 2^10 items may be a single block's, which would take 2^28 through one multiprocessor, and winners of
// another schedule took 1.4 times as long as the default where they were measured 4-fold away. More than 16-fold away,
// a row of another problem (but for the density) does not count at all. Nor does a row of another size class whose
// schedule is not for the asked size (Schedule::suits). Throws UsageError if the problem is invalid, or reproducibility
// is asked for and no schedule gives it.
[[nodiscard]] Choice choose(const Problem& problem, const DeviceIdentity& device, const DeviceLimits& limits,
                            std::span<const Winner> user_then_shipped, const ChoiceOptions& options = {});

// What one rung gives, whatever the others have.
struct RungChoice {
  Rung rung = Rung::built_in;
  std::optional<Config> config = {};  // none: no result of this rung fits
  std::string reason = {};            // one line for people: why this config, or why none
};

// What `choose` takes if neither the better nor the lower rungs have anything. Throws as `choose` does.
[[nodiscard]] RungChoice choose_on(Rung rung, const Problem& problem, const DeviceIdentity& device,
                                   const DeviceLimits& limits, std::span<const Winner> user_then_shipped,
                                   const ChoiceOptions& options = {});

}  // namespace upsweep::tuning_db
