#include "generator/arguments.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

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

}  // namespace

ArgumentsRule arguments_of(const Problem& problem, const SourceOptions& options) {
  ArgumentsRule rule;
  std::uint64_t alignment = pointer_bytes;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    // The alignment of a value is its size.
    const bool is_value = i == static_cast<std::size_t>(ArgumentOf::initial) && !options.initial_in_memory;
    const std::uint64_t bytes = is_value ? size_of(problem.accumulator) : pointer_bytes;
    rule.members.push_back({declared[i].name, round_up(rule.bytes, bytes), bytes});
    rule.bytes = rule.members.back().offset + bytes;
    alignment = std::max(alignment, bytes);
  }
  rule.bytes = round_up(rule.bytes, alignment);
  return rule;
}

std::string definition(const ArgumentsRule& rule, const SourceOptions& options) {
  std::string members, assertions;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const bool is_address = i == static_cast<std::size_t>(ArgumentOf::initial) && options.initial_in_memory;
    members += fmt::format("  {} {};\n", is_address ? "const Accumulator*" : declared[i].type, declared[i].name);
    assertions +=
        fmt::format("static_assert(sizeof(Arguments::{0}) == {1} && alignof(decltype(Arguments::{0})) == {1});\n",
                    declared[i].name, rule.members[i].bytes);
  }
  return fmt::format(
      "\nstruct Workspace;\n\n// What the kernel takes.\nstruct Arguments "
      "{{\n{}}};\n\n{}static_assert(sizeof(Arguments) == {});\n",
      members, assertions, rule.bytes);
}

}  // namespace upsweep
