#include "generator/shape.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/catalogues.hpp"

namespace upsweep {
namespace {

constexpr int row_classes = 65;  // of size_class()

// "rows of 1", "rows of 2", "rows of 4" and so on, by the class of the length.
const std::array<std::string, row_classes>& row_names() {
  static const auto& names = *new std::array<std::string, row_classes>([] {
    std::array<std::string, row_classes> made;
    for (int i = 0; i < row_classes - 1; ++i) {
      made[static_cast<std::size_t>(i)] = fmt::format("rows of {}", std::uint64_t{1} << i);
    }
    made.back() = "rows of 18446744073709551616";
    return made;
  }());
  return names;
}

// The length that stands for those of a class.
std::uint64_t length_of_class(int row_class) noexcept {
  return row_class + 1 < row_classes ? std::uint64_t{1} << row_class : ~std::uint64_t{0};
}

}  // namespace

std::string_view shape_name(const Problem& problem) noexcept {
  if (problem.shape == Shape::flat) return {};
  return row_names()[static_cast<std::size_t>(size_class(problem.row_length))];
}

void read_shape(Problem& problem, const std::string& text) {
  const auto& names = row_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != text) continue;
    problem.shape = Shape::rows;
    problem.row_length = length_of_class(static_cast<int>(i));
    return;
  }
  throw UsageError(
      fmt::format("unknown shape '{}': use \"rows of N\", where N is a power of two", base::clipped(text)));
}

Problem with_length_of_class(Problem problem) {
  if (problem.shape == Shape::rows) problem.row_length = length_of_class(size_class(problem.row_length));
  return problem;
}

bool same_shape(const Problem& a, const Problem& b) noexcept {
  return a.shape == b.shape && (a.shape == Shape::flat || size_class(a.row_length) == size_class(b.row_length));
}

int row_length_distance(const Problem& a, const Problem& b) noexcept {
  return a.shape == Shape::flat && b.shape == Shape::flat
             ? 0
             : std::abs(size_class(a.row_length) - size_class(b.row_length));
}

void validate_shape(const Problem& problem) {
  if (problem.shape == Shape::flat) {
    if (problem.row_length == 0) return;
    throw UsageError(
        fmt::format("a row length of {} needs rows: set the shape of the problem to rows", problem.row_length));
  }
  if (has_shape(problem.algorithm, problem.shape)) return;
  std::vector<std::string_view> able;
  for (const Algorithm algorithm : all_algorithms()) {
    if (has_shape(algorithm, problem.shape)) able.push_back(name(algorithm));
  }
  throw UsageError(fmt::format("{} does not take rows: use {}, or leave out the rows", name(problem.algorithm),
                               fmt::join(able, " or ")));
}

std::uint64_t rows_of(const Problem& problem, std::uint64_t n) noexcept {
  if (problem.shape != Shape::rows || problem.row_length == 0 || n == 0) return 0;
  return std::max<std::uint64_t>(n / problem.row_length, 1);
}

std::uint64_t length_of_rows(const Problem& problem, std::uint64_t n) noexcept {
  return problem.shape == Shape::rows ? std::min(problem.row_length, n) : 0;
}

}  // namespace upsweep
