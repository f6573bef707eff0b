#include "generator/shape.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "base/text.hpp"
#include "generator/catalogues.hpp"

namespace upsweep {
namespace {

// All of the text.
std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// The lengths in such a text, of any class.
std::optional<Problem> parse_shape(Shape shape, std::string_view text) {
  const std::string begin = fmt::format("{} of ", words_of(shape).name);
  constexpr std::string_view between = " by ";
  if (!text.starts_with(begin)) return std::nullopt;
  text.remove_prefix(begin.size());
  Problem problem;
  problem.shape = shape;
  if (shape == Shape::axis) {
    const std::size_t at = text.find(between);
    if (at == text.npos) return std::nullopt;
    const auto inner = parse_count(text.substr(at + between.size()));
    if (!inner) return std::nullopt;
    problem.inner = *inner;
    text = text.substr(0, at);
  }
  const auto length = parse_count(text);
  if (!length) return std::nullopt;
  problem.row_length = *length;
  return problem;
}

// The length that stands for those of a class.
std::uint64_t length_of_class(int row_class) noexcept {
  constexpr int most = 63;  // size_class() gives 64, too
  return row_class <= most ? std::uint64_t{1} << row_class : ~std::uint64_t{0};
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

std::string shape_name(const Problem& problem) {
  if (problem.shape == Shape::flat) return {};
  const Problem named = with_length_of_class(problem);
  std::string text = fmt::format("{} of {}", words_of(named.shape).name, named.row_length);
  if (named.shape == Shape::axis) text += fmt::format(" by {}", named.inner);
  return text;
}

void read_shape(Problem& problem, const std::string& text) {
  for (const Shape shape : {Shape::rows, Shape::axis, Shape::segments}) {
    std::optional<Problem> read = parse_shape(shape, text);
    if (!read) continue;
    // Of all types, these have the most alignments. The problem's own may be one that this process does not know.
    read->input = Type::u8;
    if (shape_name(*read) != text) break;
    problem.shape = shape;
    problem.row_length = read->row_length;
    problem.inner = read->inner;
    return;
  }
  throw UsageError(
      fmt::format("unknown shape '{}': use \"rows of N\", \"axis of N by M\" or \"segments of N\", where N and M are "
                  "powers of two; for rows behind an axis that are not aligned to 128 bytes, M is less by the items "
                  "that they are aligned to, as 60 or 63 in the place of 64",
                  base::clipped(text)));
}

Problem with_length_of_class(Problem problem) {
  if (problem.shape == Shape::flat) return problem;
  problem.row_length = length_of_class(size_class(problem.row_length));
  if (has_pitch(problem)) problem.row_pitch = problem.row_length;  // whichever it is
  if (problem.shape != Shape::axis) return problem;
  const std::uint64_t alignment = row_alignment(problem), of_items = lowest_bit(size_of(problem.input));
  problem.inner = length_of_class(inner_class(problem.inner));
  if (row_alignment(problem) > alignment) problem.inner -= std::max<std::uint64_t>(alignment / of_items, 1);
  return problem;
}

std::uint64_t row_alignment(const Problem& problem) noexcept {
  constexpr std::uint64_t most = 128;
  const std::uint64_t items = std::max<std::uint64_t>(problem.inner, 1);  // no rows are of the class of 1
  const std::uint64_t bytes = items % most * size_of(problem.input) % most;
  return problem.shape != Shape::axis || bytes == 0 ? most : lowest_bit(bytes);
}

int inner_class(std::uint64_t inner) noexcept {
  constexpr std::uint64_t first_of_eight = 5;
  return size_class(inner == first_of_eight ? inner + 1 : inner);
}

std::uint64_t exact_inner(const Problem& problem) noexcept {
  constexpr std::uint64_t most = 4, item_bytes = 128;  // rows of such items all have one alignment
  const bool is_exact = problem.inner >= 2 && problem.inner <= most && size_of(problem.input) < item_bytes;
  return problem.shape == Shape::axis && is_exact ? problem.inner : 0;
}

bool has_one_array(const Problem& problem) noexcept {
  if (problem.row_length == 0 || problem.inner == 0) return true;
  return problem.size / problem.inner / problem.row_length < 2;
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
  return with_length_of_class(std::move(problem));
}

bool same_shape(const Problem& a, const Problem& b) noexcept {
  return a.shape == b.shape && row_length_distance(a, b) == 0 && row_alignment(a) == row_alignment(b);
}

int row_length_distance(const Problem& a, const Problem& b) noexcept {
  return a.shape == Shape::flat && b.shape == Shape::flat
             ? 0
             : std::abs(size_class(a.row_length) - size_class(b.row_length)) +
                   std::abs(inner_class(a.inner) - inner_class(b.inner));
}

int extent_distance(const Problem& a, const Problem& b) noexcept {
  if (a.shape == Shape::flat || b.shape == Shape::flat) return 0;
  const auto parts = [](const Problem& problem) {
    return size_class(problem.size) - size_class(problem.row_length) - inner_class(problem.inner);
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
