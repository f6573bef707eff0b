// Leaves out of a source what does nothing in it: functions that only pass their arguments on, calls of empty
// functions, and conditions that a constant decides.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "generator/chunks.hpp"

namespace upsweep {

// What is known of the declarations of a source, by name.
struct Known {
  std::map<std::string, std::string, std::less<>> passed_on;  // to which function a function passes all its arguments
  std::set<std::string, std::less<>> empty;                   // functions without a statement
  std::map<std::string, bool, std::less<>> constants;         // of type bool, and functions that return a constant

  // Looks at a chunk that declares one name, which the source declares only once.
  void learn(const Chunk& chunk);

  [[nodiscard]] bool has(const std::string& name) const {
    return passed_on.contains(name) || empty.contains(name) || constants.contains(name);
  }
};

// The text of a chunk without what does nothing.
[[nodiscard]] std::string simplified(const std::string& text, const Known& known);

}  // namespace upsweep
