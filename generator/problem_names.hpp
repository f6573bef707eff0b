// A problem by names: what its JSON says, and the key that a database finds it by.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include <upsweep/problem.hpp>

namespace upsweep {

// One of the names that say what a problem is.
struct ProblemMember {
  std::string_view name;
  bool optional;                                            // left out of the JSON by problems that do without it
  std::string (*text)(const Problem& problem);              // empty: the problem does without it
  void (*read)(Problem& problem, const std::string& text);  // throws UsageError for a name that is not known
};

// In the order in which documents list them. The size is not among them.
[[nodiscard]] std::span<const ProblemMember> problem_members() noexcept;

// Text by member, of those members that the problem has. The texts may name definitions that this process lacks.
using ProblemNames = std::map<std::string, std::string, std::less<>>;

[[nodiscard]] ProblemNames names_of(const Problem& problem);
// Of size 0. Throws UsageError for a name that is not known.
[[nodiscard]] Problem problem_of(const ProblemNames& names);

// Whether all that keeps the names from being a problem is that this process has not made definitions that they name.
[[nodiscard]] bool lacks_definitions(const ProblemNames& names);
// Whether the problem has a part that is not built in.
[[nodiscard]] bool has_definitions(const Problem& problem);

// The canonical text of a problem without its size: JSON without spaces, members sorted by name. Equal texts are equal
// problems.
[[nodiscard]] std::string key_of(const ProblemNames& names);
[[nodiscard]] std::string key_of(const Problem& problem);
// The inverse. Throws UsageError for what is no such text.
[[nodiscard]] ProblemNames names_of_key(std::string_view key);

}  // namespace upsweep
