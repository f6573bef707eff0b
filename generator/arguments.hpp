// The struct that a kernel takes as its only parameter.
#pragma once

#include <cstddef>
#include <string>

#include <upsweep/problem.hpp>
#include <upsweep/source.hpp>

namespace upsweep {

// Indices into ArgumentsRule::members.
enum class ArgumentOf { in, out, n, initial, workspace };
constexpr std::size_t argument_count = 5;

[[nodiscard]] ArgumentsRule arguments_of(const Problem& problem, const SourceOptions& options = {});

// The definition of struct Arguments, for the block of parameters of a source. It asserts the size and alignment of
// each member and the size of the whole: the offsets follow from these. (NVRTC has no offsetof.)
[[nodiscard]] std::string arguments_definition(const Problem& problem, const SourceOptions& options = {});

}  // namespace upsweep
