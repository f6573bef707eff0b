#include "cli/config_text.hpp"

#include "generator/short_config.hpp"

namespace upsweep::cli {

std::string config_text(const Io& io, const Config& config, const Problem& problem,
                        const std::optional<DeviceLimits>& limits) {
  return io.full_configs ? to_json(config) : short_form(config, problem, limits);
}

}  // namespace upsweep::cli
