/// @file
/// A part of the space of configs.
#pragma once

#include <upsweep/export.hpp>

#include <map>
#include <string>
#include <vector>

#include <upsweep/config.hpp>

namespace UPSWEEP_API upsweep {

/// Which configs a tune may measure.
struct Restriction {
  /// Values that a parameter may have, in each schedule with this parameter.
  std::map<std::string, std::vector<ParameterValue>, std::less<>> values{};
  std::vector<std::string> schedules{};  ///< Empty: all that suit the size and have all these parameters.

  /// Whether all configs may be measured.
  [[nodiscard]] bool empty() const noexcept { return values.empty() && schedules.empty(); }
  /// Equal if values and schedules are equal.
  bool operator==(const Restriction&) const = default;
};

/// Reads texts such as "worker_warps=8,12,16" and "schedule=lookahead,lookback". Of several texts for a parameter, the
/// last one counts.
/// @throws UsageError for a text of another form. Names and values are checked by tune().
[[nodiscard]] Restriction restriction_from_text(const std::vector<std::string>& texts);

}  // namespace upsweep
