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

// Whether the text is meant as a short form: it begins with "default" or with the name of a schedule, which may be
// followed by a comma. JSON and paths such as "./lookback" do not.
[[nodiscard]] bool is_short_form(std::string_view text);

// The config of a short form, with the parameters that the text names; Space::complete fills in the others. "default"
// is the space's default_config(). Throws UsageError where the text is not a schedule and parameters with values.
[[nodiscard]] Config config_from_short_form(std::string_view text, const Space& space);

}  // namespace upsweep
