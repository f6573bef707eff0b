/// @file
/// Rows: the shape of a call whose items are rows of equal length.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>

namespace UPSWEEP_API upsweep {

/// The items of a call as rows of equal length, which lie one behind the other without gaps: item k of row i is item
/// i * length + k. upsweep::rows() makes it.
class Rows {
 public:
  /// That many rows of that many items.
  explicit Rows(std::uint64_t count, std::uint64_t length) noexcept : count_(count), length_(length) {}

  /// Number of rows.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Number of items per row.
  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }
  /// Number of items of all rows.
  /// @throws UsageError if it does not fit into 64 bits.
  [[nodiscard]] std::uint64_t items() const;

 private:
  std::uint64_t count_;
  std::uint64_t length_;
};

/// `count` rows of `length` items each. Both may be 0.
///
///     context.inclusive_scan(in, out, upsweep::rows(1000, 64), upsweep::plus);
///     context.reduce(in, sums, upsweep::rows(1000, 64));
[[nodiscard]] inline Rows rows(std::uint64_t count, std::uint64_t length) noexcept {
  return Rows(count, length);
}

}  // namespace upsweep
