#include "bench/grid.hpp"

#include <algorithm>

#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"

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

// The problem with that density and accuracy, at all sizes.
void add(Grid& grid, Problem problem, Density density, Accuracy accuracy, const std::vector<std::uint64_t>& sizes) {
  problem.density = density;
  problem.accuracy = accuracy;
  try {
    validate(problem);
  } catch (const UsageError& error) {
    grid.left_out.push_back(to_string(problem) + ": " + error.what());
    return;
  }
  for (const std::uint64_t size : sizes) {
    problem.size = size;
    grid.problems.push_back(problem);
  }
}

}  // namespace

Grid make_grid(const Axes& axes) {
  Grid grid;
  for (const Algorithm algorithm : axes.algorithms) {
    for (const Operator op : operators_for(axes, algorithm)) {
      for (const Type type : axes.types) {
        const Problem problem = problem_of(algorithm, op, type, axes.accumulator, axes.output, axes.key);
        for (const Density density : densities_of(axes)) {
          for (const Accuracy accuracy : axes.accuracies) add(grid, problem, density, accuracy, axes.sizes);
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
