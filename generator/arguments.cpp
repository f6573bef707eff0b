#include "generator/arguments.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "generator/value_type.hpp"

namespace upsweep {
namespace {

struct Declared {
  const char* type;  // in the source
  const char* name;
};

// Indexed by ArgumentOf.
constexpr std::array<Declared, argument_count> declared{Declared{"const Input*", "in"},
                                                        {"Output*", "out"},
                                                        {"u64", "n"},
                                                        {"Accumulator", "initial"},
                                                        {"Workspace*", "workspace"}};

constexpr std::uint64_t pointer_bytes = 8;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

struct Extents {
  std::uint64_t bytes;
  std::uint64_t alignment;
};

Extents extents_of(std::size_t member, const Problem& problem, const SourceOptions& options) {
  const bool is_value = member == static_cast<std::size_t>(ArgumentOf::initial) && !options.initial_in_memory;
  if (!is_value) return {pointer_bytes, pointer_bytes};
  return {size_of(problem.accumulator), alignment_of(problem.accumulator)};
}

}  // namespace

ArgumentsRule arguments_of(const Problem& problem, const SourceOptions& options) {
  ArgumentsRule rule;
  std::uint64_t alignment = pointer_bytes;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const Extents member = extents_of(i, problem, options);
    rule.members.push_back({declared[i].name, round_up(rule.bytes, member.alignment), member.bytes});
    rule.bytes = rule.members.back().offset + member.bytes;
    alignment = std::max(alignment, member.alignment);
  }
  rule.bytes = round_up(rule.bytes, alignment);
  return rule;
}

std::string arguments_definition(const Problem& problem, const SourceOptions& options) {
  const ArgumentsRule rule = arguments_of(problem, options);
  std::string members, assertions;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const bool is_address = i == static_cast<std::size_t>(ArgumentOf::initial) && options.initial_in_memory;
    members += fmt::format("  {} {};\n", is_address ? "const Accumulator*" : declared[i].type, declared[i].name);
    assertions +=
        fmt::format("static_assert(sizeof(Arguments::{0}) == {1} && alignof(decltype(Arguments::{0})) == {2});\n",
                    declared[i].name, rule.members[i].bytes, extents_of(i, problem, options).alignment);
  }
  return fmt::format(
      "\nstruct Workspace;\n\n// What the kernel takes.\nstruct Arguments "
      "{{\n{}}};\n\n{}static_assert(sizeof(Arguments) == {});\n",
      members, assertions, rule.bytes);
}

}  // namespace upsweep
