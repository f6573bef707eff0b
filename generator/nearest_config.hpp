// Completing a config that names only some of its parameters.
#pragma once

#include <optional>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/config_space.hpp>

namespace upsweep {

// The config of the space that is nearest to `start`, a complete config of a known schedule, and has the same values of
// the parameters of `given`. The distance is the sum over the parameters: of counts, how many times the value is
// doubled or halved (a fraction too), of strategies, 1 for another value. Nothing, if a search of a few thousand
// configs found none.
[[nodiscard]] std::optional<Config> nearest_config(const ConfigSpace& space, const std::vector<Parameter>& parameters,
                                                   const Config& start, const Config& given);

}  // namespace upsweep
