// The members of a problem in JSON, wherever that is written or read: databases, exports, documents of the command, and
// what a tune and its workers say to each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>
#include <upsweep/problem.hpp>

#include "generator/problem_names.hpp"

namespace upsweep {

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

// `besides`: members that the caller reads itself, such as the size. Throws InputError, whose message begins with
// `where`, if the JSON is not an object, or if a member is unknown, missing or not a string.
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
