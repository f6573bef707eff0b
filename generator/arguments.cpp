#include "generator/arguments.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/shape.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

constexpr std::uint64_t pointer_bytes = 8;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// What the operator combines, as sources write it; of sums other than plain ones, an item.
std::string_view value_name(const Problem& problem) {
  const Fold fold = entry_of(problem).fold;
  if (problem.accuracy != Accuracy::plain || problem.shape == Shape::axis) return "Value";
  return fold == Fold::values || fold == Fold::counts ? "Accumulator" : "Value";
}

// A type as sources write it: by its part in the problem, where it has one, with the likeliest part first.
std::string_view spelled(const Problem& problem, Type type, bool is_read) {
  if (is_read && type == problem.input) return "Input";
  if (!is_read && type == problem.output) return "Output";
  if (type == problem.key) return "Key";
  if (type != problem.accumulator) return entry_of(type).spelling;
  return value_name(problem);
}

struct Declared {
  std::string type;  // in the source
  std::string name;
  std::uint64_t bytes;
  std::uint64_t alignment;
};

Declared declared_scalar(const Problem& problem, const ScalarPort& scalar, bool in_memory) {
  const std::string_view type = scalar.name == "initial" ? value_name(problem) : spelled(problem, scalar.type, true);
  if (in_memory) return {fmt::format("const {}*", type), scalar.name, pointer_bytes, pointer_bytes};
  return {std::string(type), scalar.name, size_of(scalar.type), alignment_of(scalar.type)};
}

// Members that tell how the items are divided, behind the number of items.
std::vector<const char*> shape_members(const Problem& problem) {
  switch (problem.shape) {
    case Shape::flat:
      break;
    case Shape::rows:
      if (!has_pitch(problem)) return {"rows", "row_length"};
      if (is_fold_of_rows(problem)) return {"rows", "row_length", "in_pitch"};
      return {"rows", "row_length", "in_pitch", "out_pitch"};
    case Shape::axis:
      return {"columns", "length", "inner"};
    case Shape::segments:
      return {"segments"};
  }
  return {};
}

std::vector<Declared> declared_members(const Problem& problem, const SourceOptions& options,
                                       std::span<const ScratchRule> scratch) {
  std::vector<Declared> members;
  const auto add_word = [&](std::string type, const std::string& name) {
    members.push_back({std::move(type), name, pointer_bytes, pointer_bytes});
  };
  for (const Port& port : ports(problem)) {
    const bool is_read = port.direction == Direction::in;
    add_word(fmt::format("{}{}*", is_read ? "const " : "", spelled_type(problem, port)), port.name);
  }
  add_word("u64", "n");
  for (const char* const member : shape_members(problem)) add_word("u64", member);
  for (const ScalarPort& scalar : scalars(problem)) {
    members.push_back(declared_scalar(problem, scalar, options.scalars_in_memory));
  }
  add_word("Workspace*", "workspace");
  for (const ScratchRule& array : scratch) add_word(array.type + "*", array.name);
  if (options.limits) {
    add_word("const void*", "items");
    add_word("u64", "items_bytes");
    add_word("u64", "capacity");
  }
  if (options.segment_ends) add_word("const Key*", "segment_ends");
  return members;
}

// The scalars as they are passed (values, or addresses in device memory), and their values, as a kernel has them once
// it may read memory.
std::string scalars_definition(const Problem& problem, bool in_memory) {
  std::string passed_members, members;
  std::vector<std::string> passed, values;
  for (const ScalarPort& scalar : scalars(problem)) {
    passed_members += fmt::format("\n  {} {};", declared_scalar(problem, scalar, true).type, scalar.name);
    members += fmt::format("\n  {} {};", declared_scalar(problem, scalar, false).type, scalar.name);
    passed.push_back(fmt::format("arguments.{}", scalar.name));
    values.push_back(fmt::format("*passed.{}", scalar.name));
  }
  const char* const end = members.empty() ? "" : "\n";
  std::string text = fmt::format("\n// The values that a call has besides its arrays{}.\nstruct Scalars {{{}{}}};\n",
                                 members.empty() ? ": none" : "", members, end);
  text += in_memory ? fmt::format("\nstruct PassedScalars {{{}{}}};\n", passed_members, end)
                    : "\nusing PassedScalars = Scalars;\n";
  return text +
         fmt::format(
             "\n__device__ __forceinline__ PassedScalars passed_scalars(const Arguments&{}) {{ return {{{}}}; }}\n"
             "\n// Only after the wait for the previous kernel.\n"
             "__device__ __forceinline__ Scalars read_scalars(const PassedScalars& passed) {{ return {}; }}\n",
             members.empty() ? "" : " arguments", fmt::join(passed, ", "),
             in_memory ? fmt::format("{{{}}}", fmt::join(values, ", ")) : "passed");
}

}  // namespace

std::string spelled_type(const Problem& problem, const Port& port) {
  return std::string(spelled(problem, port.type, port.direction == Direction::in));
}

ArgumentsRule arguments_of(const Problem& problem, const SourceOptions& options, std::span<const ScratchRule> scratch) {
  ArgumentsRule rule;
  rule.scratch = static_cast<std::uint32_t>(scratch.size());
  rule.arrays = static_cast<std::uint32_t>(ports(problem).size());
  rule.shape = static_cast<std::uint32_t>(shape_members(problem).size());
  rule.limits = options.limits ? limit_members : 0;
  rule.segment_ends = options.segment_ends ? 1 : 0;
  std::uint64_t alignment = pointer_bytes;
  for (const Declared& member : declared_members(problem, options, scratch)) {
    rule.members.push_back({member.name, round_up(rule.bytes, member.alignment), member.bytes});
    rule.bytes = rule.members.back().offset + member.bytes;
    alignment = std::max(alignment, member.alignment);
  }
  rule.bytes = round_up(rule.bytes, alignment);
  return rule;
}

std::string arguments_definition(const Problem& problem, const SourceOptions& options,
                                 std::span<const ScratchRule> scratch) {
  std::string members, assertions;
  for (const Declared& member : declared_members(problem, options, scratch)) {
    members += fmt::format("  {} {};\n", member.type, member.name);
    // Words, such as addresses, have 8 bytes everywhere. The layout of a value is what its entry says.
    if (member.type.ends_with('*') || member.type == "u64") continue;
    assertions +=
        fmt::format("static_assert(sizeof(Arguments::{0}) == {1} && alignof(decltype(Arguments::{0})) == {2});\n",
                    member.name, member.bytes, member.alignment);
  }
  return fmt::format(
      "\nstruct Workspace;\n\n// What the kernel takes.\nstruct Arguments "
      "{{\n{}}};\n{}static_assert(sizeof(Arguments) == {});\n{}",
      members, assertions, arguments_of(problem, options, scratch).bytes,
      scalars_definition(problem, options.scalars_in_memory));
}

}  // namespace upsweep
