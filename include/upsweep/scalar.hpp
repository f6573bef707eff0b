// One value of a type known at run time: initial values, text in and out.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include <upsweep/types.hpp>

namespace upsweep {

struct Scalar {
  Type type = Type::i32;
  alignas(16) std::array<std::byte, 16> bytes{};  // the value in the low size_of(type) bytes, the rest zero

  template <typename T>
  [[nodiscard]] static Scalar of(const T& value) {
    Scalar scalar;
    scalar.type = value_type<T>();
    std::memcpy(scalar.bytes.data(), static_cast<const void*>(&value), sizeof(T));
    return scalar;
  }

  bool operator==(const Scalar&) const = default;  // bitwise
};

// The identity e of an operator: op(e, x) = op(x, e) = x for every x of the type.
// Throws UsageError where the operator does not take the type.
[[nodiscard]] Scalar identity(Operator op, Type type);

// A number as text, exactly as the type can hold it. Integers: decimal, optional sign, 0x for hexadecimal. Floating:
// what strtod takes, inf and nan included, rounded to nearest. Complex: one such number, "1.5" or "-2i", or two,
// "1+2i"; j will do for i, and Python's parentheses around the whole. Throws UsageError for text that is no number or a
// value out of the type's range.
[[nodiscard]] Scalar parse_scalar(Type type, std::string_view text);

// Shortest text that parse_scalar reads back to the same value.
[[nodiscard]] std::string to_string(const Scalar& scalar);

}  // namespace upsweep
