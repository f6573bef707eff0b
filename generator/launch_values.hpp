// The parameters that all schedules have: dependent launch and native arithmetic, where the device has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/device_info.hpp>

#include "generator/parameter.hpp"
#include "generator/schedule.hpp"

namespace upsweep {

enum class Arithmetic : std::uint8_t { portable, native };

extern const ChoiceParameter<bool> dependent_launch_parameter;
extern const ChoiceParameter<Arithmetic> arithmetic_parameter;

// Whether devices from sm_90 on apply the operator to the type by one instruction where others need several.
[[nodiscard]] bool has_native_arithmetic(const Problem& problem);

struct LaunchValues {
  bool dependent_launch = false;
  Arithmetic arithmetic = Arithmetic::portable;

  // Sets the values to what the device can do.
  void set_defaults(const Problem& problem, const DeviceLimits& limits);

  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.dependent_launch, dependent_launch_parameter);
    if (has_native_arithmetic(problem)) visitor(values.arithmetic, arithmetic_parameter);
  }
};

// Adds the violations of what the device cannot do.
void check_launch(std::vector<std::string>& violations, const LaunchValues& values, const DeviceLimits& limits);

// The rule of the compute capability: what the schedule says of it, then what LaunchValues say.
[[nodiscard]] Constraint capability_constraint(const std::string& of_schedule = {});

// The roles block/start and operator/operator, and whether the launch may start early.
void fill_launch_roles(Recipe& recipe, const Problem& problem, const LaunchValues& values);

}  // namespace upsweep
