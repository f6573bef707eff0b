// The members of a problem in JSON: of exported results, and of what a tune and its worker processes say to each other.
#pragma once

#include <nlohmann/json.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

template <typename Json>
[[nodiscard]] Json json_of(const Problem& problem) {
  return {{"algorithm", name(problem.algorithm)},     {"operator", name(problem.op)},   {"input", name(problem.input)},
          {"accumulator", name(problem.accumulator)}, {"output", name(problem.output)}, {"size", problem.size}};
}

// `text` gives the text of a member of that name, or throws. Throws UsageError for a name that is not known. The size
// is the caller's to read.
template <typename Text>
[[nodiscard]] Problem problem_of_names(const Text& text) {
  return {.algorithm = parse_algorithm(text("algorithm")),
          .op = parse_operator(text("operator")),
          .input = parse_type(text("input")),
          .accumulator = parse_type(text("accumulator")),
          .output = parse_type(text("output")),
          .size = 0};
}

}  // namespace upsweep
