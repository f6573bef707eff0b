/// @file
/// Value types and operators of your own, defined at run time by source text.
#pragma once

#include <upsweep/export.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/scalar.hpp>
#include <upsweep/types.hpp>

namespace UPSWEEP_API upsweep {

/// A number within a value of another type.
struct Field {
  Type type = Type::i32;     ///< Built-in type of the number.
  std::uint32_t offset = 0;  ///< Bytes from the start of the value.

  /// Equal if type and offset are equal.
  bool operator==(const Field&) const = default;
};

/// A value type: a struct of 1 to 16 bytes without constructors and without default member initializers.
///
/// Kernels move values of 1, 2, 4, 8 and 16 bytes that are aligned to their size in vectors, like values of built-in
/// types. All other values are moved one by one, which takes longer.
struct TypeDefinition {
  std::string name{};           ///< Name of the struct in `text`: letters, digits and underscores.
  std::uint32_t size = 0;       ///< sizeof the struct: 1 to 16 bytes.
  std::uint32_t alignment = 0;  ///< alignof the struct: a power of two that divides the size.

  /// All numbers of a value, in the order of their offsets. Bytes that belong to none are padding: they may differ
  /// between results that are equal. The tuner fills the fields with numbers to check results.
  std::vector<Field> fields{};
  /// The definition of the struct, as CUDA C++ and as C++: "struct Pair { float a, b; };". It may use upsweep's names
  /// i8, u8, i16, ..., u64, and those of f16, bf16, c64 and c128 that the fields have. It has no includes.
  std::string text{};
};

/// Numbers with which the tuner checks that a kernel computes an operator right: an error must show in the results, and
/// the results must not depend on the association of the operator.
enum class TestData : std::uint8_t {
  any,            ///< As sums. Where items are selected: numbers of either sign, from the whole range of the type.
  sums,           ///< Any integers. Of floating-point fields, integers whose sums do not round.
  products,       ///< Odd integers. Of floating-point fields, powers of two.
  rising,         ///< The greatest number so far rises from the first item to the last: for a maximum.
  falling,        ///< The least number so far falls from the first item to the last: for a minimum.
  bits_set,       ///< Few bits are set.
  bits_cleared,   ///< All but few bits are set.
  rare_nonzeros,  ///< Few numbers are not zero.
  affine_maps,    ///< Affine maps in one integer: see Operator::affine.
  keys            ///< Runs of equal numbers: 8 items in the mean, from 1 to several thousand.
};

/// An associative operator on one type. Properties that are left out have the safe value.
struct OperatorDefinition {
  std::string name{};        ///< Name of the function in `text`: letters, digits and underscores.
  Type type = Type::i32;     ///< Type of both arguments and of the result; the accumulator type of its problems.
  bool commutative = false;  ///< Whether op(a, b) = op(b, a). Reduces of such operators are faster.
  bool exact = false;        ///< Whether every association gives the same bits. Results are then reproducible.

  /// The value e with op(e, x) = op(x, e) = x. Without one, exclusive scans and reduces need an initial value.
  std::optional<Scalar> identity{};
  TestData test_data = TestData::any;  ///< Items with which the tuner checks results.
  /// The function, as CUDA C++ and as C++: "__device__ Pair add(Pair a, Pair b) { return {a.a + b.a, a.b + b.b}; }".
  /// The text may use the struct of the type, and may define helper functions before the operator. Functions of the
  /// CUDA headers, such as fmaxf, are not known on the host device.
  std::string text{};
};

/// Defines a type for this process. Equal definitions give the same type, however often they are made. Its name in
/// messages and databases is the given one with a hash of the definition: results that were measured with another
/// definition are never used. The number behind the enumerator is of this process only. Threads may define types at the
/// same time.
/// @throws UsageError if the definition is not complete or contradicts itself, or after 4,082 types.
Type define_type(const TypeDefinition& definition);

/// Defines an operator for this process, as define_type does for types. That the operator is associative, and has the
/// properties that the definition says, is not checked.
/// @throws UsageError if the definition is not complete or contradicts itself, or after 4,087 operators.
Operator define_operator(const OperatorDefinition& definition);

}  // namespace upsweep
