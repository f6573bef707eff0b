/// @file
/// Value types, operators and algorithms: the enumerations that a Problem consists of, and their names.
#pragma once

#include <upsweep/export.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

struct __half;         // cuda_fp16.h
struct __nv_bfloat16;  // cuda_bf16.h

namespace UPSWEEP_API upsweep {

/// Types of values. i is a signed integer, u an unsigned integer and f an IEEE 754 floating-point number. The digits
/// are the number of bits. bf16 is bfloat16. c64 and c128 are complex numbers of two f32 and of two f64, real part
/// first, like std::complex. In device memory they are aligned to their size: 8 and 16 bytes.
enum class Type : std::uint16_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, c64, c128 };

/// Associative operators, behind them an operator that is not associative, which only adjacent_difference takes, and
/// predicates, which selections take. All operators commute except last_nonzero, affine and minus. Complex types accept
/// only plus, multiplies, last_nonzero, minus, equal_to and not_equal_to.
enum class Operator : std::uint16_t {
  plus,        ///< a + b. Integers wrap modulo 2^bits. Identity 0.
  multiplies,  ///< a * b. Integers wrap modulo 2^bits. Complex: (ac - bd) + (ad + bc)i, without special treatment of
               ///< infinities. Identity 1.
  minimum,     ///< IEEE 754-2019 minimum: NaN if a or b is NaN, and -0 < +0. Not for complex types.
  maximum,     ///< IEEE 754-2019 maximum: NaN if a or b is NaN, and -0 < +0. Not for complex types.
  bit_and,     ///< a & b, for integers.
  bit_or,      ///< a | b, for integers.
  bit_xor,     ///< a ^ b, for integers.

  /// b if b is not 0, otherwise a: a scan carries the last nonzero value forward. Does not commute. Identity 0.
  last_nonzero,
  /// Composition of affine maps, for u32 and u64. A value is the map x -> m x + c modulo 2^(bits/2), with m in the high
  /// half and c in the low half. op(a, b) is the map that applies a first, then b. An inclusive scan solves a
  /// first-order linear recurrence (Blelloch, "Prefix Sums and Their Applications", 1990, "Recurrence Equations"). Does
  /// not commute. Identity: m = 1, c = 0.
  affine,

  minus,  ///< a - b. Integers wrap modulo 2^bits. Not associative: for adjacent_difference only.

  less,           ///< Predicate: item < threshold. False if one of them is a NaN.
  less_equal,     ///< Predicate: item <= threshold. False if one of them is a NaN.
  greater,        ///< Predicate: item > threshold. False if one of them is a NaN.
  greater_equal,  ///< Predicate: item >= threshold. False if one of them is a NaN.
  equal_to,       ///< Predicate: item == threshold. A NaN equals nothing; -0 equals +0.
  not_equal_to    ///< Predicate: item != threshold. A NaN differs from everything; -0 equals +0.
};

inline constexpr Operator plus = Operator::plus;                    ///< Shorthand for Operator::plus.
inline constexpr Operator multiplies = Operator::multiplies;        ///< Shorthand for Operator::multiplies.
inline constexpr Operator minimum = Operator::minimum;              ///< Shorthand for Operator::minimum.
inline constexpr Operator maximum = Operator::maximum;              ///< Shorthand for Operator::maximum.
inline constexpr Operator bit_and = Operator::bit_and;              ///< Shorthand for Operator::bit_and.
inline constexpr Operator bit_or = Operator::bit_or;                ///< Shorthand for Operator::bit_or.
inline constexpr Operator bit_xor = Operator::bit_xor;              ///< Shorthand for Operator::bit_xor.
inline constexpr Operator last_nonzero = Operator::last_nonzero;    ///< Shorthand for Operator::last_nonzero.
inline constexpr Operator affine = Operator::affine;                ///< Shorthand for Operator::affine.
inline constexpr Operator minus = Operator::minus;                  ///< Shorthand for Operator::minus.
inline constexpr Operator less = Operator::less;                    ///< Shorthand for Operator::less.
inline constexpr Operator less_equal = Operator::less_equal;        ///< Shorthand for Operator::less_equal.
inline constexpr Operator greater = Operator::greater;              ///< Shorthand for Operator::greater.
inline constexpr Operator greater_equal = Operator::greater_equal;  ///< Shorthand for Operator::greater_equal.
inline constexpr Operator equal_to = Operator::equal_to;            ///< Shorthand for Operator::equal_to.
inline constexpr Operator not_equal_to = Operator::not_equal_to;    ///< Shorthand for Operator::not_equal_to.

/// Algorithms.
enum class Algorithm : std::uint8_t {
  inclusive_scan,  ///< out[i] = op(in[0], ..., in[i]).
  exclusive_scan,  ///< out[i] = op(initial, in[0], ..., in[i-1]).
  reduce,          ///< out[0] = op(initial, in[0], ..., in[n-1]).
  select_if,       ///< out = the items of in for which a predicate holds, in their order; count[0] = their number.
  /// Of each run of equal neighbouring keys: unique = the key, aggregates = op of the run's values; count[0] = the
  /// number of runs. Keys are equal if == says so: a NaN is a run of its own.
  reduce_by_key,
  select_flagged,  ///< out = the items of in for whose flags a predicate holds, in their order; count[0] = their
                   ///< number.
  nonzero,         ///< out = the indices of the items for which a predicate holds, ascending; count[0] = their number.
  /// out = the first item of each run; count[0] = the number of runs. A run goes on as long as a predicate, such as
  /// equal_to, holds for neighbouring items.
  unique,
  unique_by_key,      ///< As unique, of keys; out = the value of the first item of each run.
  run_length_encode,  ///< unique = the last item of each run, lengths = its number of items; count[0] = number of runs.
  /// out[i] = op of the values from the first item of its run on, up to item i. Runs are those of reduce_by_key.
  inclusive_scan_by_key,
  exclusive_scan_by_key,  ///< The same up to item i-1, with the initial value before the first item of each run.
  /// out = the items of in for which a predicate holds, in their order, and behind them the others, in reverse order;
  /// count[0] = the number of the former.
  partition,
  /// first = the items for which a predicate holds with a threshold; second = of the others, those for which it holds
  /// with a second threshold; rest = all others; each in their order. first_count[0], second_count[0] and
  /// rest_count[0] = their numbers.
  three_way_partition,
  /// out = the items of in for which a predicate holds, and behind them the others, both in their order; count[0] = the
  /// number of the former.
  stable_partition,
  /// Of each run, as of unique, of at least two items: offsets = the index of its first item, lengths = its number of
  /// items; count[0] = the number of these runs.
  nontrivial_runs,
  adjacent_difference,     ///< out[0] = in[0], and out[i] = op(in[i], in[i-1]). The operator need not be associative.
  reverse_inclusive_scan,  ///< out[i] = op(in[n-1], ..., in[i]).
  reverse_exclusive_scan   ///< out[i] = op(initial, in[n-1], ..., in[i+1]).
};

/// All built-in types, in the order of the enumeration.
[[nodiscard]] std::span<const Type> all_types() noexcept;
/// All built-in associative operators, in the order of the enumeration.
[[nodiscard]] std::span<const Operator> all_operators() noexcept;
/// All built-in operators that combine two values and are not associative, in the order of the enumeration.
[[nodiscard]] std::span<const Operator> all_nonassociative_operators() noexcept;
/// All built-in predicates, in the order of the enumeration.
[[nodiscard]] std::span<const Operator> all_predicates() noexcept;
/// All built-in algorithms, in the order of the enumeration.
[[nodiscard]] std::span<const Algorithm> all_algorithms() noexcept;

/// The name of a type: "i32"; of one that define_type() made, with a hash: "Pair@0123456789abcdef".
[[nodiscard]] std::string_view name(Type type) noexcept;
/// The name of an operator: "plus"; of one that define_operator() made, with a hash.
[[nodiscard]] std::string_view name(Operator op) noexcept;
/// The name of an algorithm as in the enumeration: "inclusive_scan".
[[nodiscard]] std::string_view name(Algorithm algorithm) noexcept;

/// The type with this name.
/// @throws UsageError for an unknown name; the message lists the known ones.
[[nodiscard]] Type parse_type(std::string_view text);
/// The operator with this name.
/// @throws UsageError for an unknown name; the message lists the known ones.
[[nodiscard]] Operator parse_operator(std::string_view text);
/// The algorithm with this name.
/// @throws UsageError for an unknown name; the message lists the known ones.
[[nodiscard]] Algorithm parse_algorithm(std::string_view text);

/// Size of a value, in bytes.
[[nodiscard]] std::size_t size_of(Type type) noexcept;
/// Whether operations on the type round: true for floating-point and complex types.
[[nodiscard]] bool is_floating(Type type) noexcept;
/// Whether the type is c64 or c128.
[[nodiscard]] bool is_complex(Type type) noexcept;
/// Whether the type has negative values: signed integers, floating-point and complex types.
[[nodiscard]] bool is_signed(Type type) noexcept;
/// The type of the real and the imaginary part of a complex type; any other type itself.
[[nodiscard]] Type part_of(Type type) noexcept;
/// Whether op(a, b) = op(b, a). Of the built-in operators, all commute except last_nonzero, affine and minus.
[[nodiscard]] bool is_commutative(Operator op) noexcept;

/// Checks that an operator accepts a type.
/// @throws UsageError if it does not; the message says which types it accepts.
void validate(Operator op, Type type);

/// A half-precision number on the host, for storage only: it has no arithmetic.
struct f16 {
  std::uint16_t bits = 0;  ///< The IEEE 754 binary16 encoding.

  /// Zero.
  f16() = default;
  /// Rounds to nearest, ties to even.
  explicit f16(float value) noexcept;
  /// The same value as float; exact.
  explicit operator float() const noexcept;
  /// Compares values as float does: a NaN differs from itself, and 0 equals -0.
  friend bool operator==(f16 a, f16 b) noexcept { return float(a) == float(b); }
};

/// A bfloat16 number on the host, for storage only: it has no arithmetic.
struct bf16 {
  std::uint16_t bits = 0;  ///< The upper 16 bits of the float encoding.

  /// Zero.
  bf16() = default;
  /// Rounds to nearest, ties to even.
  explicit bf16(float value) noexcept;
  /// The same value as float; exact.
  explicit operator float() const noexcept;
  /// Compares values as float does: a NaN differs from itself, and 0 equals -0.
  friend bool operator==(bf16 a, bf16 b) noexcept { return float(a) == float(b); }
};

/// Maps a C++ type to its Type, in the static member `value`. Only supported types have a specialisation; see
/// value_type().
template <typename T>
struct TypeOf;
/// @cond specialisations
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
/// @endcond

/// A C++ type that upsweep supports as the type of items.
template <typename T>
concept ValueType = requires {
  TypeOf<T>::value;
};

/// The Type of a C++ type. For an unsupported type the compile error lists the supported ones.
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
