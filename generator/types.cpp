#include <upsweep/types.hpp>

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/names.hpp"

namespace upsweep {
namespace {

struct TypeTraits {
  Type type;
  std::string_view name;
  std::size_t size;
  bool floating;
  bool is_signed;
  Type part;
};

constexpr std::array type_traits{
    TypeTraits{Type::i8, "i8", 1, false, true, Type::i8},    TypeTraits{Type::u8, "u8", 1, false, false, Type::u8},
    TypeTraits{Type::i16, "i16", 2, false, true, Type::i16}, TypeTraits{Type::u16, "u16", 2, false, false, Type::u16},
    TypeTraits{Type::i32, "i32", 4, false, true, Type::i32}, TypeTraits{Type::u32, "u32", 4, false, false, Type::u32},
    TypeTraits{Type::i64, "i64", 8, false, true, Type::i64}, TypeTraits{Type::u64, "u64", 8, false, false, Type::u64},
    TypeTraits{Type::f16, "f16", 2, true, true, Type::f16},  TypeTraits{Type::bf16, "bf16", 2, true, true, Type::bf16},
    TypeTraits{Type::f32, "f32", 4, true, true, Type::f32},  TypeTraits{Type::f64, "f64", 8, true, true, Type::f64},
    TypeTraits{Type::c64, "c64", 8, true, true, Type::f32},  TypeTraits{Type::c128, "c128", 16, true, true, Type::f64},
};

constexpr std::array operator_names{
    std::string_view("plus"),    std::string_view("multiplies"),   std::string_view("minimum"),
    std::string_view("maximum"), std::string_view("bit_and"),      std::string_view("bit_or"),
    std::string_view("bit_xor"), std::string_view("last_nonzero"), std::string_view("affine"),
};

// The values 0, 1, ... of an enumeration.
template <typename Enum, std::size_t count>
constexpr std::array<Enum, count> enumerate() {
  std::array<Enum, count> values{};
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<Enum>(i);
  return values;
}

constexpr auto types = enumerate<Type, type_traits.size()>();
constexpr auto operators = enumerate<Operator, operator_names.size()>();
constexpr std::array algorithms{Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce};

const TypeTraits& traits(Type type) noexcept {
  return type_traits[static_cast<std::size_t>(type)];
}

template <typename Enum>
Enum parse(std::string_view what, std::string_view text, std::span<const Enum> values) {
  std::vector<std::string> known;
  for (const Enum value : values) {
    if (name(value) == text) return value;
    known.emplace_back(name(value));
  }
  throw UsageError(unknown_name(what, text, known));
}

// Whether the operator is defined on the type.
bool takes(Operator op, Type type) {
  switch (op) {
    case Operator::minimum:
    case Operator::maximum:
      return !is_complex(type);
    case Operator::bit_and:
    case Operator::bit_or:
    case Operator::bit_xor:
      return !is_floating(type);
    case Operator::affine:
      return type == Type::u32 || type == Type::u64;
    default:
      return true;
  }
}

const char* types_of(Operator op) {
  if (op == Operator::affine) return "u32 or u64";
  return op == Operator::minimum || op == Operator::maximum ? "a type that is not complex" : "an integer type";
}

}  // namespace

std::span<const Type> all_types() noexcept {
  return types;
}
std::span<const Operator> all_operators() noexcept {
  return operators;
}
std::span<const Algorithm> all_algorithms() noexcept {
  return algorithms;
}

std::string_view name(Type type) noexcept {
  return traits(type).name;
}
std::string_view name(Operator op) noexcept {
  return operator_names[static_cast<std::size_t>(op)];
}
std::string_view name(Algorithm algorithm) noexcept {
  return entry_of(algorithm).name;
}

Type parse_type(std::string_view text) {
  return parse<Type>("type", text, types);
}
Operator parse_operator(std::string_view text) {
  return parse<Operator>("operator", text, operators);
}
Algorithm parse_algorithm(std::string_view text) {
  return parse<Algorithm>("algorithm", text, algorithms);
}

std::size_t size_of(Type type) noexcept {
  return traits(type).size;
}
bool is_floating(Type type) noexcept {
  return traits(type).floating;
}
bool is_complex(Type type) noexcept {
  return traits(type).part != type;
}
bool is_signed(Type type) noexcept {
  return traits(type).is_signed;
}
Type part_of(Type type) noexcept {
  return traits(type).part;
}
bool is_commutative(Operator op) noexcept {
  return op != Operator::last_nonzero && op != Operator::affine;
}

void validate(Operator op, Type type) {
  if (takes(op, type)) return;
  throw UsageError(fmt::format("operator {} does not take {}: use {}", name(op), name(type), types_of(op)));
}

}  // namespace upsweep
