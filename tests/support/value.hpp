// A value of any type, for references and data of tests.
#pragma once

#include <cstddef>
#include <cstdint>

#include <upsweep/types.hpp>

namespace upsweep::test {

// A value of any type: integers modulo 2^64, floating ones as double, complex ones as two.
struct Value {
  std::uint64_t integer = 0;
  double real = 0;
  double imaginary = 0;
};

[[nodiscard]] Value read(Type type, const std::byte* from);

// Rounded or wrapped to the type.
void write(Type type, Value value, std::byte* to);

}  // namespace upsweep::test
