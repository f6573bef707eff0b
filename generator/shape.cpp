#include "generator/shape.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/catalogues.hpp"

namespace upsweep {
namespace {

constexpr int length_classes = 65;  // of size_class()

std::string length_name(int length_class) {
  if (length_class + 1 == length_classes) return "18446744073709551616";
  return fmt::format("{}", std::uint64_t{1} << length_class);
}

// "rows of 1", "rows of 2", "rows of 4" and so on, by the class of the length. The same of segments.
const std::vector<std::string>& length_names(Shape shape) {
  const auto make = [](Shape named) {
    std::vector<std::string> made;
    for (int i = 0; i < length_classes; ++i) {
      made.push_back(fmt::format("{} of {}", words_of(named).name, length_name(i)));
    }
    return made;
  };
  static const auto& rows = *new std::vector<std::string>(make(Shape::rows));
  static const auto& segments = *new std::vector<std::string>(make(Shape::segments));
  return shape == Shape::segments ? segments : rows;
}

// "axis of 1 by 1", "axis of 1 by 2" and so on: by the class of the length, then by that of what is behind the axis.
const std::vector<std::string>& axis_names() {
  static const auto& names = *new std::vector<std::string>([] {
    std::vector<std::string> made;
    for (int i = 0; i < length_classes; ++i) {
      for (int k = 0; k < length_classes; ++k) {
        made.push_back(fmt::format("axis of {} by {}", length_name(i), length_name(k)));
      }
    }
    return made;
  }());
  return names;
}

// The length that stands for those of a class.
std::uint64_t length_of_class(int row_class) noexcept {
  return row_class + 1 < length_classes ? std::uint64_t{1} << row_class : ~std::uint64_t{0};
}

std::uint64_t lowest_bit(std::uint64_t value) noexcept {
  return value & (~value + 1);
}

// Throws UsageError.
void check_pitch(std::uint64_t length, std::uint64_t pitch) {
  if (pitch >= length) return;
  throw UsageError(
      fmt::format("a pitch of {} is below the {} items of a row: use a pitch of at least {}", pitch, length, length));
}

}  // namespace

const ShapeWords& words_of(Shape shape) noexcept {
  static constexpr std::array<ShapeWords, 4> words{{
      {.name = "", .parts = "items", .of_parts = "of items", .call = "Arguments(n)", .problem = "the problem"},
      {.name = "rows",
       .parts = "rows",
       .of_parts = "of rows",
       .call = "Arguments(rows(count, length))",
       .problem = "in_rows(problem, count, length)"},
      {.name = "axis",
       .parts = "an axis",
       .of_parts = "along an axis",
       .call = "Arguments(axis(outer, length, inner))",
       .problem = "along_axis(problem, axis)"},
      {.name = "segments",
       .parts = "segments",
       .of_parts = "of segments",
       .call = "Arguments(segments(offsets, count, items))",
       .problem = "in_segments(problem, count, items)"},
  }};
  return words[static_cast<std::size_t>(shape)];
}

std::string_view shape_name(const Problem& problem) noexcept {
  if (problem.shape == Shape::flat) return {};
  const int length = size_class(problem.row_length);
  if (problem.shape != Shape::axis) return length_names(problem.shape)[static_cast<std::size_t>(length)];
  return axis_names()[static_cast<std::size_t>(length * length_classes + size_class(problem.inner))];
}

void read_shape(Problem& problem, const std::string& text) {
  const auto class_in = [&](const std::vector<std::string>& names) -> std::optional<int> {
    const auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) return std::nullopt;
    return static_cast<int>(at - names.begin());
  };
  for (const Shape shape : {Shape::rows, Shape::segments}) {
    const auto length_class = class_in(length_names(shape));
    if (!length_class) continue;
    problem.shape = shape;
    problem.row_length = length_of_class(*length_class);
    return;
  }
  if (const auto axis_class = class_in(axis_names())) {
    problem.shape = Shape::axis;
    problem.row_length = length_of_class(*axis_class / length_classes);
    problem.inner = length_of_class(*axis_class % length_classes);
    return;
  }
  throw UsageError(
      fmt::format("unknown shape '{}': use \"rows of N\", \"axis of N by M\" or \"segments of N\", where N and M are "
                  "powers of two",
                  base::clipped(text)));
}

Problem with_length_of_class(Problem problem) {
  if (problem.shape != Shape::flat) problem.row_length = length_of_class(size_class(problem.row_length));
  if (problem.shape == Shape::axis) problem.inner = length_of_class(size_class(problem.inner));
  if (has_pitch(problem)) problem.row_pitch = problem.row_length;  // whichever it is
  return problem;
}

std::uint64_t row_alignment(const Problem& problem) noexcept {
  constexpr std::uint64_t most = 128;
  const std::uint64_t bytes = problem.inner % most * size_of(problem.input) % most;
  return problem.shape != Shape::axis || bytes == 0 ? most : lowest_bit(bytes);
}

bool has_uneven_rows(const Problem& problem) noexcept {
  constexpr std::uint64_t vector_bytes = 16;
  return row_alignment(problem) < vector_bytes;
}

Problem with_pitch(Problem problem, std::uint64_t pitch) {
  check_pitch(problem.row_length, pitch);
  problem.row_pitch = pitch == problem.row_length ? 0 : pitch;
  return problem;
}

std::uint64_t places_of(std::uint64_t rows, std::uint64_t length, std::uint64_t pitch) noexcept {
  return rows == 0 || length == 0 ? 0 : (rows - 1) * pitch + length;
}

Problem of_classes(Problem problem) {
  if (problem.shape == Shape::flat) return problem;
  problem.size = length_of_class(size_class(problem.size));
  const std::uint64_t alignment = row_alignment(problem), of_items = lowest_bit(size_of(problem.input));
  problem = with_length_of_class(std::move(problem));
  if (row_alignment(problem) > alignment) problem.inner -= std::max<std::uint64_t>(alignment / of_items, 1);
  return problem;
}

bool same_shape(const Problem& a, const Problem& b) noexcept {
  return a.shape == b.shape && row_length_distance(a, b) == 0;
}

int row_length_distance(const Problem& a, const Problem& b) noexcept {
  return a.shape == Shape::flat && b.shape == Shape::flat
             ? 0
             : std::abs(size_class(a.row_length) - size_class(b.row_length)) +
                   std::abs(size_class(a.inner) - size_class(b.inner));
}

int extent_distance(const Problem& a, const Problem& b) noexcept {
  if (a.shape == Shape::flat || b.shape == Shape::flat) return 0;
  const auto parts = [](const Problem& problem) {
    return size_class(problem.size) - size_class(problem.row_length) - size_class(problem.inner);
  };
  return row_length_distance(a, b) + std::abs(parts(a) - parts(b));
}

void validate_shape(const Problem& problem) {
  if (problem.inner != 0 && problem.shape != Shape::axis) {
    throw UsageError(
        fmt::format("items that are {} apart need an axis: set the shape of the problem to axis", problem.inner));
  }
  if (has_pitch(problem) && problem.shape != Shape::rows) {
    throw UsageError(fmt::format("a pitch of {} needs rows: set the shape of the problem to rows", problem.row_pitch));
  }
  if (has_pitch(problem)) check_pitch(problem.row_length, problem.row_pitch);
  if (problem.unordered_segments && problem.shape != Shape::segments) {
    throw UsageError("segments in any order need segments: set the shape of the problem to segments");
  }
  if (problem.shape == Shape::flat) {
    if (problem.row_length == 0) return;
    throw UsageError(
        fmt::format("a row length of {} needs rows: set the shape of the problem to rows", problem.row_length));
  }
  if (has_shape(problem.algorithm, problem.shape)) {
    if (problem.shape != Shape::segments || problem.key) return;
    throw UsageError("segments need the type of their offsets: make the problem with in_segments()");
  }
  std::vector<std::string_view> able;
  for (const Algorithm algorithm : all_algorithms()) {
    if (has_shape(algorithm, problem.shape)) able.push_back(name(algorithm));
  }
  const ShapeWords& words = words_of(problem.shape);
  throw UsageError(fmt::format("{} does not take {}: use {}, or leave out the {}", name(problem.algorithm), words.parts,
                               fmt::join(able, " or "), words.name));
}

std::uint64_t rows_of(const Problem& problem, std::uint64_t n) noexcept {
  if (problem.shape == Shape::flat || n == 0) return 0;
  if (problem.shape == Shape::axis) {
    const std::uint64_t inner = inner_of(problem, n), length = length_of_rows(problem, n);
    return n / inner / length * inner;
  }
  if (problem.shape == Shape::segments) {
    const std::uint64_t length = std::max<std::uint64_t>(problem.row_length, 1);
    return n / length + (n % length != 0 ? 1 : 0);
  }
  return problem.row_length == 0 ? 0 : std::max<std::uint64_t>(n / problem.row_length, 1);
}

std::uint64_t length_of_rows(const Problem& problem, std::uint64_t n) noexcept {
  if (problem.shape == Shape::axis && n > 0) {
    return std::clamp<std::uint64_t>(problem.row_length, 1, n / inner_of(problem, n));
  }
  return problem.shape == Shape::flat ? 0 : std::min(problem.row_length, n);
}

std::uint64_t inner_of(const Problem& problem, std::uint64_t n) noexcept {
  if (problem.shape != Shape::axis) return 0;
  const std::uint64_t some_rows = std::clamp<std::uint64_t>(problem.row_length, 1, 64);
  return std::clamp<std::uint64_t>(problem.inner, 1, std::max<std::uint64_t>(n / some_rows, 1));
}

std::uint64_t whole_items(const Problem& problem, std::uint64_t n) noexcept {
  return problem.shape == Shape::axis ? rows_of(problem, n) * length_of_rows(problem, n) : n;
}

std::uint64_t least_items(const Problem& problem) noexcept {
  if (problem.shape != Shape::rows && problem.shape != Shape::axis) return 0;
  std::uint64_t items = 0;
  const bool overflows = __builtin_mul_overflow(problem.row_length, std::max<std::uint64_t>(problem.inner, 1), &items);
  return overflows ? ~std::uint64_t{0} : std::max<std::uint64_t>(items, 1);
}

std::string least_part(const Problem& problem) {
  return problem.shape == Shape::axis ? fmt::format("an axis of {} by {}", problem.row_length, problem.inner)
                                      : fmt::format("a row of {}", problem.row_length);
}

}  // namespace upsweep
