#include "generator/machine_parameters.hpp"

#include <fmt/format.h>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_parameters.hpp"

namespace upsweep::machine {
namespace {

constexpr int needed_capability = 90;

// Whether devices from sm_90 on apply the operator to the type by one instruction where others need several.
bool has_native_arithmetic(const Problem& problem) {
  const OperatorEntry& entry = entry_of(problem.op);
  return entry.native && entry.native(problem.accumulator);
}

std::string operator_strategy(const Problem& problem, const Config& config) {
  const OperatorEntry& entry = entry_of(problem.op);
  if (config.values.contains("arithmetic") && config.name("arithmetic") == "native") {
    return fmt::format("{}_native_{}", entry.name, name(problem.accumulator));
  }
  return entry.strategy ? entry.strategy(problem.accumulator) : entry.name;
}

}  // namespace

std::vector<Parameter> with_parameters(std::vector<Parameter> own, const Problem& problem) {
  own.push_back(tiles::absent_as(
      "no", tiles::strategy("dependent_launch",
                            "Whether the kernel may start before the previous kernel in the stream has ended.",
                            {{"no", "The kernel starts when the previous kernel has ended."},
                             {"yes",
                              "The kernel starts early and waits for the end of the previous kernel before it "
                              "touches memory (programmatic dependent launch, compute capability 9.0 and later). "
                              "`ContextOptions::dependent_launch = false` overrides this value."}})));
  if (has_native_arithmetic(problem)) {
    own.push_back(tiles::absent_as(
        "portable",
        tiles::strategy("arithmetic",
                        "How the operator is applied to f16 and bf16, and how the minimum and maximum of f32 are "
                        "computed. Only these problems have this parameter. The results are the same.",
                        {{"portable",
                          "With instructions that every device has. f16 and bf16 are converted to f32, and the result "
                          "is rounded back."},
                         {"native", "With one instruction on the type itself (compute capability 9.0 and later)."}})));
  }
  return own;
}

std::vector<Constraint> with_constraints(std::vector<Constraint> own) {
  constexpr const char* rule = "`dependent_launch=yes` and `arithmetic=native` need compute capability 9.0.";
  for (Constraint& constraint : own) {
    if (constraint.name != "compute capability") continue;
    constraint.meaning += fmt::format(" {}", rule);
    return own;
  }
  own.push_back(tiles::capability_constraint(rule));
  return own;
}

Config with_defaults(Config config, const Problem& problem, const DeviceLimits& limits) {
  const bool able = limits.compute_capability >= needed_capability;
  config.values["dependent_launch"] = able ? "yes" : "no";
  if (has_native_arithmetic(problem)) config.values["arithmetic"] = able ? "native" : "portable";
  return config;
}

void check(std::vector<std::string>& violations, const Config& config, const DeviceLimits& limits) {
  if (limits.compute_capability >= needed_capability) return;
  if (config.name("dependent_launch") == "yes") {
    violations.emplace_back("compute capability: dependent_launch=yes needs 9.0 or higher; use dependent_launch=no");
  }
  if (config.values.contains("arithmetic") && config.name("arithmetic") == "native") {
    violations.emplace_back("compute capability: arithmetic=native needs 9.0 or higher; use arithmetic=portable");
  }
}

void fill_roles(Recipe& recipe, const Problem& problem, const Config& config) {
  const bool dependent = config.name("dependent_launch") == "yes";
  recipe.roles["block/start"] = dependent ? "dependent" : "plain";
  recipe.roles["operator/operator"] = operator_strategy(problem, config);
  recipe.launch.dependent = dependent;
}

}  // namespace upsweep::machine
