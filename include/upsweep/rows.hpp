/// @file
/// Rows: the shape of a call whose items are rows of equal length.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>

namespace UPSWEEP_API upsweep {

/// The items of a call as rows of equal length. upsweep::rows() makes it. Without a pitch, rows lie one behind the
/// other without gaps: item k of row i is item i * length + k of its array. With a pitch, it is item i * pitch + k, so
/// that there may be a gap behind each row, as in a slice of a larger array. The call writes nothing to a gap, and the
/// array may end with the last row.
class Rows {
 public:
  /// That many rows of that many items.
  explicit Rows(std::uint64_t count, std::uint64_t length) noexcept
      : count_(count), length_(length), in_pitch_(length), out_pitch_(length) {}

  /// The same rows, of which neighbours begin `items` items apart, in the input and in the output.
  /// @param items at least length().
  [[nodiscard]] Rows pitch(std::uint64_t items) const noexcept { return pitch(items, items); }
  /// The same rows, of which neighbours begin `in` items apart in the input and `out` items apart in the output. The
  /// results of a reduce have no pitch: they lie one behind the other, and `out` must be as `in`.
  /// @param in,out at least length(), each in items of its own array.
  [[nodiscard]] Rows pitch(std::uint64_t in, std::uint64_t out) const noexcept {
    Rows rows = *this;
    rows.in_pitch_ = in;
    rows.out_pitch_ = out;
    return rows;
  }

  /// Number of rows.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Number of items per row.
  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }
  /// How many items apart neighbouring rows of the input begin; length() without a pitch.
  [[nodiscard]] std::uint64_t in_pitch() const noexcept { return in_pitch_; }
  /// How many items apart neighbouring rows of the output of a scan begin; length() without a pitch.
  [[nodiscard]] std::uint64_t out_pitch() const noexcept { return out_pitch_; }
  /// Number of items of all rows, without gaps.
  /// @throws UsageError if it does not fit into 64 bits.
  [[nodiscard]] std::uint64_t items() const;
  /// Whether there is a gap between any rows, of the input or the output: one row alone has none.
  [[nodiscard]] bool have_gaps() const noexcept {
    return count_ > 1 && (in_pitch_ != length_ || out_pitch_ != length_);
  }

 private:
  std::uint64_t count_;
  std::uint64_t length_;
  std::uint64_t in_pitch_;
  std::uint64_t out_pitch_;
};

/// `count` rows of `length` items each. Both may be 0.
///
///     context.inclusive_scan(in, out, upsweep::rows(1000, 64), upsweep::plus);
///     context.reduce(in, sums, upsweep::rows(1000, 64));
///     context.reduce(in, sums, upsweep::rows(1000, 64).pitch(80));
[[nodiscard]] inline Rows rows(std::uint64_t count, std::uint64_t length) noexcept {
  return Rows(count, length);
}

}  // namespace upsweep
