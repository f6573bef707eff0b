#include <upsweep/problem.hpp>

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <upsweep/axis.hpp>
#include <upsweep/error.hpp>
#include <upsweep/rows.hpp>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/density.hpp"
#include "generator/operator.hpp"
#include "generator/shape.hpp"
#include "generator/value_type.hpp"

namespace upsweep {
namespace {

// Nothing is known of how to convert one.
void check_structures(const Problem& problem) {
  for (const Type type : {problem.input, problem.output}) {
    if (type == problem.accumulator || (is_number(type) && is_number(problem.accumulator))) continue;
    throw UsageError(fmt::format("cannot convert between {} and {}: use {} for input, accumulator and output",
                                 name(type), name(problem.accumulator), name(problem.accumulator)));
  }
}

}  // namespace

Problem make_problem(Algorithm algorithm, Operator op, Type input, Type accumulator, std::uint64_t size) {
  const AlgorithmEntry& entry = entry_of(algorithm);
  Problem problem{.algorithm = algorithm,
                  .op = op,
                  .input = input,
                  .accumulator = accumulator,
                  .output = entry.output_is_input ? input : accumulator,
                  .size = size};
  problem.key = entry.key;
  return problem;
}

// The problem without the shape that it has, if any.
static Problem flattened(Problem problem) {
  if (problem.shape == Shape::segments) problem.key = entry_of(problem.algorithm).key;
  problem.shape = Shape::flat;
  problem.row_length = problem.inner = problem.row_pitch = 0;
  problem.unordered_segments = false;
  return problem;
}

// The problem with that pitch. Throws UsageError where such rows overlap, or have no room in 64 bits.
static Problem pitched(const Problem& problem, const Rows& rows, std::uint64_t pitch) {
  std::uint64_t places = 0;
  if (!__builtin_mul_overflow(rows.count(), pitch, &places)) return with_pitch(problem, pitch);
  throw UsageError(
      fmt::format("{} rows with a pitch of {} items have 2^64 places or more: divide them among several "
                  "calls",
                  rows.count(), pitch));
}

Problem in_rows(Problem problem, std::uint64_t count, std::uint64_t length) {
  problem = flattened(std::move(problem));
  problem.shape = Shape::rows;
  problem.row_length = length;
  problem.size = Rows(count, length).items();
  return problem;
}

Problem in_rows(Problem problem, const Rows& rows) {
  problem = in_rows(std::move(problem), rows.count(), rows.length());
  const Problem in = pitched(problem, rows, rows.in_pitch()), out = pitched(problem, rows, rows.out_pitch());
  if (problem.algorithm == Algorithm::reduce && rows.in_pitch() != rows.out_pitch()) {
    throw UsageError("the results of a reduce lie one behind the other: give the pitch of the input alone");
  }
  if (rows.have_gaps()) problem.row_pitch = std::max(in.row_pitch, out.row_pitch);
  return problem;
}

Problem along_axis(Problem problem, const Axis& axis) {
  if (axis.inner() == 1) return in_rows(std::move(problem), axis.outer(), axis.length());
  problem = flattened(std::move(problem));
  problem.shape = Shape::axis;
  problem.row_length = axis.length();
  problem.inner = axis.inner();
  problem.size = axis.items();
  return problem;
}

std::uint64_t Axis::columns() const {
  std::uint64_t columns = 0;
  if (!__builtin_mul_overflow(outer_, inner_, &columns)) return columns;
  throw UsageError(
      fmt::format("an axis with extents of {} before it and {} behind it has 2^64 columns or more: divide "
                  "them among several calls",
                  outer_, inner_));
}

std::uint64_t Axis::items() const {
  std::uint64_t items = 0;
  if (!__builtin_mul_overflow(columns(), length_, &items)) return items;
  throw UsageError(fmt::format("an array of {} x {} x {} has 2^64 items or more: divide them among several calls",
                               outer_, length_, inner_));
}

Problem in_segments(Problem problem, std::uint64_t count, std::uint64_t items, Type offset_type) {
  problem = flattened(std::move(problem));
  problem.shape = Shape::segments;
  problem.row_length = count == 0 ? items : items / count;
  problem.size = items;
  problem.key = offset_type;
  return problem;
}

Problem in_segments(Problem problem, const Segments& segments) {
  problem = in_segments(std::move(problem), segments.count(), segments.items(), segments.offset_type());
  problem.unordered_segments = segments.are_unordered();
  return problem;
}

std::uint64_t Rows::items() const {
  std::uint64_t items = 0;
  if (!__builtin_mul_overflow(count_, length_, &items)) return items;
  throw UsageError(
      fmt::format("{} rows of {} items are 2^64 items or more: divide them among several calls", count_, length_));
}

void validate(const Problem& problem) {
  validate_shape(problem);
  const AlgorithmEntry& entry = entry_of(problem);
  if (problem.key && !entry.key) {
    throw UsageError(fmt::format("{} has no keys or flags: leave out their type", entry.name));
  }
  if (!problem.key && entry.key) {
    throw UsageError(fmt::format("{} needs a type of keys or flags, such as {}", entry.name, name(*entry.key)));
  }
  if (problem.density != Density::unknown && !takes_density(problem)) {
    throw UsageError(fmt::format("{} has as many results for all data: leave out the density", entry.name));
  }
  if (problem.density != Density::unknown && results_per_item(problem.density) * entry.result_distance > 1) {
    throw UsageError(fmt::format("{} has a result for each {} items at most: use a density of at most {}", entry.name,
                                 entry.result_distance, 1.0 / entry.result_distance));
  }
  if (entry.validate) {
    entry.validate(problem);
  } else {
    validate_fold(problem);
  }
  validate_accuracy(problem);
}

void validate_fold(const Problem& problem) {
  const OperatorEntry& op = entry_of(problem.op);
  if (!op.is_predicate && !op.associative) {
    throw UsageError(
        fmt::format("{} is not associative, and {} needs an operator that is: use plus, maximum or another one, or "
                    "adjacent_difference for the differences of neighbouring items",
                    op.name, name(problem.algorithm)));
  }
  validate_combination(problem);
}

void validate_segments(const Problem& problem) {
  if (problem.key != Type::u32 && problem.key != Type::u64) {
    throw UsageError(fmt::format(
        "offsets of segments cannot be {}: use u32 or u64, also for signed ones of as many bits", name(*problem.key)));
  }
  validate_fold(problem);
}

void validate_combination(const Problem& problem) {
  if (entry_of(problem.op).is_predicate) {
    throw UsageError(
        fmt::format("{} is a predicate, and {} needs an operator that combines items: use plus, maximum or "
                    "another one",
                    name(problem.op), name(problem.algorithm)));
  }
  validate(problem.op, problem.accumulator);
  check_structures(problem);
  if (is_complex(problem.input) && !is_complex(problem.accumulator)) {
    throw UsageError(fmt::format("{} values cannot be accumulated in {}: use c64 or c128 as accumulator",
                                 name(problem.input), name(problem.accumulator)));
  }
  if (is_complex(problem.accumulator) && !is_complex(problem.output)) {
    throw UsageError(fmt::format("an accumulator of {} cannot be written as {}: use c64 or c128 as output type",
                                 name(problem.accumulator), name(problem.output)));
  }
  if (is_floating(problem.input) && !is_floating(problem.accumulator)) {
    throw UsageError(fmt::format("{} values cannot be accumulated in {}: use f32 or f64 as accumulator",
                                 name(problem.input), name(problem.accumulator)));
  }
  if (is_floating(problem.accumulator) && !is_floating(problem.output)) {
    throw UsageError(fmt::format("an accumulator of {} cannot be written as {}: use a floating-point output type",
                                 name(problem.accumulator), name(problem.output)));
  }
}

std::vector<Problem> built_in_problems() {
  std::vector<Problem> problems;
  for (const Operator op : {Operator::plus, Operator::maximum, Operator::minimum}) {
    for (const Algorithm algorithm : all_algorithms()) {
      // Only scans and reduces, and only forward: the winners of a scan serve its reverse.
      if (entry_of(algorithm).validate || entry_of(algorithm).reverse_of) continue;
      for (const Type type : all_types()) {
        if (op == Operator::plus || !is_complex(type)) problems.push_back(make_problem(algorithm, op, type, type));
      }
    }
  }
  return problems;
}

std::string to_string(const Problem& problem) {
  std::string text = fmt::format("{} {} {}", name(problem.algorithm), name(problem.op), name(problem.input));
  if (problem.accumulator != problem.input) text += fmt::format(" in {}", name(problem.accumulator));
  if (problem.key) text += fmt::format(" by {}", name(*problem.key));
  if (problem.output != problem.accumulator) text += fmt::format(" to {}", name(problem.output));
  if (problem.density != Density::unknown) text += fmt::format(" at density {}", name(problem.density));
  if (problem.accuracy != Accuracy::plain) text += fmt::format(" ({})", name(problem.accuracy));
  if (problem.shape != Shape::flat) text += fmt::format(", {}", words_of(problem.shape).name);
  if (problem.row_length > 0) text += fmt::format(" of {}", problem.row_length);
  if (problem.inner > 0) text += fmt::format(" by {}", problem.inner);
  if (has_pitch(problem)) text += " with a pitch";
  if (has_pitch(problem) && problem.row_length > 0) text += fmt::format(" of {}", problem.row_pitch);
  if (problem.unordered_segments) text += " in any order";
  return text;
}

int size_class(std::uint64_t n) noexcept {
  if (n <= 1) return 0;
  const int below = static_cast<int>(std::bit_width(n)) - 1;
  // n / 2^below > sqrt(2), compared in integers: the top 32 bits of n, squared.
  const std::uint64_t top = below >= 31 ? n >> (below - 31) : n << (31 - below);
  return top * top > std::uint64_t{1} << 63 ? below + 1 : below;
}

SizeSide size_side(std::uint64_t n) noexcept {
  if (std::has_single_bit(n)) return SizeSide::at;
  return size_class(n) < static_cast<int>(std::bit_width(n)) ? SizeSide::above : SizeSide::below;
}

}  // namespace upsweep
