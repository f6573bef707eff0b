#include "bench/grid.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/shape.hpp"

namespace upsweep::bench {
namespace {

std::vector<Operator> operators_for(const Axes& axes, Algorithm algorithm) {
  if (!axes.operators.empty()) return axes.operators;
  const AlgorithmEntry& entry = entry_of(algorithm);
  const bool counts = entry.fold == Fold::counts || entry.fold == Fold::part_counts;
  return {entry.usual_operator.value_or(counts ? Operator::less : Operator::plus)};
}

std::vector<Density> densities_of(const Axes& axes) {
  return axes.densities.empty() ? std::vector{Density::unknown} : axes.densities;
}

// Without a length of rows or segments, and with each of those that are asked for.
std::vector<Problem> with_lengths(const Problem& problem, const Axes& axes) {
  if (axes.row_lengths.empty() && axes.segment_lengths.empty()) return {problem};
  std::vector<Problem> all;
  for (const std::uint64_t length : axes.row_lengths) {
    for (const std::uint64_t pitch : axes.row_pitches) {
      all.push_back(problem);
      all.back().shape = Shape::rows;
      all.back().row_length = length;
      all.back().row_pitch = pitch == length ? 0 : pitch;
    }
    if (!axes.row_pitches.empty()) continue;
    for (const std::uint64_t inner : axes.inners.empty() ? std::vector<std::uint64_t>{1} : axes.inners) {
      all.push_back(problem);
      all.back().shape = inner == 1 ? Shape::rows : Shape::axis;
      all.back().row_length = length;
      all.back().inner = inner == 1 ? 0 : inner;
    }
  }
  for (const std::uint64_t length : axes.segment_lengths) {
    all.push_back(in_segments(problem, 1, length, problem.key.value_or(Type::u32)));
  }
  return all;
}

// The problem at all sizes.
void add(Grid& grid, Problem problem, const std::vector<std::uint64_t>& sizes) {
  try {
    validate(problem);
  } catch (const UsageError& error) {
    grid.left_out.push_back(to_string(problem) + ": " + error.what());
    return;
  }
  for (const std::uint64_t size : sizes) {
    problem.size = size;
    if (const std::uint64_t least = least_items(problem); least > 0) {
      if (size < least) {
        grid.left_out.push_back(fmt::format("{}: {} items are less than {}: use a greater size", to_string(problem),
                                            size, least_part(problem)));
        continue;
      }
      problem.size = rows_of(problem, size) * length_of_rows(problem, size);
    }
    std::uint64_t places = 0;
    if (has_pitch(problem) && __builtin_mul_overflow(rows_of(problem, problem.size), problem.row_pitch, &places)) {
      grid.left_out.push_back(fmt::format("{}: {} items have more places than 64 bits can count: use a smaller size",
                                          to_string(problem), problem.size));
      continue;
    }
    grid.problems.push_back(problem);
  }
}

}  // namespace

Grid make_grid(const Axes& axes) {
  Grid grid;
  for (const Algorithm algorithm : axes.algorithms) {
    for (const Operator op : operators_for(axes, algorithm)) {
      for (const Type type : axes.types) {
        Problem problem = problem_of(algorithm, op, type, axes.accumulator, axes.output, axes.key);
        for (const Density density : densities_of(axes)) {
          for (const Accuracy accuracy : axes.accuracies) {
            problem.density = density;
            problem.accuracy = accuracy;
            for (const Problem& each : with_lengths(problem, axes)) add(grid, each, axes.sizes);
          }
        }
      }
    }
  }
  if (grid.problems.empty() && !grid.left_out.empty()) throw UsageError(grid.left_out.front());
  return grid;
}

std::vector<std::uint64_t> default_grid_sizes(Target target) {
  if (target == Target::host) return {1 << 10, 1 << 14};
  std::vector<std::uint64_t> sizes{1'000'001, 3 * (1 << 20) - 5, 123'456'789};
  for (int exponent = 10; exponent <= 30; exponent += 2) sizes.push_back(std::uint64_t{1} << exponent);
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace upsweep::bench
