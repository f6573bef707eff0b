#include "generator/problem_names.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <upsweep/error.hpp>

#include "generator/accuracy.hpp"
#include "generator/definitions.hpp"
#include "generator/density.hpp"
#include "generator/shape.hpp"

namespace upsweep {
namespace {

// What a problem has gets one line here. A member that only some problems have is optional, so that the keys of all
// others stay as they are.
constexpr ProblemMember members[] = {
    {"algorithm", false, [](const Problem& problem) { return std::string(name(problem.algorithm)); },
     [](Problem& problem, const std::string& text) { problem.algorithm = parse_algorithm(text); }},
    {"operator", false, [](const Problem& problem) { return std::string(name(problem.op)); },
     [](Problem& problem, const std::string& text) { problem.op = parse_operator(text); }},
    {"input", false, [](const Problem& problem) { return std::string(name(problem.input)); },
     [](Problem& problem, const std::string& text) { problem.input = parse_type(text); }},
    {"accumulator", false, [](const Problem& problem) { return std::string(name(problem.accumulator)); },
     [](Problem& problem, const std::string& text) { problem.accumulator = parse_type(text); }},
    {"output", false, [](const Problem& problem) { return std::string(name(problem.output)); },
     [](Problem& problem, const std::string& text) { problem.output = parse_type(text); }},
    {"key", true, [](const Problem& problem) { return std::string(problem.key ? name(*problem.key) : ""); },
     [](Problem& problem, const std::string& text) { problem.key = parse_type(text); }},
    {"density", true, [](const Problem& problem) { return std::string(name(problem.density)); },
     [](Problem& problem, const std::string& text) { problem.density = parse_density(text); }},
    {"accuracy", true,
     [](const Problem& problem) {
       return std::string(problem.accuracy == Accuracy::plain ? "" : name(problem.accuracy));
     },
     [](Problem& problem, const std::string& text) { problem.accuracy = parse_accuracy(text); }},
    {"shape", true, shape_name, read_shape},
};

bool is_known(const ProblemMember& member, const std::string& text) {
  try {
    Problem problem;
    member.read(problem, text);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

std::span<const ProblemMember> problem_members() noexcept {
  return members;
}

ProblemNames names_of(const Problem& problem) {
  ProblemNames names;
  for (const ProblemMember& member : members) {
    if (std::string text = member.text(problem); !text.empty()) names.emplace(member.name, std::move(text));
  }
  return names;
}

Problem problem_of(const ProblemNames& names) {
  Problem problem;
  problem.size = 0;
  for (const ProblemMember& member : members) {
    if (const auto at = names.find(member.name); at != names.end()) member.read(problem, at->second);
  }
  return problem;
}

bool lacks_definitions(const ProblemNames& names) {
  bool lacks = false;
  for (const ProblemMember& member : members) {
    const auto at = names.find(member.name);
    if (at == names.end() || is_known(member, at->second)) continue;
    if (!is_name_of_definition(at->second)) return false;
    lacks = true;
  }
  return lacks;
}

bool has_definitions(const Problem& problem) {
  return std::any_of(std::begin(members), std::end(members),
                     [&](const ProblemMember& member) { return is_name_of_definition(member.text(problem)); });
}

}  // namespace upsweep
