#include <upsweep/scalar.hpp>

#include "tests/support/message_of.hpp"

#include <array>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

namespace upsweep {
namespace {

TEST(Scalar, ParsesWhatTheTypeHolds) {
  EXPECT_EQ(parse_scalar(Type::i8, "-128"), Scalar::of(static_cast<signed char>(-128)));
  EXPECT_EQ(parse_scalar(Type::u64, "18446744073709551615"), Scalar::of(~0ull));
  EXPECT_EQ(parse_scalar(Type::u16, "0xfFfF"), Scalar::of(static_cast<unsigned short>(65535)));
  EXPECT_EQ(parse_scalar(Type::i32, "-0x10"), Scalar::of(-16));
  EXPECT_EQ(parse_scalar(Type::f32, "1e-3"), Scalar::of(1e-3f));
  EXPECT_EQ(parse_scalar(Type::f64, "-inf"), Scalar::of(-INFINITY * 1.0));
  EXPECT_EQ(parse_scalar(Type::f16, "1.5"), Scalar::of(f16(1.5f)));
}

TEST(Scalar, ParsesComplexValues) {
  using Complex = std::complex<double>;
  for (const auto& [text, value] : {std::pair{"1+2i", Complex(1, 2)},
                                    {"-1.5e-3-0x10i", Complex(-1.5e-3, -16)},
                                    {"1.5", Complex(1.5)},
                                    {"-2i", Complex(0, -2)},
                                    {"(3-4j)", Complex(3, -4)},
                                    {"1e+2i", Complex(0, 100)},
                                    {"inf-infi", Complex(INFINITY, -INFINITY)}}) {
    EXPECT_EQ(parse_scalar(Type::c128, text), Scalar::of(value)) << text;
    EXPECT_EQ(parse_scalar(Type::c64, text), Scalar::of(std::complex<float>(value))) << text;
  }
}

TEST(Scalar, ComplexTextLeavesOutWhatIsZero) {
  const auto text = [](double real, double imaginary) { return to_string(Scalar::of(std::complex(real, imaginary))); };
  EXPECT_EQ(text(0, 0), "0");
  EXPECT_EQ(text(1.5, 0), "1.5");
  EXPECT_EQ(text(0, -2), "-2i");
  EXPECT_EQ(text(1, -2.5), "1-2.5i");
  EXPECT_EQ(text(1, -0.0), "1-0i");
  EXPECT_EQ(text(-0.0, 1), "-0+1i");
  EXPECT_EQ(to_string(Scalar::of(std::complex(0.1f, 1e30f))), "0.1+1e+30i");
  EXPECT_EQ(text(NAN, INFINITY), "nan+infi");
}

TEST(Scalar, RoundsOnceToSixteenBits) {
  // A little above halfway between 1 and the next f16; through a float that rounds to the tie it would become 1.
  EXPECT_EQ(to_string(parse_scalar(Type::f16, "1.000488281250001")), "1.0009766");
  EXPECT_EQ(to_string(parse_scalar(Type::f16, "1.00048828125")), "1");
}

TEST(Scalar, RefusesWhatItDoesNot) {
  for (const char* text : {"", "x", "1x", "1.5", " 1", "300", "-129", "--1", "+-1", "0x"}) {
    EXPECT_THROW((void)parse_scalar(Type::i8, text), UsageError) << text;
  }
  for (const char* text : {"", "one", "1.5.2", " 1"})
    EXPECT_THROW((void)parse_scalar(Type::f32, text), UsageError) << text;
  for (const char* text :
       {"", "()", "i", "1+i", "1+2", "1+2i3", "1 + 2i", "1+ 2i", " 1", "1i+2", "1++2i", "(1+2i", "1k"}) {
    EXPECT_THROW((void)parse_scalar(Type::c64, text), UsageError) << text;
  }
  EXPECT_THROW((void)parse_scalar(Type::u32, "-1"), UsageError);
}

TEST(Scalar, MessagesAreOneLine) {
  EXPECT_THAT(test::message_of<UsageError>([] { (void)parse_scalar(Type::i32, "4\n2"); }),
              testing::AllOf(testing::Not(testing::HasSubstr("\n")), testing::HasSubstr(R"('4\x0a2')")));
}

TEST(Scalar, TextReadsBackToTheSameValue) {
  std::mt19937_64 random(11);
  for (const Type type : all_types()) {
    for (int i = 0; i < 2000; ++i) {
      Scalar scalar{.type = type};
      const std::array<std::uint64_t, 2> bits{random(), random()};
      std::memcpy(scalar.bytes.data(), &bits, size_of(type));
      const std::string text = to_string(scalar);
      if (text.find("nan") != std::string::npos) continue;  // many NaNs, one text
      ASSERT_EQ(parse_scalar(type, text), scalar) << name(type) << " " << text;
    }
  }
}

TEST(Scalar, Identities) {
  EXPECT_EQ(to_string(identity(Operator::plus, Type::f32)), "0");
  EXPECT_EQ(to_string(identity(Operator::multiplies, Type::bf16)), "1");
  EXPECT_EQ(to_string(identity(Operator::minimum, Type::i16)), "32767");
  EXPECT_EQ(to_string(identity(Operator::maximum, Type::f64)), "-inf");
  EXPECT_EQ(to_string(identity(Operator::bit_and, Type::i32)), "-1");
  EXPECT_EQ(to_string(identity(Operator::affine, Type::u64)), "4294967296");  // slope 1, offset 0
  EXPECT_EQ(to_string(identity(Operator::affine, Type::u32)), "65536");
  EXPECT_EQ(identity(Operator::plus, Type::c128), Scalar::of(std::complex<double>(0)));
  EXPECT_EQ(identity(Operator::multiplies, Type::c64), Scalar::of(std::complex<float>(1)));
  EXPECT_EQ(identity(Operator::last_nonzero, Type::c64), Scalar::of(std::complex<float>(0)));
}

TEST(Scalar, RefusesTheIdentityOfAnOperatorThatDoesNotTakeTheType) {
  EXPECT_THROW((void)identity(Operator::minimum, Type::c64), UsageError);
  EXPECT_THROW((void)identity(Operator::bit_and, Type::f32), UsageError);
  EXPECT_THROW((void)identity(Operator::affine, Type::i32), UsageError);
}

}  // namespace
}  // namespace upsweep
