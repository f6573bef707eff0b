/// @file
/// Arguments: the arrays and scalars of a call of a plan, by name.
#pragma once

#include <upsweep/export.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/scalar.hpp>

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

/// The arguments of one call of a plan: the number of items, the arrays and the scalars. ports() and scalars() list the
/// names. If a name is given twice, the last value counts. Each function returns the object itself, so calls can be
/// chained. Plan::run() checks the names:
///
///     plan.run(upsweep::Arguments(n).array("in", in).array("out", out).scalar_in_memory("initial", total), stream);
class Arguments {
 public:
  /// Arguments of a call of n items.
  explicit Arguments(std::uint64_t n) : items_(n) {}

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
  [[nodiscard]] std::uint64_t items() const noexcept { return items_; }
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

  std::uint64_t items_;
  std::vector<Array> arrays_;
  std::vector<ScalarValue> scalars_;
};

}  // namespace upsweep
