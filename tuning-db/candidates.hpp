// Winners as candidates for a problem: how near each is, which goes first, and what to say about it.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generator/problem_family.hpp"
#include "tuning-db/choose.hpp"

namespace upsweep::tuning_db {

struct DeviceDistance {
  int other = 0;  // 0: the very device
  int capability = 0;
  double size = 0;  // of the device: multiprocessors, and what the memory gives each of them
  std::partial_ordering operator<=>(const DeviceDistance&) const = default;
};

struct Candidate {
  const Winner* winner = nullptr;
  Rung rung = Rung::built_in;  // that it gives; built_in: none, it is of another kind of values
  bool other_problem = false;  // than one that is the same but for size and density
  DeviceDistance device;
  bool other_balance = false;  // of bandwidth and multiprocessors than the device has
  int density = 0;             // density_distance()
  int row_length = 0;          // row_length_distance()
  int size = 0;                // classes away
  int extents = 0;             // of rows and the like: by how many classes their lengths and their number differ
  bool smaller = false;
  int side = 0;  // sides of the class away; of another class, from its power of two
  bool other_operator = false;
  bool shipped = false;
  bool other_environment = false;  // than the one that is asked for
};

// Whether a winner for one problem can say anything about the other, whatever the sizes: the same algorithm, widths and
// class of operators.
[[nodiscard]] inline bool may_serve(const Problem& a, const Problem& b) noexcept {
  return nearness(a, b) >= Nearness::may_serve;
}

// Those of the winners that say anything about the problem, best first, without a look at their configs.
[[nodiscard]] std::vector<Candidate> ranked(const Problem& problem, const DeviceIdentity& device,
                                            std::span<const Winner> winners,
                                            const std::optional<Environment>& environment);

// Why it was taken, in one line: "tuned on this device for 2^20 items".
[[nodiscard]] std::string reason_of(const Candidate& candidate, const Problem& problem,
                                    const std::optional<Environment>& environment);

// Why one that is ranked behind the taken one was not needed.
[[nodiscard]] std::string why_behind(const Candidate& candidate, const Candidate& taken);

}  // namespace upsweep::tuning_db
