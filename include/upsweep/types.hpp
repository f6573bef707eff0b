// Value types, operators and algorithms: the enumerations that a problem is made of, and their names.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

struct __half;         // cuda_fp16.h
struct __nv_bfloat16;  // cuda_bf16.h

namespace upsweep {

// c64 and c128 are complex values of two f32 and of two f64, real part first, as std::complex has them; in device
// memory they are aligned to their size, 8 and 16 bytes.
enum class Type : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, c64, c128 };

// Associative operators. Integer plus and multiplies wrap modulo 2^bits. minimum and maximum are IEEE 754-2019's: a NaN
// anywhere gives NaN, and -0 < +0. The bit_ operators take integers. Complex values are not ordered: they have plus,
// multiplies and last_nonzero. Their product is (ac - bd) + (ad + bc)i as it stands, without C's mending of infinities.
// last_nonzero and affine do not commute:
//   last_nonzero(a, b) = b if b != 0, else a: carries the last value seen forward over zeros (identity 0).
//   affine takes u32 or u64 as a map x -> m x + c, m in the high half and c in the low half, modulo 2^(bits/2), and
//   composes: first a, then b. An inclusive scan solves a first-order recurrence (Blelloch, "Prefix Sums and Their
//   Applications", 1990, section 4). Identity: m = 1, c = 0.
enum class Operator : std::uint8_t {
  plus,
  multiplies,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  last_nonzero,
  affine
};

inline constexpr Operator plus = Operator::plus;
inline constexpr Operator multiplies = Operator::multiplies;
inline constexpr Operator minimum = Operator::minimum;
inline constexpr Operator maximum = Operator::maximum;
inline constexpr Operator bit_and = Operator::bit_and;
inline constexpr Operator bit_or = Operator::bit_or;
inline constexpr Operator bit_xor = Operator::bit_xor;
inline constexpr Operator last_nonzero = Operator::last_nonzero;
inline constexpr Operator affine = Operator::affine;

enum class Algorithm : std::uint8_t { inclusive_scan, exclusive_scan, reduce };

// Every value, in the order of the enumeration.
[[nodiscard]] std::span<const Type> all_types() noexcept;
[[nodiscard]] std::span<const Operator> all_operators() noexcept;
[[nodiscard]] std::span<const Algorithm> all_algorithms() noexcept;

[[nodiscard]] std::string_view name(Type type) noexcept;
[[nodiscard]] std::string_view name(Operator op) noexcept;
[[nodiscard]] std::string_view name(Algorithm algorithm) noexcept;

// The value of that name. Throws UsageError naming the known ones.
[[nodiscard]] Type parse_type(std::string_view text);
[[nodiscard]] Operator parse_operator(std::string_view text);
[[nodiscard]] Algorithm parse_algorithm(std::string_view text);

[[nodiscard]] std::size_t size_of(Type type) noexcept;  // bytes
[[nodiscard]] bool is_floating(Type type) noexcept;     // complex types too: they round
[[nodiscard]] bool is_complex(Type type) noexcept;
[[nodiscard]] bool is_signed(Type type) noexcept;  // floating types too
[[nodiscard]] Type part_of(Type type) noexcept;    // a complex type's real and imaginary part; any other type itself
[[nodiscard]] bool is_commutative(Operator op) noexcept;

// Throws UsageError, naming the types it takes, where the operator does not take the type.
void validate(Operator op, Type type);

// Storage for 16-bit floating values on the host; conversions round to nearest even.
struct f16 {
  std::uint16_t bits = 0;
  f16() = default;
  explicit f16(float value) noexcept;
  explicit operator float() const noexcept;
  friend bool operator==(f16 a, f16 b) noexcept { return float(a) == float(b); }
};

struct bf16 {
  std::uint16_t bits = 0;
  bf16() = default;
  explicit bf16(float value) noexcept;
  explicit operator float() const noexcept;
  friend bool operator==(bf16 a, bf16 b) noexcept { return float(a) == float(b); }
};

// The Type of a C++ type. A type that is not in the list has no specialisation; see `value_type`.
template <typename T>
struct TypeOf;
// clang-format off
template <> struct TypeOf<signed char> { static constexpr Type value = Type::i8; };
template <> struct TypeOf<unsigned char> { static constexpr Type value = Type::u8; };
template <> struct TypeOf<short> { static constexpr Type value = Type::i16; };
template <> struct TypeOf<unsigned short> { static constexpr Type value = Type::u16; };
template <> struct TypeOf<int> { static constexpr Type value = Type::i32; };
template <> struct TypeOf<unsigned int> { static constexpr Type value = Type::u32; };
template <> struct TypeOf<long> { static constexpr Type value = sizeof(long) == 8 ? Type::i64 : Type::i32; };
template <> struct TypeOf<unsigned long> { static constexpr Type value = sizeof(long) == 8 ? Type::u64 : Type::u32; };
template <> struct TypeOf<long long> { static constexpr Type value = Type::i64; };
template <> struct TypeOf<unsigned long long> { static constexpr Type value = Type::u64; };
template <> struct TypeOf<f16> { static constexpr Type value = Type::f16; };
template <> struct TypeOf<bf16> { static constexpr Type value = Type::bf16; };
template <> struct TypeOf<::__half> { static constexpr Type value = Type::f16; };
template <> struct TypeOf<::__nv_bfloat16> { static constexpr Type value = Type::bf16; };
template <> struct TypeOf<float> { static constexpr Type value = Type::f32; };
template <> struct TypeOf<double> { static constexpr Type value = Type::f64; };
template <> struct TypeOf<std::complex<float>> { static constexpr Type value = Type::c64; };
template <> struct TypeOf<std::complex<double>> { static constexpr Type value = Type::c128; };
// clang-format on

template <typename T>
concept ValueType = requires {
  TypeOf<T>::value;
};

// The Type of T, or a compile error that says which types there are.
template <typename T>
constexpr Type value_type() {
  static_assert(ValueType<T>,
                "upsweep: this value type is not supported; use an 8- to 64-bit integer, upsweep::f16 or __half, "
                "upsweep::bf16 or __nv_bfloat16, float, double, or std::complex of float or double");
  if constexpr (ValueType<T>) {
    return TypeOf<T>::value;
  } else {
    return Type::i8;
  }
}

}  // namespace upsweep
