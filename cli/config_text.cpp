#include "cli/config_text.hpp"

#include <fmt/format.h>

#include "generator/short_config.hpp"

namespace upsweep::cli {

std::string config_text(const Io& io, const Config& config, const Problem& problem,
                        const std::optional<DeviceLimits>& limits) {
  return io.full_configs ? to_json(config) : short_form(config, problem, limits);
}

std::string config_line(const Io& io, const Config& config, const Problem& problem,
                        const std::optional<DeviceLimits>& limits) {
  const std::string text = config_text(io, config, problem, limits);
  return text == "default" ? fmt::format("default ({})", config.schedule) : text;
}

}  // namespace upsweep::cli
