#include "generator/machine_parameters.hpp"

#include <fmt/format.h>

namespace upsweep::machine {
namespace {

constexpr int needed_capability = 90;

// Whether devices from sm_90 on apply the operator to the type by one instruction where others need several.
bool has_native_arithmetic(const Problem& problem) {
  const bool extremum = problem.op == Operator::minimum || problem.op == Operator::maximum;
  switch (problem.accumulator) {
    case Type::f16:
    case Type::bf16:
      return extremum || problem.op == Operator::plus || problem.op == Operator::multiplies;
    case Type::f32:
      return extremum;
    default:
      return false;
  }
}

Parameter choice(const char* name, const char* meaning, std::initializer_list<const char*> values) {
  Parameter parameter{name, meaning, {}};
  for (const char* value : values) parameter.values.emplace_back(std::string(value));
  return parameter;
}

std::string operator_strategy(const Problem& problem, const Config& config) {
  const std::string strategy(name(problem.op));
  if (config.values.contains("arithmetic") && config.name("arithmetic") == "native") {
    return fmt::format("{}_native_{}", strategy, name(problem.accumulator));
  }
  const bool extremum = problem.op == Operator::minimum || problem.op == Operator::maximum;
  return extremum && is_floating(problem.accumulator) ? strategy + "_floating" : strategy;
}

}  // namespace

std::vector<Parameter> with_parameters(std::vector<Parameter> own, const Problem& problem) {
  own.push_back(choice("dependent_launch", "whether the kernel starts up while the one before it in the stream ends",
                       {"no", "yes"}));
  if (has_native_arithmetic(problem)) {
    own.push_back(choice("arithmetic", "the operator by instructions that every device has, or by one of its own",
                         {"portable", "native"}));
  }
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
    violations.emplace_back("compute capability: dependent_launch=yes needs 9.0: use no");
  }
  if (config.values.contains("arithmetic") && config.name("arithmetic") == "native") {
    violations.emplace_back("compute capability: arithmetic=native needs 9.0: use portable");
  }
}

void fill_roles(Recipe& recipe, const Problem& problem, const Config& config) {
  const bool dependent = config.name("dependent_launch") == "yes";
  recipe.roles["block/start"] = dependent ? "dependent" : "plain";
  recipe.roles["thread/operator"] = operator_strategy(problem, config);
  recipe.launch.dependent = dependent;
}

}  // namespace upsweep::machine
