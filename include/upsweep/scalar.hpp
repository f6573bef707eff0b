/// @file
/// Scalar: one value whose type is known at run time, for initial values and for text.
#pragma once

#include <upsweep/export.hpp>

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// One value of a type that is known at run time.
struct Scalar {
  Type type = Type::i32;  ///< Type of the value.

  /// The value in the first size_of(type) bytes; the other bytes are zero.
  alignas(16) std::array<std::byte, 16> bytes{};

  /// The scalar of a C++ value: `Scalar::of(-1.0f)`. T must be a ValueType.
  template <typename T>
  [[nodiscard]] static Scalar of(const T& value) {
    Scalar scalar;
    scalar.type = value_type<T>();
    std::memcpy(scalar.bytes.data(), static_cast<const void*>(&value), sizeof(T));
    return scalar;
  }

  /// The scalar of a value of a type that was defined with define_type().
  /// @param type what define_type() returned.
  /// @param value a value of the same struct in C++.
  /// @throws UsageError if the struct has another size than the type.
  template <typename T>
  [[nodiscard]] static Scalar of(Type type, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "upsweep: a value type is copied byte by byte");
    return of_bytes(type, static_cast<const void*>(&value), sizeof(T));
  }
  /// The scalar of `size` bytes.
  /// @throws UsageError if the type has another size.
  [[nodiscard]] static Scalar of_bytes(Type type, const void* bytes, std::size_t size);

  /// Compares type and bytes: 0.0 and -0.0 differ, and a NaN is equal to itself.
  bool operator==(const Scalar&) const = default;
};

/// The identity e of an operator: op(e, x) = op(x, e) = x for every x of the type.
/// @throws UsageError if the operator does not accept the type or has no identity.
[[nodiscard]] Scalar identity(Operator op, Type type);

/// Parses a number. The result does not depend on the locale.
/// @param type type of the value.
/// @param text
/// - integers: decimal, or hexadecimal with 0x; a sign is optional;
/// - floating-point: decimal, or hexadecimal such as "0x1.8p3"; also inf and nan. The value is rounded once, to the
///   nearest value of the type, ties to even. A value that is too small becomes zero and keeps its sign;
/// - complex: one number such as "1.5" or "-2i", or two such as "1+2i". j may replace i. Parentheses around the text,
///   as NumPy writes them, are accepted.
/// @throws UsageError if the text is not a number or the value is too large for the type.
[[nodiscard]] Scalar parse_scalar(Type type, std::string_view text);

/// The shortest text that parse_scalar() reads back as the same value, also for -0 and infinities. A NaN is written as
/// "nan" or "-nan"; its payload is not kept.
[[nodiscard]] std::string to_string(const Scalar& scalar);

}  // namespace upsweep
