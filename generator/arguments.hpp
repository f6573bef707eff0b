// The struct that a kernel takes as its only parameter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <upsweep/port.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/source.hpp>

namespace upsweep {

// The most arrays and scalars that an algorithm can have, and the most arrays of scratch that a step can.
constexpr std::size_t most_arrays = 8;
constexpr std::size_t most_scalars = 2;
constexpr std::size_t most_scratch_arrays = 4;

// Members of sources with limits: the address of the number of items, its size in bytes, and the capacity.
constexpr std::uint32_t limit_members = 3;

// Most members that tell how the items are divided, behind the number of items: of rows, how many there are, how long
// each is, and how far their begins are apart in the input and in the output.
constexpr std::uint32_t most_shape_members = 4;

// Indices into ArgumentsRule::members: the arrays come first, in the order of ports(), then these.
[[nodiscard]] constexpr std::size_t index_of_n(const ArgumentsRule& rule) {
  return rule.arrays;
}
[[nodiscard]] constexpr std::size_t index_of_scalars(const ArgumentsRule& rule) {
  return rule.arrays + 1 + rule.shape;
}
[[nodiscard]] inline std::size_t index_of_workspace(const ArgumentsRule& rule) {
  return rule.members.size() - 1 - rule.scratch - rule.limits - rule.segment_ends;
}

// The type of a port's items, as sources write it: by its part in the problem, where it has one.
[[nodiscard]] std::string spelled_type(const Problem& problem, const Port& port);

[[nodiscard]] ArgumentsRule arguments_of(const Problem& problem, const SourceOptions& options = {},
                                         std::span<const ScratchRule> scratch = {});

// The definitions of struct Arguments, which asserts the size and alignment of each member and the size of the whole
// (the offsets follow from these; NVRTC has no offsetof), and of struct Scalars with read_scalars(), for the block of
// parameters of a source.
[[nodiscard]] std::string arguments_definition(const Problem& problem, const SourceOptions& options = {},
                                               std::span<const ScratchRule> scratch = {});

}  // namespace upsweep
