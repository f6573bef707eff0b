// A problem by names: the members of its JSON, wherever that is written or read (databases, exports, documents of the
// command, messages between a tune and its workers), and the key that a database finds it by.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

// One of the names that say what a problem is.
struct ProblemMember {
  std::string_view name;
  bool optional;                                            // left out of the JSON by problems that do without it
  std::string_view (*text)(const Problem& problem);         // empty: the problem does without it
  void (*read)(Problem& problem, const std::string& text);  // throws UsageError for a name that is not known
};

// In the order in which people read them. The size is none of them.
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
// The inverse. Throw UsageError for what is no such text, and problem_of_key for a name that is not known.
[[nodiscard]] ProblemNames names_of_key(std::string_view key);
[[nodiscard]] Problem problem_of_key(std::string_view key);

// Throws InputError, which begins with `where`, unless there is such a member.
void check_member(std::string_view name, const std::string& where);
// Throws InputError, which begins with `where`, if one is missing that is not optional.
void check_members(const ProblemNames& names, const std::string& where);

template <typename Json>
[[nodiscard]] Json json_of(const ProblemNames& names, std::uint64_t size) {
  Json object = Json::object();
  for (const ProblemMember& member : problem_members()) {
    if (const auto at = names.find(member.name); at != names.end()) object[std::string(member.name)] = at->second;
  }
  object["size"] = size;
  return object;
}

template <typename Json>
[[nodiscard]] Json json_of(const Problem& problem) {
  return json_of<Json>(names_of(problem), problem.size);
}

// `besides`: members that are the caller's to read, such as the size. Throws InputError, which begins with `where`, for
// what is no object, and for members that are unknown, missing or no text.
template <typename Json>
[[nodiscard]] ProblemNames names_of_json(const Json& object, const std::string& where,
                                         std::initializer_list<std::string_view> besides = {}) {
  if (!object.is_object()) throw InputError(where + " is not a JSON object");
  ProblemNames names;
  for (const auto& [name, value] : object.items()) {
    if (std::find(besides.begin(), besides.end(), name) != besides.end()) continue;
    check_member(name, where);
    if (!value.is_string()) throw InputError(fmt::format("{}: '{}' must be a string", where, name));
    names.emplace(name, value.template get<std::string>());
  }
  check_members(names, where);
  return names;
}

}  // namespace upsweep
