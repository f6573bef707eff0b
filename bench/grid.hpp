// The problems and sizes that one run of the benchmark goes through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>
#include <upsweep/source.hpp>

namespace upsweep::bench {

struct Axes {
  std::vector<Algorithm> algorithms;
  std::vector<Operator> operators;  // empty: plus, or less where the algorithm takes a predicate
  std::vector<Type> types;
  std::optional<Type> accumulator;  // nothing: the items' type
  std::optional<Type> output;       // nothing: the accumulator type
  std::optional<Type> key;          // nothing: u32 where the algorithm has keys
  std::vector<Density> densities;   // empty: none
  std::vector<Accuracy> accuracies{Accuracy::plain};
  std::vector<std::uint64_t> row_lengths;      // empty: all items are one sequence
  std::vector<std::uint64_t> row_pitches;      // with row lengths: of rows with gaps; empty: rows without
  std::vector<std::uint64_t> inners;           // with row lengths: of axes that are not the last; empty: rows
  std::vector<std::uint64_t> segment_lengths;  // empty: all items are one sequence
  std::vector<std::uint64_t> sizes;            // of rows and axes, as many whole ones as fit
};

struct Grid {
  std::vector<Problem> problems;      // by algorithm, operator, type, density, accuracy, row length, then size
  std::vector<std::string> left_out;  // combinations that make no problem, and why
};

// Every combination that makes a problem. Throws UsageError if none does.
[[nodiscard]] Grid make_grid(const Axes& axes);

// 2^10 to 2^30 in steps of 4x, and three sizes that no tile divides, in ascending order; two small ones on the host
// device, whose fibers are several thousand times slower.
[[nodiscard]] std::vector<std::uint64_t> default_grid_sizes(Target target);

}  // namespace upsweep::bench
