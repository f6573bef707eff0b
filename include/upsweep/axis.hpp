/// @file
/// Axis: the shape of a call along one dimension of a dense array.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>

namespace UPSWEEP_API upsweep {

/// The items of a call as a dense array with three extents, which is scanned or reduced along the middle one: item
/// (o, k, j) is item (o * length + k) * inner + j. Any dimension of an array in C order is such an axis: `outer` is the
/// product of the extents before it, and `inner` that of the extents behind it. upsweep::axis() makes it.
class Axis {
 public:
  /// An axis of `length` items, which are `inner` items apart, in `outer` parts of the array.
  explicit Axis(std::uint64_t outer, std::uint64_t length, std::uint64_t inner) noexcept
      : outer_(outer), length_(length), inner_(inner) {}

  /// The product of the extents before the axis.
  [[nodiscard]] std::uint64_t outer() const noexcept { return outer_; }
  /// Number of items along the axis.
  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }
  /// The product of the extents behind the axis.
  [[nodiscard]] std::uint64_t inner() const noexcept { return inner_; }
  /// Number of columns: outer * inner. Each is scanned or reduced on its own.
  /// @throws UsageError if it does not fit into 64 bits.
  [[nodiscard]] std::uint64_t columns() const;
  /// Number of all items.
  /// @throws UsageError if it, or columns(), does not fit into 64 bits.
  [[nodiscard]] std::uint64_t items() const;

 private:
  std::uint64_t outer_;
  std::uint64_t length_;
  std::uint64_t inner_;
};

/// The axis of extent `length` of a dense array, with extents of product `outer` before it and `inner` behind it. Each
/// may be 0. If `inner` is 1, the columns are rows, and calls are those of rows(outer, length).
///
///     context.inclusive_scan(in, out, upsweep::axis(1, 1000, 64), upsweep::plus);  // 1000 x 64, along the first
///     context.reduce(in, sums, upsweep::axis(8, 1000, 64));                         // 8 x 1000 x 64, along the second
[[nodiscard]] inline Axis axis(std::uint64_t outer, std::uint64_t length, std::uint64_t inner) noexcept {
  return Axis(outer, length, inner);
}

}  // namespace upsweep
