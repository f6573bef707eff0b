// The text of a config in tables: its short form, or JSON.
#pragma once

#include <optional>
#include <string>

#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "cli/io.hpp"

namespace upsweep::cli {

// The config's short form (generator/short_config.hpp), or with `--configs full` the whole config as JSON.
[[nodiscard]] std::string config_text(const Io& io, const Config& config, const Problem& problem,
                                      const std::optional<DeviceLimits>& limits);

// The same for one config on a line of its own: the default with the name of its schedule.
[[nodiscard]] std::string config_line(const Io& io, const Config& config, const Problem& problem,
                                      const std::optional<DeviceLimits>& limits);

}  // namespace upsweep::cli
