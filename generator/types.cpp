#include <upsweep/types.hpp>

#include <array>
#include <string>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep {
namespace {

struct TypeTraits {
  Type type;
  std::string_view name;
  std::size_t size;
  bool floating;
  bool is_signed;
};

constexpr std::array type_traits{
    TypeTraits{Type::i8, "i8", 1, false, true},   TypeTraits{Type::u8, "u8", 1, false, false},
    TypeTraits{Type::i16, "i16", 2, false, true}, TypeTraits{Type::u16, "u16", 2, false, false},
    TypeTraits{Type::i32, "i32", 4, false, true}, TypeTraits{Type::u32, "u32", 4, false, false},
    TypeTraits{Type::i64, "i64", 8, false, true}, TypeTraits{Type::u64, "u64", 8, false, false},
    TypeTraits{Type::f16, "f16", 2, true, true},  TypeTraits{Type::bf16, "bf16", 2, true, true},
    TypeTraits{Type::f32, "f32", 4, true, true},  TypeTraits{Type::f64, "f64", 8, true, true},
};

constexpr std::array operator_names{
    std::string_view("plus"),    std::string_view("multiplies"),   std::string_view("minimum"),
    std::string_view("maximum"), std::string_view("bit_and"),      std::string_view("bit_or"),
    std::string_view("bit_xor"), std::string_view("last_nonzero"), std::string_view("affine"),
};

constexpr std::array algorithm_names{std::string_view("inclusive_scan"), std::string_view("exclusive_scan"),
                                     std::string_view("reduce")};

// The values 0, 1, ... of an enumeration.
template <typename Enum, std::size_t count>
constexpr std::array<Enum, count> enumerate() {
  std::array<Enum, count> values{};
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<Enum>(i);
  return values;
}

constexpr auto types = enumerate<Type, type_traits.size()>();
constexpr auto operators = enumerate<Operator, operator_names.size()>();
constexpr auto algorithms = enumerate<Algorithm, algorithm_names.size()>();

const TypeTraits& traits(Type type) noexcept {
  return type_traits[static_cast<std::size_t>(type)];
}

template <typename Enum>
Enum parse(std::string_view what, std::string_view text, std::span<const Enum> values) {
  std::string known;
  for (const Enum value : values) {
    if (name(value) == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name(value));
  }
  throw UsageError(fmt::format("unknown {} '{}': use one of {}", what, text, known));
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
  return algorithm_names[static_cast<std::size_t>(algorithm)];
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
bool is_signed(Type type) noexcept {
  return traits(type).is_signed;
}
bool is_commutative(Operator op) noexcept {
  return op != Operator::last_nonzero && op != Operator::affine;
}

}  // namespace upsweep
