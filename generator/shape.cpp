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

using LengthNames = std::array<std::string, row_classes>;

LengthNames make_names(std::string_view shape) {
  LengthNames made;
  for (int i = 0; i < row_classes - 1; ++i) {
    made[static_cast<std::size_t>(i)] = fmt::format("{} of {}", shape, std::uint64_t{1} << i);
  }
  made.back() = fmt::format("{} of 18446744073709551616", shape);
  return made;
}

// "rows of 1", "rows of 2", "rows of 4" and so on, by the class of the length.
const LengthNames& length_names(Shape shape) {
  static const auto& rows = *new LengthNames(make_names("rows"));
  static const auto& segments = *new LengthNames(make_names("segments"));
  return shape == Shape::segments ? segments : rows;
}

// The length that stands for those of a class.
std::uint64_t length_of_class(int row_class) noexcept {
  return row_class + 1 < row_classes ? std::uint64_t{1} << row_class : ~std::uint64_t{0};
}

}  // namespace

std::string_view shape_name(const Problem& problem) noexcept {
  if (problem.shape == Shape::flat) return {};
  return length_names(problem.shape)[static_cast<std::size_t>(size_class(problem.row_length))];
}

void read_shape(Problem& problem, const std::string& text) {
  for (const Shape shape : {Shape::rows, Shape::segments}) {
    const LengthNames& names = length_names(shape);
    const auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) continue;
    problem.shape = shape;
    problem.row_length = length_of_class(static_cast<int>(at - names.begin()));
    return;
  }
  throw UsageError(fmt::format("unknown shape '{}': use \"rows of N\" or \"segments of N\", where N is a power of two",
                               base::clipped(text)));
}

Problem with_length_of_class(Problem problem) {
  if (problem.shape != Shape::flat) problem.row_length = length_of_class(size_class(problem.row_length));
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
  const bool has_segments = problem.shape == Shape::segments;
  if (has_shape(problem.algorithm, problem.shape)) {
    if (!has_segments || problem.key) return;
    throw UsageError("segments need the type of their offsets: make the problem with in_segments()");
  }
  std::vector<std::string_view> able;
  for (const Algorithm algorithm : all_algorithms()) {
    if (has_shape(algorithm, problem.shape)) able.push_back(name(algorithm));
  }
  const std::string_view parts = has_segments ? "segments" : "rows";
  throw UsageError(fmt::format("{} does not take {}: use {}, or leave out the {}", name(problem.algorithm), parts,
                               fmt::join(able, " or "), parts));
}

std::uint64_t rows_of(const Problem& problem, std::uint64_t n) noexcept {
  if (problem.shape == Shape::segments && n > 0) {
    const std::uint64_t length = std::max<std::uint64_t>(problem.row_length, 1);
    return n / length + (n % length != 0 ? 1 : 0);
  }
  if (problem.shape != Shape::rows || problem.row_length == 0 || n == 0) return 0;
  return std::max<std::uint64_t>(n / problem.row_length, 1);
}

std::uint64_t length_of_rows(const Problem& problem, std::uint64_t n) noexcept {
  return problem.shape == Shape::rows ? std::min(problem.row_length, n) : 0;
}

}  // namespace upsweep
