// An algorithm: what arrays a call has, and how its results come about. Each is one file in generator/algorithms, with
// its hooks in templates/algorithm. CONTRIBUTING.md lists what adding one touches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/define.hpp>
#include <upsweep/port.hpp>
#include <upsweep/scalar.hpp>

namespace upsweep {

// How results reach the outputs. A schedule supports some of these and names no algorithm.
enum class Emission : std::uint8_t {
  dense,      // one result at the place of each item
  compact,    // results for some items, one behind the other
  at_end,     // all results are written once, at the end
  both_ends,  // results for some items from the beginning of the output on, for the others from its end back
  parts,      // a result for each item, in one of a few parts: those of a part one behind the other
  indexed     // a result for each row, column or segment, at its place
};

// What items combine to.
enum class Fold : std::uint8_t {
  values,          // to a value, by the problem's operator
  counts,          // to the number of their results; the operator is a predicate, and the accumulator counts
  counted_values,  // to the number of their results and the fold of the values since the last one
  flagged_values,  // to whether a segment or row begins among them, and the fold of the values since
  part_counts,     // to the number of items of each part but the last; the operator is a predicate
  none             // not at all: the result of an item depends on the item and its neighbours alone
};

struct AlgorithmEntry {
  std::string name;  // of an algorithm that is not built in, with a hash of its definition behind it
  std::vector<std::string> aliases = {};     // other names that the command takes
  std::optional<Algorithm> enumerator = {};  // in the public enumeration
  // An algorithm has an entry for each shape that it takes. Those of other shapes than `flat` have the same name and
  // enumerator.
  Shape shape = Shape::flat;
  std::string hooks = {};  // which templates/algorithm/hooks.*.cuh; empty: of the algorithm's name
  Emission emission = Emission::dense;
  // The algorithm that it is on the items from the last one to the first: it has the same hooks, and winners serve
  // both.
  std::optional<Algorithm> reverse_of = {};
  bool has_initial = false;  // whether an initial value stands before the first item
  bool has_finish = false;   // whether something is written once, at the end, also for no items
  bool has_words =
      false;  // whether kernels may take several items as one word: hooks have emit_word or kept_bytes, or emit nothing
  std::function<std::vector<Port>(const Problem& problem)> ports = {};
  // An array that is read tile by tile, whose items go into results only, not into what tiles exchange; empty: none.
  std::string only_passed_on = {};
  // Besides the initial value; empty: none.
  std::function<std::vector<ScalarPort>(const Problem& problem)> scalars = {};
  std::function<void(const Problem& problem)> validate = {};  // throws UsageError; empty: validate_fold
  bool output_is_input = false;          // whether the type of results is that of the items, not that of accumulators
  std::optional<Type> accumulator = {};  // that problems have whose accumulator nobody names; empty: the input's
  Fold fold = Fold::values;
  std::optional<Operator> usual_operator = {};  // of problems whose operator nobody names; empty: they need one
  int result_distance = 1;                      // items that have a result are so many places apart, or more
  std::string value_combination = {};  // which templates/operator/operator.*.cuh combines values; empty: the operator's
  bool counts_first = false;           // whether the places of results depend on how many items of all are kept
  // Whether values combine to the index at which the last run begins. If result_distance > 1, some runs have no result,
  // and the hooks also have begins_run and is_long.
  bool folds_to_run_begin = false;
  bool with_index = false;       // whether results depend on the index of the item: Item has a member for it
  std::optional<Type> key = {};  // of the keys or flags, in problems whose type of them nobody names; empty: none
  // For the tuner: what the items of an array that is read are like; empty: what the operator's test data say.
  std::function<TestData(const Problem& problem, const Port& port)> test_data = {};
  // For the tuner: values of `scalars`, in their order; empty: zeros.
  std::function<std::vector<Scalar>(const Problem& problem)> test_scalars = {};
  std::string definition = {};  // the text of its hooks, of an algorithm that is not built in

  [[nodiscard]] bool is_built_in() const noexcept { return definition.empty(); }
};

// Of the shape `flat`.
[[nodiscard]] const AlgorithmEntry& entry_of(Algorithm algorithm) noexcept;
// Of the shape; that of `flat` where the algorithm does not take the shape, which validate() refuses.
[[nodiscard]] const AlgorithmEntry& entry_of(Algorithm algorithm, Shape shape) noexcept;
[[nodiscard]] inline const AlgorithmEntry& entry_of(const Problem& problem) noexcept {
  return entry_of(problem.algorithm, problem.shape);
}
// Whether the algorithm takes the shape.
[[nodiscard]] bool has_shape(Algorithm algorithm, Shape shape) noexcept;

// One input, and one output of as many items, or of one.
[[nodiscard]] std::vector<Port> dense_ports(const Problem& problem);
[[nodiscard]] std::vector<Port> at_end_ports(const Problem& problem);
// One input, and one output of an item for each row, or column of an axis.
[[nodiscard]] std::vector<Port> row_ports(const Problem& problem);
// One input and offsets, and one output of as many items, or of one for each segment.
[[nodiscard]] std::vector<Port> dense_segment_ports(const Problem& problem);
[[nodiscard]] std::vector<Port> segment_ports(const Problem& problem);

// The problem of an algorithm and an operator on items of a type. Where nobody names the accumulator or the output,
// they are as in the library's calls: of scans and reduces, both have the type that is named, or else the input's.
// Keys and flags are of the type that the algorithm's entry says where nobody names another.
[[nodiscard]] Problem problem_of(Algorithm algorithm, Operator op, Type input, std::optional<Type> accumulator,
                                 std::optional<Type> output, std::optional<Type> key = {});

// Throws UsageError unless the problem's operator combines accumulators made of its input, and results can be made of
// these.
void validate_combination(const Problem& problem);

// Throws UsageError, too, unless the operator is associative.
void validate_fold(const Problem& problem);
// Throws UsageError, too, unless the offsets are u32 or u64.
void validate_segments(const Problem& problem);

// Types of input, accumulator and output, and of keys or flags where the problem has them.
[[nodiscard]] std::vector<Type> types_of(const Problem& problem);

// The arrays that are read tile by tile, and those that are written so.
[[nodiscard]] std::vector<Port> tile_inputs(const Problem& problem);
[[nodiscard]] std::vector<Port> tile_outputs(const Problem& problem);

// Whether kernels read one array, and what an item contributes depends on the item alone.
[[nodiscard]] bool has_plain_items(const Problem& problem);

// Whether items combine to something. If not, each tile is computed on its own.
[[nodiscard]] inline bool is_folded(const Problem& problem) noexcept {
  return entry_of(problem).fold != Fold::none;
}
// Whether the result of an item depends on all items before it, which may be those of its row: scans and selections.
// Of segments in any order, it does not.
[[nodiscard]] inline bool is_scanned(const Problem& problem) noexcept {
  const Emission emission = entry_of(problem).emission;
  return is_folded(problem) && emission != Emission::at_end && emission != Emission::indexed &&
         problem.shape != Shape::axis && !problem.unordered_segments;
}
// Whether each column of an axis is scanned, or has one result: the fold of its items.
[[nodiscard]] inline bool is_scan_along_axis(const Problem& problem) noexcept {
  return problem.shape == Shape::axis && entry_of(problem).emission == Emission::dense;
}
[[nodiscard]] inline bool is_fold_along_axis(const Problem& problem) noexcept {
  return problem.shape == Shape::axis && entry_of(problem).emission == Emission::indexed;
}
// Whether each row has one result: the fold of its items.
[[nodiscard]] inline bool is_fold_of_rows(const Problem& problem) noexcept {
  return problem.shape == Shape::rows && entry_of(problem).emission == Emission::indexed;
}
// The same of segments.
[[nodiscard]] inline bool is_fold_of_segments(const Problem& problem) noexcept {
  return problem.shape == Shape::segments && entry_of(problem).emission == Emission::indexed;
}
// Whether each segment is scanned.
[[nodiscard]] inline bool is_scan_of_segments(const Problem& problem) noexcept {
  return problem.shape == Shape::segments && entry_of(problem).emission == Emission::dense;
}
// Whether items tell with which of them a row begins.
[[nodiscard]] inline bool has_row_begins(const Problem& problem) noexcept {
  return problem.shape == Shape::rows && is_scanned(problem);
}
// Whether items tell with which of them a segment begins, which offsets in memory say.
[[nodiscard]] inline bool has_segment_begins(const Problem& problem) noexcept {
  return problem.shape == Shape::segments;
}
// Whether the place of an item's result depends on how many items before it have one.
[[nodiscard]] inline bool is_compact(const Problem& problem) noexcept {
  const Emission emission = entry_of(problem).emission;
  return emission == Emission::compact || emission == Emission::both_ends || emission == Emission::parts;
}

// Whether a call writes all items, and the data decide where.
[[nodiscard]] inline bool is_partition(const Problem& problem) noexcept {
  const Emission emission = entry_of(problem).emission;
  return emission == Emission::both_ends || emission == Emission::parts;
}

// How many parts a partition has; of another algorithm, 0.
[[nodiscard]] inline int parts_of(const Problem& problem) noexcept {
  if (!is_partition(problem)) return 0;
  return entry_of(problem).fold == Fold::part_counts ? 3 : 2;
}

// Whether results may take the place of items that are read by other tiles: they are never more than the items before.
[[nodiscard]] inline bool may_replace_items(const Problem& problem) noexcept {
  return entry_of(problem).emission == Emission::compact;
}

// Whether the first item has an exclusive prefix: the initial value. Where values combine by segments, each segment
// begins with it.
[[nodiscard]] inline bool has_initial_prefix(const Problem& problem) noexcept {
  return entry_of(problem).has_initial && entry_of(problem).fold == Fold::values;
}

// Whether items are taken from the last one to the first.
[[nodiscard]] inline bool is_backward(const Problem& problem) noexcept {
  return entry_of(problem).reverse_of.has_value();
}

// Whether a result belongs to the place of each item.
[[nodiscard]] inline bool is_dense(const Problem& problem) noexcept {
  return entry_of(problem).emission == Emission::dense;
}

// Bytes that a call of n items reads from its inputs, or writes to its outputs; the greatest number there is where they
// have no room in 64 bits.
[[nodiscard]] std::uint64_t input_bytes(const Problem& problem, std::uint64_t n);
[[nodiscard]] std::uint64_t output_bytes(const Problem& problem, std::uint64_t n);

// Number of items of an array, for a call of n items. Rows, axes and segments are as long as the problem says.
[[nodiscard]] std::uint64_t port_items(const Problem& problem, const Port& port, std::uint64_t n) noexcept;

// Number of items of the output.
[[nodiscard]] std::uint64_t output_items(const Problem& problem, std::uint64_t n);

}  // namespace upsweep
