/// @file
/// Segments: the shape of a call whose items are segments of any length, given by an array of offsets.
#pragma once

#include <upsweep/export.hpp>

#include <concepts>
#include <cstdint>

#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// The items of a call as segments: segment i is items offsets[i], ..., offsets[i+1] - 1, or, where pairs give them,
/// items begins[i], ..., ends[i] - 1. upsweep::segments() makes it. The offsets are in device memory, and only the
/// kernel reads them, after all earlier work in the stream. They ascend; equal neighbours are an empty segment. The
/// first one may be above 0 and the last one below the number of items. Items outside of all segments, which with pairs
/// may lie between segments, too, have no part in any result, and scans leave their places in the output as they were.
/// Pairs of unordered_segments() need not ascend.
class Segments {
 public:
  /// `offset_type`: u32 or u64, the type of the offsets.
  Segments(const void* offsets, Type offset_type, std::uint64_t count, std::uint64_t items) noexcept
      : offsets_(offsets), offset_type_(offset_type), count_(count), items_(items) {}
  /// Segments with gaps between them, given by pairs. `are_unordered`: the pairs need not ascend.
  Segments(const void* begins, const void* ends, Type offset_type, std::uint64_t count, std::uint64_t items,
           bool are_unordered = false) noexcept
      : offsets_(begins),
        ends_(ends),
        has_ends_(true),
        are_unordered_(are_unordered),
        offset_type_(offset_type),
        count_(count),
        items_(items) {}

  /// Device address of the count() + 1 offsets; with pairs, of the count() offsets at which segments begin.
  [[nodiscard]] const void* offsets() const noexcept { return offsets_; }
  /// With pairs, device address of the count() offsets at which segments end; otherwise null.
  [[nodiscard]] const void* ends() const noexcept { return ends_; }
  /// Whether the segments are given by pairs.
  [[nodiscard]] bool has_ends() const noexcept { return has_ends_; }
  /// Whether the segments need not ascend, and may overlap in a reduce.
  [[nodiscard]] bool are_unordered() const noexcept { return are_unordered_; }
  /// Type of the offsets: u32 or u64.
  [[nodiscard]] Type offset_type() const noexcept { return offset_type_; }
  /// Number of segments.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Number of items of the arrays; no offset is above it.
  [[nodiscard]] std::uint64_t items() const noexcept { return items_; }

 private:
  const void* offsets_;
  const void* ends_ = nullptr;
  bool has_ends_ = false;
  bool are_unordered_ = false;
  Type offset_type_;
  std::uint64_t count_;
  std::uint64_t items_;
};

/// `count` segments of the first `items` items of an array. Both may be 0.
///
///     context.inclusive_scan(in, out, upsweep::segments(offsets, count, n), upsweep::plus);
///     context.reduce(in, sums, upsweep::segments(offsets, count, n));
/// @param offsets device memory with count + 1 integers of 32 or 64 bits, signed or unsigned, in ascending order, of
/// which none is negative or above `items`. Where they are wrong, results are wrong, but nothing is written outside the
/// output. With UPSWEEP_CHECK=1 in the environment, each call looks at them and names the first wrong segment.
/// @param count number of segments.
/// @param items number of items that the arrays have room for.
template <std::integral Offset>
requires(sizeof(Offset) == 4 || sizeof(Offset) == 8) [[nodiscard]] Segments
    segments(const Offset* offsets, std::uint64_t count, std::uint64_t items) noexcept {
  return {offsets, sizeof(Offset) == 4 ? Type::u32 : Type::u64, count, items};
}

/// `count` segments of the first `items` items of an array, with gaps between them: segment i is items begins[i], ...,
/// ends[i] - 1. Calls have a kernel of their own: to capture one, call prepare() with Arguments before the capture.
///
///     context.reduce(in, sums, upsweep::segments(begins, ends, count, n));
/// @param begins,ends device memory with `count` integers each, of 32 or 64 bits, signed or unsigned: begins[i] <=
/// ends[i] <= begins[i+1], and none is negative or above `items`. Where they are wrong, results are wrong, but nothing
/// is written outside the output. With UPSWEEP_CHECK=1 in the environment, each call looks at them and names the first
/// wrong segment.
/// @param count,items as above.
template <std::integral Offset>
requires(sizeof(Offset) == 4 || sizeof(Offset) == 8) [[nodiscard]] Segments
    segments(const Offset* begins, const Offset* ends, std::uint64_t count, std::uint64_t items) noexcept {
  return {begins, ends, sizeof(Offset) == 4 ? Type::u32 : Type::u64, count, items};
}

/// `count` segments of the first `items` items of an array, in any order: segment i is items begins[i], ...,
/// ends[i] - 1. In a reduce, segments may overlap, such as windows of a series; in a scan, no two may have an item in
/// common. A thread, a warp or a block takes each segment. So one segment that has most of the items takes longer than
/// with segments(), above all in a scan. In a reduce of more than 2^15 items, several blocks share it. The plan is one
/// of in_segments(problem, segments), which expects segments that do not overlap. If they overlap, set
/// Problem::row_length to their length. If a stream shall capture the call, run
/// prepare(in_segments(problem, segments), arguments) before the capture.
///
///     context.reduce(in, sums, upsweep::unordered_segments(begins, ends, count, n));
/// @param begins,ends device memory with `count` integers each, of 32 or 64 bits, signed or unsigned: begins[i] <=
/// ends[i], and none is negative or above `items`. Where they are wrong, results are wrong, but nothing is written
/// outside the output. With UPSWEEP_CHECK=1 in the environment, each call looks at them and names the first wrong
/// segment; it does not look for segments that overlap.
/// @param count,items as above.
template <std::integral Offset>
requires(sizeof(Offset) == 4 || sizeof(Offset) == 8) [[nodiscard]] Segments
    unordered_segments(const Offset* begins, const Offset* ends, std::uint64_t count, std::uint64_t items) noexcept {
  return {begins, ends, sizeof(Offset) == 4 ? Type::u32 : Type::u64, count, items, true};
}

}  // namespace upsweep
