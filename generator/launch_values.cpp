#include "generator/launch_values.hpp"

#include <fmt/format.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/operator.hpp"

namespace upsweep {
namespace {

constexpr int needed_capability = 90;

std::string operator_strategy(const Problem& problem, const LaunchValues& values) {
  if (const std::string& strategy = entry_of(problem).value_combination; !strategy.empty()) return strategy;
  const OperatorEntry& entry = entry_of(problem.op);
  if (problem.accuracy != Accuracy::plain) return fmt::format("{}_{}", entry.name, name(problem.accuracy));
  if (values.arithmetic == Arithmetic::native) {
    return fmt::format("{}_native_{}", entry.name, name(problem.accumulator));
  }
  return entry.strategy ? entry.strategy(problem.accumulator) : entry.name;
}

}  // namespace

constinit const ChoiceParameter<bool> dependent_launch_parameter{
    "dependent_launch",
    "Whether the kernel may start before the previous kernel in the stream has ended.",
    {{false, "no", "The kernel starts when the previous kernel has ended."},
     {true, "yes",
      "The kernel starts early and waits for the end of the previous kernel before it "
      "touches memory (programmatic dependent launch, compute capability 9.0 and later). "
      "`ContextOptions::dependent_launch = false` overrides this value."}},
    false};

constinit const ChoiceParameter<Arithmetic> arithmetic_parameter{
    "arithmetic",
    "How the operator is applied to f16 and bf16, and how the minimum and maximum of f32 are "
    "computed. Only these problems have this parameter. The results are the same.",
    {{Arithmetic::portable, "portable",
      "With instructions that every device has. f16 and bf16 are converted to f32, and the result "
      "is rounded back."},
     {Arithmetic::native, "native", "With one instruction on the type itself (compute capability 9.0 and later)."}},
    Arithmetic::portable};

bool has_native_arithmetic(const Problem& problem) {
  const OperatorEntry& entry = entry_of(problem.op);
  return entry.native && entry.native(problem.accumulator) && problem.accuracy == Accuracy::plain;
}

void LaunchValues::set_defaults(const Problem& problem, const DeviceLimits& limits) {
  dependent_launch = limits.compute_capability >= needed_capability;
  arithmetic = dependent_launch && has_native_arithmetic(problem) ? Arithmetic::native : Arithmetic::portable;
}

void check_launch(std::vector<std::string>& violations, const LaunchValues& values, const DeviceLimits& limits) {
  if (limits.compute_capability >= needed_capability) return;
  if (values.dependent_launch) {
    violations.emplace_back("compute capability: dependent_launch=yes needs 9.0 or higher; use dependent_launch=no");
  }
  if (values.arithmetic == Arithmetic::native) {
    violations.emplace_back("compute capability: arithmetic=native needs 9.0 or higher; use arithmetic=portable");
  }
}

Constraint capability_constraint(const std::string& of_schedule) {
  return {"compute capability",
          fmt::format("{}{}`dependent_launch=yes` and `arithmetic=native` need compute capability 9.0.", of_schedule,
                      of_schedule.empty() ? "" : " ")};
}

void fill_launch_roles(Recipe& recipe, const Problem& problem, const LaunchValues& values) {
  recipe.roles["block/start"] = values.dependent_launch ? "dependent" : "plain";
  recipe.roles["operator/operator"] = operator_strategy(problem, values);
  recipe.launch.dependent = values.dependent_launch;
}

}  // namespace upsweep
