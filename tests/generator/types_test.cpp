#include <upsweep/types.hpp>

#include <cmath>
#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

TEST(Types, NamesParseBack) {
  for (const Type type : all_types()) EXPECT_EQ(parse_type(name(type)), type);
  for (const Operator op : all_operators()) EXPECT_EQ(parse_operator(name(op)), op);
  for (const Operator op : all_nonassociative_operators()) EXPECT_EQ(parse_operator(name(op)), op);
  for (const Algorithm algorithm : all_algorithms()) EXPECT_EQ(parse_algorithm(name(algorithm)), algorithm);
  EXPECT_EQ(all_types().size(), 14u);
  EXPECT_EQ(name(Operator::affine), "affine");
  EXPECT_EQ(name(Type::f64), "f64");
  EXPECT_EQ(name(Type::c128), "c128");
}

TEST(Types, UnknownNameListsKnownOnes) {
  EXPECT_EQ(test::message_of<UsageError>([&] { (void)parse_operator("plux"); }),
            "unknown operator 'plux': did you mean 'plus'? use one of plus, multiplies, minimum, maximum, "
            "bit_and, bit_or, bit_xor, "
            "last_nonzero, affine, minus, less, less_equal, greater, greater_equal, equal_to, not_equal_to");
  EXPECT_THROW((void)parse_type("int"), UsageError);
  EXPECT_THROW((void)parse_algorithm("scan"), UsageError);
}

TEST(Types, DeducedFromCpp) {
  static_assert(value_type<int>() == Type::i32);
  static_assert(value_type<long>() == Type::i64);
  static_assert(value_type<unsigned long long>() == Type::u64);
  static_assert(value_type<f16>() == Type::f16);
  static_assert(!ValueType<bool> && !ValueType<char*> && !ValueType<long double>);
  static_assert(value_type<std::complex<float>>() == Type::c64);
  static_assert(value_type<std::complex<double>>() == Type::c128);
  static_assert(!ValueType<std::complex<int>> && !ValueType<std::complex<long double>>);
  EXPECT_EQ(size_of(value_type<double>()), 8u);
  EXPECT_EQ(size_of(value_type<std::complex<double>>()), sizeof(std::complex<double>));
}

TEST(Types, ComplexOnesHaveFloatingParts) {
  for (const Type type : all_types()) {
    EXPECT_EQ(is_complex(type), type == Type::c64 || type == Type::c128) << name(type);
    EXPECT_EQ(size_of(part_of(type)) * (is_complex(type) ? 2 : 1), size_of(type)) << name(type);
    EXPECT_EQ(is_floating(part_of(type)), is_floating(type)) << name(type);
  }
  EXPECT_EQ(part_of(Type::c64), Type::f32);
  EXPECT_EQ(part_of(Type::c128), Type::f64);
}

// The neighbours of a 16-bit value in the order of the reals, as doubles; the values are all finite bit patterns.
template <typename T>
double as_double(std::uint16_t bits) {
  T value;
  value.bits = bits;
  return static_cast<double>(static_cast<float>(value));
}

// Every value survives the way to float and back; halfway between neighbours the even one is taken, and just beside
// halfway the nearer one.
template <typename T>
void expect_nearest_even(std::uint16_t last_finite) {
  for (std::uint32_t bits = 0; bits < last_finite; ++bits) {
    const double low = as_double<T>(static_cast<std::uint16_t>(bits));
    const double high = as_double<T>(static_cast<std::uint16_t>(bits + 1));
    ASSERT_EQ(T(static_cast<float>(low)).bits, bits);
    const auto middle = static_cast<float>((low + high) / 2);
    if (static_cast<double>(middle) != (low + high) / 2) continue;
    ASSERT_EQ(T(middle).bits, bits % 2 == 0 ? bits : bits + 1) << bits;
    ASSERT_EQ(T(-middle).bits, 0x8000u | (bits % 2 == 0 ? bits : bits + 1)) << bits;
    ASSERT_EQ(T(std::nextafterf(middle, 0.0f)).bits, bits) << bits;
    ASSERT_EQ(T(std::nextafterf(middle, INFINITY)).bits, bits + 1) << bits;
  }
}

TEST(Half, RoundsToNearestEven) {
  expect_nearest_even<f16>(0x7bff);
  expect_nearest_even<bf16>(0x7f7f);
}

TEST(Half, KnownValues) {
  EXPECT_EQ(f16(1.0f).bits, 0x3c00);
  EXPECT_EQ(f16(65504.0f).bits, 0x7bff);
  EXPECT_EQ(f16(65520.0f).bits, 0x7c00);  // halfway to 2^16: infinity
  EXPECT_EQ(f16(0x1p-25f).bits, 0x0000);
  EXPECT_EQ(f16(-0.0f).bits, 0x8000);
  EXPECT_EQ(bf16(1.0f).bits, 0x3f80);
  EXPECT_TRUE(std::isnan(static_cast<float>(f16(NAN))));
  EXPECT_TRUE(std::isnan(static_cast<float>(bf16(NAN))));
  EXPECT_TRUE(std::isinf(static_cast<float>(f16(INFINITY))));
  f16 smallest;
  smallest.bits = 1;
  EXPECT_EQ(static_cast<float>(smallest), 0x1p-24f);
}

}  // namespace
}  // namespace upsweep
