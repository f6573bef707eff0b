/// @file
/// Port: an array or a scalar of a problem, by name.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>

namespace UPSWEEP_API upsweep {

/// Whether a call reads or writes an array.
enum class Direction : std::uint8_t {
  in,  ///< The call reads the array.
  out  ///< The call writes the array.
};

/// Number of items of an array, for a call of n items.
enum class Extent : std::uint8_t {
  one,        ///< One item.
  n,          ///< n items.
  at_most_n,  ///< Room for n items. The call writes the first ones, and their number to another array.
  rows,       ///< One item for each row, for each column of an axis, or for each segment.
  offsets     ///< One item for each segment, and one more.
};

/// An array that a call reads or writes.
struct Port {
  std::string name;                     ///< Name of the array: "in", "out", "count".
  Type type = Type::i32;                ///< Type of the items.
  Direction direction = Direction::in;  ///< Whether the call reads or writes it.
  Extent extent = Extent::n;            ///< Number of items.
  std::string count{};  ///< Name of the array that receives the number of items, if that depends on the items, or of a
                        ///< partition the number of items in front; otherwise empty.

  int previous_items = 0;  ///< How many items before it, up to 2, what an item contributes or emits depends on, too.
  bool is_key = false;     ///< Whether the items are keys or flags, of the type Problem::key.
  bool is_index = false;   ///< Whether the items are indices of others: with 32 bits, n is less than 2^32.

  /// Number of items that a call of n items needs room for.
  /// @param n number of items of the call.
  /// @param rows number of rows or segments that they are, for Extent::rows and Extent::offsets.
  [[nodiscard]] std::uint64_t items(std::uint64_t n, std::uint64_t rows = 1) const noexcept {
    return extent == Extent::one ? 1 : extent == Extent::rows ? rows : extent == Extent::offsets ? rows + 1 : n;
  }
  /// Ports are equal if all members are equal.
  bool operator==(const Port&) const = default;
};

/// A value that a call takes besides its arrays.
struct ScalarPort {
  std::string name;       ///< Name of the value: "initial", "threshold".
  Type type = Type::i32;  ///< Type of the value.

  /// Scalar ports are equal if all members are equal.
  bool operator==(const ScalarPort&) const = default;
};

/// The arrays of a problem. A scan has "in" and "out" with n items each; the "out" of a reduce has one item, or one for
/// each row or segment; scans and reduces of segments read "offsets", too. The guide lists those of selections and
/// reductions by key.
[[nodiscard]] std::vector<Port> ports(const Problem& problem);

/// The scalars of a problem: "initial", of the accumulator type, for exclusive_scan and reduce; "threshold" for
/// selections, of the type that they compare, and "second_threshold" for three_way_partition.
[[nodiscard]] std::vector<ScalarPort> scalars(const Problem& problem);

}  // namespace upsweep
