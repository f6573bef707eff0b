// Types and operators that are not built in, for tests: their text for kernels, and the same in C++ for what kernels
// are compared with.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "generator/definitions.hpp"

namespace upsweep::test {

// x -> m x + c modulo 2^32: does not commute. 8 bytes, aligned to 4.
struct Map {
  std::uint32_t m, c;
  bool operator==(const Map&) const = default;
  static Type type() {
    return define_type({.name = "Map",
                        .size = 8,
                        .alignment = 4,
                        .fields = {{Type::u32, 0}, {Type::u32, 4}},
                        .text = "struct Map {\n  u32 m, c;\n};"});
  }
  static Operator op() {
    return define_operator(
        {.name = "compose",
         .type = type(),
         .exact = true,
         .identity = scalar({1, 0}),
         .test_data = TestData::products,  // odd slopes: the first maps show to the end
         .text = "__device__ Map compose(Map a, Map b) {\n  return {a.m * b.m, b.m * a.c + b.c};\n}"});
  }
  static Map combine(Map a, Map b) { return {a.m * b.m, b.m * a.c + b.c}; }
  static Scalar scalar(Map map) { return Scalar::of(type(), map); }
};

// Sums by component. 12 bytes.
struct Vector3 {
  std::array<float, 3> x;
  bool operator==(const Vector3&) const = default;
  static Type type() {
    return define_type({.name = "Vector3",
                        .size = 12,
                        .alignment = 4,
                        .fields = {{Type::f32, 0}, {Type::f32, 4}, {Type::f32, 8}},
                        .text = "struct Vector3 {\n  float x[3];\n};"});
  }
  static Operator op() {
    return define_operator({.name = "add3",
                            .type = type(),
                            .commutative = true,
                            .identity = scalar({}),
                            .text = "__device__ Vector3 add3(Vector3 a, Vector3 b) {\n"
                                    "  return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};\n}"});
  }
  static Vector3 combine(Vector3 a, Vector3 b) { return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}}; }
  static Scalar scalar(Vector3 vector) { return Scalar::of(type(), vector); }
};

// The greater of each component; no identity. 3 bytes.
struct Color {
  std::array<std::uint8_t, 3> x;
  bool operator==(const Color&) const = default;
  static Type type() {
    return define_type({.name = "Color",
                        .size = 3,
                        .alignment = 1,
                        .fields = {{Type::u8, 0}, {Type::u8, 1}, {Type::u8, 2}},
                        .text = "struct Color {\n  u8 x[3];\n};"});
  }
  static Operator op() {
    return define_operator({.name = "lighten",
                            .type = type(),
                            .commutative = true,
                            .exact = true,
                            .test_data = TestData::rising,
                            .text = "__device__ Color lighten(Color a, Color b) {\n"
                                    "  for (int i = 0; i < 3; ++i) a.x[i] = a.x[i] < b.x[i] ? b.x[i] : a.x[i];\n"
                                    "  return a;\n}"});
  }
  static Color combine(Color a, Color b) {
    for (std::size_t i = 0; i < 3; ++i) a.x[i] = std::max(a.x[i], b.x[i]);
    return a;
  }
  static Scalar scalar(Color color) { return Scalar::of(type(), color); }
};

// Integers of 128 bits. 16 bytes, aligned to 16: by vectors, as built-in types.
struct alignas(16) Wide {
  std::uint64_t low, high;
  bool operator==(const Wide&) const = default;
  static Type type() {
    return define_type({.name = "Wide",
                        .size = 16,
                        .alignment = 16,
                        .fields = {{Type::u64, 0}, {Type::u64, 8}},
                        .text = "struct alignas(16) Wide {\n  u64 low, high;\n};"});
  }
  static Operator op() {
    return define_operator({.name = "add_wide",
                            .type = type(),
                            .commutative = true,
                            .exact = true,
                            .identity = scalar({0, 0}),
                            .text = "__device__ Wide add_wide(Wide a, Wide b) {\n"
                                    "  const u64 low = a.low + b.low;\n"
                                    "  return {low, a.high + b.high + (low < a.low ? 1 : 0)};\n}"});
  }
  static Wide combine(Wide a, Wide b) {
    const std::uint64_t low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low ? 1 : 0)};
  }
  static Scalar scalar(Wide wide) { return Scalar::of(type(), wide); }
};

// The greater value, of equal ones the first: 4 of 16 bytes are padding.
struct Padded {
  double value;
  std::uint32_t index;
  bool operator==(const Padded&) const = default;
  static Type type() {
    return define_type({.name = "Padded",
                        .size = 16,
                        .alignment = 8,
                        .fields = {{Type::f64, 0}, {Type::u32, 8}},
                        .text = "struct Padded {\n  double value;\n\n  u32 index;\n};"});
  }
  static Operator op() {
    return define_operator({.name = "first_greatest",
                            .type = type(),
                            .commutative = true,
                            .exact = true,
                            .test_data = TestData::rising,
                            .text = "// \"The greater\" or '\"'\n"
                                    "__device__ bool is_greater(Padded a, Padded b) {\n"
                                    "  return a.value > b.value || (a.value == b.value && a.index < b.index);\n}\n\n"
                                    "__device__ Padded first_greatest(Padded a, Padded b) {\n"
                                    "  return is_greater(b, a) ? b : a;\n}  // trailing \\"});
  }
  static Padded combine(Padded a, Padded b) {
    return b.value > a.value || (a.value == b.value && b.index < a.index) ? b : a;
  }
  static Scalar scalar(Padded padded) { return Scalar::of(type(), padded); }
};

// An inclusive scan whose results are negated: an algorithm with hooks of its own.
inline Algorithm negated_scan() {
  return define_algorithm({.name = "negated_scan",
                           .emission = Emission::dense,
                           .text = "constexpr bool emits_inclusive = true;\n\n"
                                   "__device__ __forceinline__ Accumulator emit(Accumulator, Accumulator inclusive) {\n"
                                   "  return Accumulator(-inclusive);\n}\n"});
}

template <typename T>
Problem problem_of(Algorithm algorithm, std::uint64_t size) {
  return make_problem(algorithm, T::op(), T::type(), T::type(), size);
}

// The results of n items by a plain loop: one for each item of a scan, one of a reduce.
template <typename T>
std::vector<T> expected_of(Algorithm algorithm, const std::vector<T>& in, T initial) {
  std::vector<T> out;
  T running = initial;
  const bool inclusive = algorithm == Algorithm::inclusive_scan;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (algorithm == Algorithm::exclusive_scan) out.push_back(running);
    running = inclusive && i == 0 ? in[i] : T::combine(running, in[i]);
    if (inclusive) out.push_back(running);
  }
  if (algorithm == Algorithm::reduce) out.push_back(running);
  return out;
}

}  // namespace upsweep::test
