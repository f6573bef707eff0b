// The short form of a config, for tables and for typing: the schedule, then the parameters that differ from the
// schedule's defaults. "lookahead, vectors_per_thread=5, worker_warps=10".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "generator/space.hpp"

namespace upsweep {

// The parameters whose values differ from the schedule's defaults, in the order in which the schedule lists them, then
// those that it does not know. None where the defaults are not known: without limits, for a problem that is not valid,
// an unknown schedule, or a config that lacks parameters.
[[nodiscard]] std::optional<std::vector<std::string>> differing_parameters(const Config& config, const Problem& problem,
                                                                           const std::optional<DeviceLimits>& limits);

// The schedule's name alone where no parameter differs from its defaults, and "default" for the space's
// default_config(). Parameters stand in the order in which the schedule lists them. All parameters are shown where the
// defaults do not complete the short form to the config again: an unknown schedule, or parameters that are missing.
[[nodiscard]] std::string short_form(const Config& config, const Space& space);

// The same for a problem and limits that may be unknown: without limits, and for a problem that is not valid, all
// parameters are shown.
[[nodiscard]] std::string short_form(const Config& config, const Problem& problem,
                                     const std::optional<DeviceLimits>& limits);

// The config that somebody typed, as JSON or in its short form; Space::resolve completes it. The schedule may be left
// out ("warp_scan=sklansky") or stand in a parameter's form ("schedule=lookback"). Empty for "default" alone. Nothing
// where the text is the name of a file: it contains "/", or it has none of "=", "," and "{" and names no schedule.
// Throws UsageError where a config is not well formed, and for a word that names neither a schedule nor a file.
[[nodiscard]] std::optional<Config> config_from_text(std::string_view text);

}  // namespace upsweep
