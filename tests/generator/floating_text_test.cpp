// Text to floating types against what is known by construction: the texts are the exact decimals of the points halfway
// between two neighbours of a type, as the C library prints them, and such a hair above and below.
#include "generator/floating_text.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/variable.hpp"

#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>
#include <upsweep/scalar.hpp>

namespace upsweep {
namespace {

// All digits of a value, with an exponent; no zeros at the end of the digits.
std::string exact_decimal(long double value) {
  std::vector<char> text(1300);
  std::snprintf(text.data(), text.size(), "%.1200Le", value);
  const std::string all(text.data());
  const std::size_t mark = all.find('e');
  return all.substr(0, all.find_last_not_of('0', mark - 1) + 1) + all.substr(mark);
}

std::string exact_hexadecimal(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%a", value);
  std::string all(text);
  if (all.find('.') == std::string::npos) all.insert(all.find('p'), ".0");
  return all;
}

// A little more, and a little less, at the last digit before the exponent's mark.
std::string above(const std::string& text, char mark) {
  std::string more = text;
  return more.insert(text.find(mark), "00000000000000000000000000000000000001");
}
std::string below(const std::string& text, char mark) {
  std::string less = text;
  std::size_t last = text.find(mark) - 1;
  const char nine = mark == 'p' ? 'f' : '9';
  while (less[last] == '0' || less[last] == '.') {
    if (less[last] == '0') less[last] = nine;  // borrow
    --last;
  }
  less[last] = less[last] == 'a' ? '9' : static_cast<char>(less[last] - 1);
  return less.insert(text.find(mark), std::string(40, nine));
}

template <typename T, typename Bits>
T of_bits(Bits bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

template <typename T>
std::string parsed(const std::string& text) {
  return to_string(parse_scalar(value_type<T>(), text));
}

// The neighbours with the bits `low` and `low` + 1, both positive and finite, and the point between them.
template <typename T, typename Bits>
void expect_rounds_once(Bits low, long double halfway) {
  const auto smaller = Scalar::of(of_bits<T>(low)), larger = Scalar::of(of_bits<T>(static_cast<Bits>(low + 1)));
  const auto even = low % 2 == 0 ? smaller : larger;
  const std::string text = exact_decimal(halfway);
  ASSERT_EQ(parse_scalar(value_type<T>(), text), even) << text;
  ASSERT_EQ(parse_scalar(value_type<T>(), above(text, 'e')), larger) << text;
  ASSERT_EQ(parse_scalar(value_type<T>(), below(text, 'e')), smaller) << text;
  ASSERT_EQ(parsed<T>("-" + below(text, 'e')), (to_string(smaller) == "0" ? "-0" : "-" + to_string(smaller))) << text;
}

template <typename T>
void expect_hexadecimal_rounds_once(std::uint16_t low, double halfway) {
  const auto smaller = Scalar::of(of_bits<T>(low)),
             larger = Scalar::of(of_bits<T>(static_cast<std::uint16_t>(low + 1)));
  const std::string text = exact_hexadecimal(halfway);
  ASSERT_EQ(parse_scalar(value_type<T>(), text), low % 2 == 0 ? smaller : larger) << text;
  ASSERT_EQ(parse_scalar(value_type<T>(), above(text, 'p')), larger) << text;
  ASSERT_EQ(parse_scalar(value_type<T>(), below(text, 'p')), smaller) << below(text, 'p');
}

// Where the double that is nearest to the text is not the point between two neighbours, but the one beside it.
template <typename T>
void expect_rounds_once_beside(std::uint16_t low, double halfway) {
  for (const double side : {0.0, std::numeric_limits<double>::infinity()}) {
    const long double next = std::nextafter(halfway, side);
    const std::string text = exact_decimal(halfway + (next - halfway) * 0.75L);
    const auto wanted = of_bits<T>(static_cast<std::uint16_t>(side > 0 ? low + 1 : low));
    ASSERT_EQ(parse_scalar(value_type<T>(), text), Scalar::of(wanted)) << text;
  }
}

template <typename T>
void expect_all_16_bits_round_once(std::uint16_t greatest) {
  for (std::uint16_t low = 0; low < greatest; ++low) {
    const double a = static_cast<float>(of_bits<T>(low));
    const double b = static_cast<float>(of_bits<T>(static_cast<std::uint16_t>(low + 1)));
    if (low % 7 == 0 || low < 300) {
      ASSERT_NO_FATAL_FAILURE(expect_rounds_once<T>(low, (a + b) / 2));
      ASSERT_NO_FATAL_FAILURE(expect_rounds_once_beside<T>(low, (a + b) / 2));
    }
    ASSERT_NO_FATAL_FAILURE(expect_hexadecimal_rounds_once<T>(low, (a + b) / 2));
  }
}

TEST(FloatingText, EveryF16AndBf16RoundsOnce) {
  expect_all_16_bits_round_once<f16>(0x7bff);
  expect_all_16_bits_round_once<bf16>(0x7f7f);
}

TEST(FloatingText, F32AndF64RoundOnce) {
  const std::uint64_t seed = 20;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 3000; ++i) {
    const auto low = i < 50 ? static_cast<std::uint32_t>(i) : static_cast<std::uint32_t>(random() % 0x7f7fffff);
    const double a = of_bits<float>(low), b = of_bits<float>(low + 1);
    ASSERT_NO_FATAL_FAILURE(expect_rounds_once<float>(low, (a + b) / 2));
  }
  static_assert(std::numeric_limits<long double>::digits >= 54, "holds what lies halfway between two f64");
  for (int i = 0; i < 3000; ++i) {
    const auto low = i < 50 ? static_cast<std::uint64_t>(i) : random() % 0x7fefffffffffffff;
    const long double a = of_bits<double>(low), b = of_bits<double>(low + 1);
    ASSERT_NO_FATAL_FAILURE(expect_rounds_once<double>(low, (a + b) / 2));
  }
}

// Half a step above the greatest number a type's infinity begins, and that text is refused as the integers' are.
TEST(FloatingText, RefusesWhatIsTooLarge) {
  const auto check = [](Type type, const char* halfway, const char* greatest) {
    EXPECT_EQ(to_string(parse_scalar(type, below(halfway, 'e'))), greatest) << name(type);
    for (const std::string& text :
         {std::string(halfway), above(halfway, 'e'), std::string("1e400"), std::string("0x1p2000"),
          std::string("-1e99999999999999999999"), "1" + std::string(400, '0')}) {
      EXPECT_THAT(test::message_of<UsageError>([&] { (void)parse_scalar(type, text); }),
                  testing::HasSubstr("out of the range of "));
    }
    EXPECT_EQ(to_string(parse_scalar(type, "-inf")), "-inf");
  };
  check(Type::f16, "6.552e4", "65504");
  check(Type::bf16, exact_decimal(0x1.ffp127L).c_str(), "3.3895314e+38");
  check(Type::f32, exact_decimal(0x1.ffffffp127L).c_str(), "3.4028235e+38");
  check(Type::f64, exact_decimal(0x1.fffffffffffff8p1023L).c_str(), "1.7976931348623157e+308");
  EXPECT_EQ(parsed<f16>("65519.99999999999999999999"), "65504");
  EXPECT_THROW((void)parse_scalar(Type::c64, "1+1e39i"), UsageError);
}

TEST(FloatingText, WhatIsTooSmallIsZeroWithItsSign) {
  for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
    for (const char* text : {"1e-400", "0x1p-2000", "0.0", "0e99999999999999999999", "1e-99999999999999999999"}) {
      EXPECT_EQ(to_string(parse_scalar(type, text)), "0") << name(type) << " " << text;
      EXPECT_EQ(to_string(parse_scalar(type, std::string("-") + text)), "-0") << name(type) << " " << text;
    }
  }
  EXPECT_EQ(parsed<double>("0." + std::string(500, '0') + "15e501"), "1.5");
  EXPECT_EQ(parsed<f16>("0." + std::string(500, '0') + "15e501"), "1.5");
}

TEST(FloatingText, ReadsEachForm) {
  constexpr std::pair<const char*, const char*> forms[] = {
      {".5", "0.5"},     {"5.", "5"},      {"+5", "5"},         {"5E+1", "50"},   {"0x.8", "0.5"},
      {"0X1.8P3", "12"}, {"-0x10", "-16"}, {"Infinity", "inf"}, {"-INF", "-inf"}, {"NaN", "nan"}};
  for (const auto& [text, value] : forms) {
    for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
      EXPECT_EQ(to_string(parse_scalar(type, text)), value) << name(type) << " " << text;
    }
  }
}

TEST(FloatingText, RefusesOtherForms) {
  std::vector<std::string> wrong{std::string("5\0", 2), std::string("1.\0005", 4)};
  for (const char* text : {"",      "+",   "-",    ".",  "+-5", "--5", "++5",   "-+5", "0x", "0x-5", "0x+5", "0xinf",
                           "0xnan", "0x.", "0xp3", "1e", "1e+", "1p3", "1_000", "1,5", "5 ", " 5",   "5f",   "nanx"}) {
    wrong.emplace_back(text);
  }
  for (const std::string& text : wrong) {
    for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64, Type::c128}) {
      EXPECT_THROW((void)parse_scalar(type, text), UsageError) << name(type) << " " << text;
    }
  }
  for (const char* text : {"0x-5", "-0x-5", "0x+5", "--5", "+-5", "-+5", "-", "+", "-0x", "0xg"}) {
    EXPECT_THROW((void)parse_scalar(Type::i32, text), UsageError) << text;
  }
}

// A locale whose decimal mark is a comma, made here because few machines have one: glibc's compiled form of LC_NUMERIC,
// which locale(7) and locale/loadlocale.c tell of.
class CommaLocale {
 public:
  CommaLocale() {
    std::filesystem::create_directory(folder_ / "comma");
    const std::string data = std::string(",\0.\0\3\0", 6) + std::string(2, '\0') + std::string(",\0\0\0.\0\0\0", 8) +
                             std::string("UTF-8\0", 6);
    constexpr std::uint32_t head = 4 * 8;  // a magic number, the number of fields, and where each of the six begins
    const std::uint32_t words[8] = {
        0x20031115 ^ LC_NUMERIC, 6, head, head + 2, head + 4, head + 8, head + 12, head + 16};
    std::ofstream file(folder_ / "comma" / "LC_NUMERIC", std::ios::binary);
    file.write(reinterpret_cast<const char*>(words), sizeof words);
    file << data;
    file.close();
    const test::Variable locales("LOCPATH", folder_.path().string());
    set_ = std::setlocale(LC_NUMERIC, "comma") != nullptr;
  }
  ~CommaLocale() { std::setlocale(LC_NUMERIC, "C"); }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

  [[nodiscard]] bool is_set() const { return set_; }

 private:
  test::TestFolder folder_;
  bool set_ = false;
};

TEST(FloatingText, IsTheSameInEachLocale) {
  const CommaLocale locale;
  ASSERT_TRUE(locale.is_set());
  ASSERT_EQ(std::strtod("1,5", nullptr), 1.5) << "the locale's decimal mark is no comma: this test would show nothing";
  for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64, Type::c64, Type::c128}) {
    EXPECT_EQ(to_string(parse_scalar(type, "1.5")), "1.5") << name(type);
    EXPECT_THROW((void)parse_scalar(type, "1,5"), UsageError) << name(type);
  }
}

TEST(FloatingText, MinusZeroInfinitiesAndNanReadBack) {
  for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
    for (const char* text : {"0", "-0", "inf", "-inf", "nan"}) {
      EXPECT_EQ(to_string(parse_scalar(type, text)), text) << name(type);
    }
  }
}

// libstdc++ 12 reads both signs.
TEST(FloatingText, AnExponentHasOneSign) {
  for (const char* text : {"0x1p+-3", "0X1P+-3"}) {
    std::string_view rest = text;
    double value = 0;
    EXPECT_EQ(read_floating(rest, value), NumberText::read) << text;
    EXPECT_EQ(value, 1) << text;
    EXPECT_EQ(rest.size(), 4u) << "the number ends before its exponent: " << rest;
  }
}

}  // namespace
}  // namespace upsweep
