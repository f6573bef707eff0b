// Finds compiled configs that need not be measured: hopeless ones, and ones with the machine code of another.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/source.hpp>

#include "tuner/compile/compilations.hpp"

namespace upsweep::tuner {

// What the launch of a step that was compiled cannot do well; empty: nothing is known against it.
[[nodiscard]] std::string reason_to_prune(const StepResources& compiled, const LaunchRule& launch,
                                          const DeviceLimits& limits);

// For one problem and size.
class Pruner {
 public:
  Pruner(const Problem& problem, const DeviceLimits& limits) : problem_(problem), limits_(limits) {}

  [[nodiscard]] std::string reason(const CompileResult& compiled) const;

  // The config that was noted with the same machine code and is launched alike: to measure it again tells nothing.
  [[nodiscard]] std::optional<Config> twin_of(const CompileResult& compiled) const;
  void note(const CompileResult& compiled);
  // Of all steps.
  [[nodiscard]] std::vector<LaunchRule> launches_of(const Config& config) const;

 private:
  // What besides the machine code makes a call of a step what it is.
  struct Step {
    LaunchRule launch;
    WorkspaceRule workspace;
    std::vector<ScratchRule> scratch;
    bool operator==(const Step&) const = default;
  };
  struct Noted {
    std::vector<Step> steps;
    Config config;
  };
  [[nodiscard]] std::vector<Step> steps_of(const Config& config) const;

  Problem problem_;
  DeviceLimits limits_;
  std::map<std::string, std::vector<Noted>> by_binary_;
};

}  // namespace upsweep::tuner
