// A value type: everything that the generator, the command and the tuner need to know of it. Each built-in type is one
// file in generator/types. CONTRIBUTING.md lists what adding one touches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/define.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/types.hpp>

namespace upsweep {

enum class Kind : std::uint8_t { structure, signed_integer, unsigned_integer, floating, complex };

// Of a floating type: bits of the significand with the leading one, and the exponents of the least normal and of the
// greatest value.
struct FloatingFormat {
  int digits = 0;
  int least_exponent = 0;
  int greatest_exponent = 0;
};

struct TypeEntry {
  std::string name;                       // of a type that is not built in, with a hash of its definition behind it
  std::vector<std::string> aliases = {};  // other names that the command takes
  std::optional<Type> enumerator = {};    // in the public enumeration
  std::uint32_t size = 0;                 // in bytes, like the alignment
  std::uint32_t alignment = 0;
  Kind kind = Kind::structure;

  // In a generated source.
  std::string spelling = {};       // its name
  std::string arithmetic = {};     // the type that values are added and multiplied in
  std::string comparison = {};     // the type that floating values are compared in
  std::string file = {};           // the template that defines it; empty: CUDA C++ has the type
  std::vector<Field> fields = {};  // the numbers that a value consists of; empty: the value is one number
  std::string definition = {};     // the text that defines it, of a type that is not built in

  std::string npy = {};  // kind and size in a .npy file, such as "i4"; empty: NumPy has no such type

  // Of numbers.
  std::optional<Type> part = {};  // the type of the parts of a complex one
  FloatingFormat format = {};     // of a floating type, or of a complex type's parts
  Scalar zero = {}, one = {};     // as values
  Scalar least = {}, most = {};   // identities of maximum and minimum; zero if values have no order
  Scalar ones = {};               // all bits set; zero if the type is not an integer type
  std::function<Scalar(std::string_view)> parse = {};  // as parse_scalar()
  std::function<std::string(const Scalar&)> text = {};

  [[nodiscard]] bool is_built_in() const noexcept { return definition.empty(); }
};

[[nodiscard]] const TypeEntry& entry_of(Type type) noexcept;
[[nodiscard]] std::size_t alignment_of(Type type) noexcept;
// The numbers that a value consists of, in the order of their offsets.
[[nodiscard]] std::vector<Field> fields_of(Type type);

// What operators ask of a type.
[[nodiscard]] bool is_number(Type type) noexcept;  // not a structure
[[nodiscard]] bool is_integer(Type type) noexcept;
[[nodiscard]] bool is_ordered(Type type) noexcept;  // an integer or a floating-point number
[[nodiscard]] bool is_half(Type type) noexcept;     // a floating-point number of 16 bits

// Values of a type, for the identities of operators.
[[nodiscard]] Scalar zero_of(Type type);
[[nodiscard]] Scalar one_of(Type type);
[[nodiscard]] Scalar ones_of(Type type);   // all bits set
[[nodiscard]] Scalar least_of(Type type);  // of floating types, minus infinity
[[nodiscard]] Scalar most_of(Type type);

}  // namespace upsweep
