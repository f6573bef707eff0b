/// @file
/// Arguments: the arrays and scalars of a call of a plan, by name.
#pragma once

#include <upsweep/export.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/axis.hpp>
#include <upsweep/rows.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/segments.hpp>

namespace UPSWEEP_API upsweep {

/// The address of an initial value or a threshold in device memory, for typed calls: in_memory() makes it.
template <typename T>
struct InMemory {
  const T* address = nullptr;  ///< Address of one value.
};

/// An initial value or a threshold that the kernel reads from device memory when it runs, after all earlier work in the
/// stream, as cub::FutureValue does.
/// @param address of one value in device memory, aligned to its size.
template <typename T>
[[nodiscard]] InMemory<T> in_memory(const T* address) {
  return {address};
}

/// The number of items of a call. A plain number converts to Items, so most calls just pass `n`. For a number that lies
/// in device memory, use items_in_memory(). Where the output has room for fewer results than there may be, use
/// capacity(). Calls with either of these have a kernel of their own: to capture one, call prepare() with Arguments
/// before the capture.
///
///     context.select_if(in, kept, count, upsweep::Items(n).capacity(m), upsweep::less, 5);
///     context.reduce(kept, total, upsweep::items_in_memory(count, m));
class Items {
 public:
  /// That many items.
  Items(std::uint64_t n) noexcept : most_(n) {}  // NOLINT(google-explicit-constructor): numbers are items

  /// Results are written up to this number of them. The count is that of all results, so that it may be greater than
  /// the capacity. Only for algorithms that write at most n results: selections, runs and reductions by key.
  Items& capacity(std::uint64_t results) noexcept {
    capacity_ = results;
    return *this;
  }

  /// Number of items; the most there can be if their number is in device memory.
  [[nodiscard]] std::uint64_t most() const noexcept { return most_; }
  /// Device address of the number of items; null if most() is the number.
  [[nodiscard]] const void* address() const noexcept { return address_; }
  /// Size of the number in device memory: 4 or 8 bytes; 0 if most() is the number.
  [[nodiscard]] std::uint64_t address_bytes() const noexcept { return address_bytes_; }
  /// Number of results that there is room for.
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  /// Whether the number of items is on the host, and there is room for all results.
  [[nodiscard]] bool is_plain() const noexcept { return address_bytes_ == 0 && capacity_ == no_limit; }

 private:
  friend Items items_in_memory(const std::uint32_t* address, std::uint64_t most);
  friend Items items_in_memory(const std::uint64_t* address, std::uint64_t most);
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t most_;
  const void* address_ = nullptr;
  std::uint64_t address_bytes_ = 0;
  std::uint64_t capacity_ = no_limit;
};

/// A number of items that the kernel reads from device memory when it runs, after all earlier work in the stream, such
/// as the count that an earlier call writes.
/// @param address of the number in device memory, aligned to its size. It must not lie within an array that the call
/// writes.
/// @param most the most items there can be: the arrays have room for so many. Of a greater number in memory, the call
/// takes so many.
[[nodiscard]] inline Items items_in_memory(const std::uint64_t* address, std::uint64_t most) {
  Items items(most);
  items.address_ = address;
  items.address_bytes_ = sizeof *address;
  return items;
}
/// The same of a number of 32 bits.
[[nodiscard]] inline Items items_in_memory(const std::uint32_t* address, std::uint64_t most) {
  Items items(most);
  items.address_ = address;
  items.address_bytes_ = sizeof *address;
  return items;
}

/// The arguments of one call of a plan: the number of items, the arrays and the scalars. ports() and scalars() list the
/// names. If a name is given twice, the last value counts. Each function returns the object itself, so calls can be
/// chained. Plan::run() checks the names:
///
///     plan.run(upsweep::Arguments(n).array("in", in).array("out", out).scalar_in_memory("initial", total), stream);
class Arguments {
 public:
  /// Arguments of a call of so many items.
  explicit Arguments(const Items& items) : items_(items) {}
  /// Arguments of a call of rows, for a plan whose problem has the shape `rows`.
  /// @throws UsageError if the number of all items does not fit into 64 bits.
  explicit Arguments(const Rows& rows) : items_(rows.items()), rows_(rows) {}
  /// Arguments of a call along an axis, for a plan whose problem is that of along_axis().
  /// @throws UsageError if the number of all items does not fit into 64 bits.
  explicit Arguments(const Axis& axis) : items_(axis.items()), axis_(axis) {
    if (axis.inner() == 1) rows_ = Rows(axis.outer(), axis.length());
  }
  /// Arguments of a call of segments, for a plan whose problem has the shape `segments`. They give the array "offsets",
  /// too; with pairs, it is where segments begin.
  explicit Arguments(const Segments& segments) : items_(segments.items()), segments_(segments) {
    array("offsets", segments.offsets());
  }

  /// The address of an array in device memory, aligned to the size of an item.
  Arguments& array(const std::string& name, void* address) { return set(arrays_, {name, address, true}); }
  /// No array, for a call of no items.
  Arguments& array(const std::string& name, std::nullptr_t) { return set(arrays_, {name, nullptr, true}); }
  /// The same of an array that the call only reads.
  Arguments& array(const std::string& name, const void* address) { return set(arrays_, {name, address, false}); }
  /// A scalar that is on the host; the call copies it. A scalar that is not given has its default: "initial" is the
  /// identity of the operator.
  Arguments& scalar(const std::string& name, const Scalar& value) { return set(scalars_, {name, value, nullptr}); }
  /// A scalar in device memory, at an address that is aligned to its size. The kernel reads it when it runs, after all
  /// earlier work in the stream. Such calls have a kernel of their own.
  Arguments& scalar_in_memory(const std::string& name, const void* address) {
    return set(scalars_, {name, {}, address, true});
  }

  /// An array that was given.
  struct Array {
    std::string name;               ///< Name of the port.
    const void* address = nullptr;  ///< Device address.
    bool writable = false;          ///< Whether the address was not const.
  };
  /// A scalar that was given.
  struct ScalarValue {
    std::string name;               ///< Name of the scalar port.
    Scalar value;                   ///< The value, unless it is in memory.
    const void* address = nullptr;  ///< Device address of the value, if it is in memory.
    bool in_memory = false;         ///< Whether the value is in device memory.
  };
  /// Number of items of the call.
  [[nodiscard]] const Items& items() const noexcept { return items_; }
  /// The rows that the items are, if the call is one of rows.
  [[nodiscard]] const std::optional<Rows>& rows() const noexcept { return rows_; }
  /// The axis along which the call works, if it is one along an axis.
  [[nodiscard]] const std::optional<Axis>& axis() const noexcept { return axis_; }
  /// The segments that the items are, if the call is one of segments.
  [[nodiscard]] const std::optional<Segments>& segments() const noexcept { return segments_; }
  /// The arrays, in the order in which they were first given.
  [[nodiscard]] const std::vector<Array>& arrays() const noexcept { return arrays_; }
  /// The scalars, in the order in which they were first given.
  [[nodiscard]] const std::vector<ScalarValue>& scalars() const noexcept { return scalars_; }

 private:
  template <typename Named>
  Arguments& set(std::vector<Named>& all, Named named) {
    for (Named& each : all) {
      if (each.name == named.name) {
        each = std::move(named);
        return *this;
      }
    }
    all.push_back(std::move(named));
    return *this;
  }

  Items items_;
  std::optional<Rows> rows_;
  std::optional<Axis> axis_;
  std::optional<Segments> segments_;
  std::vector<Array> arrays_;
  std::vector<ScalarValue> scalars_;
};

}  // namespace upsweep
