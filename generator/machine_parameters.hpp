// Parameters that every schedule has because of what some devices can do.
#pragma once

#include <string>
#include <vector>

#include <upsweep/device_info.hpp>

#include "generator/schedule.hpp"

namespace upsweep::machine {

// Adds them to a schedule's own.
[[nodiscard]] std::vector<Parameter> with_parameters(std::vector<Parameter> own, const Problem& problem);

// Sets them to what the device can do.
[[nodiscard]] Config with_defaults(Config config, const Problem& problem, const DeviceLimits& limits);

// Adds the violations of what the device cannot do.
void check(std::vector<std::string>& violations, const Config& config, const DeviceLimits& limits);

// Adds those rules in words.
[[nodiscard]] std::vector<Constraint> with_constraints(std::vector<Constraint> own);

// The roles block/start and operator/operator, and whether the launch may start early.
void fill_roles(Recipe& recipe, const Problem& problem, const Config& config);

}  // namespace upsweep::machine
