// Puts a source together from template files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <upsweep/source.hpp>

namespace upsweep {

// What a schedule asks for, for one step: the kernel's template, which strategy fills each role, and the parameter
// block. A role is a template's path up to its strategy: "warp/scan" is filled by "warp/scan.sklansky.cuh" and others.
// The strategy that a template's #include names is only its default.
struct Recipe {
  std::string kernel;  // path of the kernel's template
  std::map<std::string, std::string> roles;
  std::string parameters;                          // text in the place of parameters.cuh; may itself include templates
  std::map<std::string, std::string> definitions;  // templates that are not built in: text by path
  LaunchRule launch;
  WorkspaceRule workspace;
  std::vector<ScratchRule> scratch;
};

// The text: parameters, target and all templates in the order of their includes, without declarations that nothing
// uses, each run of neighbouring declarations under a #line that names its template. Throws Error (internal) where a
// recipe names a template that does not exist.
[[nodiscard]] std::string assemble(const Recipe& recipe, Target target);

}  // namespace upsweep
