// What upsweep run reads: the items, and the keys or flags of algorithms that have them.
#pragma once

#include <optional>

#include <upsweep/axis.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/rows.hpp>

#include "cli/array_file.hpp"
#include "cli/io.hpp"
#include "cli/run_arguments.hpp"

namespace upsweep::cli {

struct RunInput {
  Array items;
  std::optional<Array> keys{};          // as many as items
  std::optional<Rows> rows{};           // that the items are, where --axis or --row-length says so
  std::optional<Axis> axis{};           // the same, where neighbours along the axis are not neighbours in memory
  std::size_t dimension = 0;            // that --axis names
  std::optional<Array> offsets{};       // of the segments that the items are, where --segments names them: u32 or u64
  std::optional<Array> segment_ends{};  // as many, of the same type, where --segment-ends names them
  bool segments_are_unordered = false;  // these need not ascend

  // How many items a call takes: those of the rows, without gaps, or all.
  [[nodiscard]] std::uint64_t n() const { return rows ? rows->items() : items.items; }
  // How many segments the offsets are of.
  [[nodiscard]] std::uint64_t segments() const { return segment_ends ? offsets->items : offsets->items - 1; }
};

// Throws InputError for files that cannot be read or are not what they should be, for more or fewer keys than
// items, and for offsets of segments that do not ascend or are not within the items; UsageError where the arguments do
// not say enough.
[[nodiscard]] RunInput read_input(const RunArguments& arguments, Io& io);

// The problem of the arguments and the input's types and size. Throws UsageError where they make none.
[[nodiscard]] Problem problem_for(const RunArguments& arguments, const RunInput& input);

}  // namespace upsweep::cli
