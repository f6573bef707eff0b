#include "tests/support/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include <upsweep/error.hpp>

#include "tests/support/cases.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/verify/values.hpp"
#include "tuner/verify/data.hpp"

namespace upsweep::tuner {
namespace {

using test::Reference;

template <typename In, typename Out = In>
Reference reference_of(Algorithm algorithm, Operator op, const std::vector<In>& in,
                       std::type_identity_t<Out> initial = {}) {
  const Problem problem = make_problem(algorithm, op, value_type<In>(), value_type<Out>(), in.size());
  return Reference(problem, bytes_of(in), Scalar::of(initial));
}

// The whole output in type Out for the input.
template <typename In, typename Out = In>
std::vector<Out> results(Algorithm algorithm, Operator op, const std::vector<In>& in,
                         std::type_identity_t<Out> initial = {}) {
  return values_of<Out>(reference_of<In, Out>(algorithm, op, in, initial).output(in.size()));
}

// The first item that is wrong.
template <typename T>
std::optional<std::uint64_t> wrong_at(const Reference& reference, const std::vector<T>& got) {
  const auto mismatch = reference.compare(got.size(), bytes_of(got));
  return mismatch ? std::optional(mismatch->index) : std::nullopt;
}

constexpr auto inclusive = Algorithm::inclusive_scan;
constexpr auto exclusive = Algorithm::exclusive_scan;
constexpr auto reduce = Algorithm::reduce;

TEST(Reference, ThreeAlgorithms) {
  const std::vector<int> in{3, 1, 4, 1, 5};
  EXPECT_EQ(results<int>(inclusive, plus, in), (std::vector{3, 4, 8, 9, 14}));
  EXPECT_EQ(results<int>(exclusive, plus, in, 100), (std::vector{100, 103, 104, 108, 109}));
  EXPECT_EQ(results<int>(reduce, plus, in, 100), (std::vector{114}));
}

TEST(Reference, InclusiveScanIgnoresTheInitialValue) {
  EXPECT_EQ(results<int>(inclusive, plus, {1, 2}, 50), (std::vector{1, 3}));
}

TEST(Reference, ReduceOfNothingIsTheInitialValue) {
  EXPECT_EQ(results<int>(reduce, maximum, {}, -7), std::vector{-7});
}

TEST(Reference, IntegersWrapInTheAccumulator) {
  EXPECT_EQ((results<signed char>(inclusive, plus, {100, 100, 100})), (std::vector<signed char>{100, -56, 44}));
  EXPECT_EQ((results<unsigned char, unsigned short>(inclusive, plus, {200, 100})),
            (std::vector<unsigned short>{200, 300}));
  EXPECT_EQ((results<int, signed char>(inclusive, plus, {300, 1})), (std::vector<signed char>{44, 45}));
  EXPECT_EQ((results<std::int64_t>(inclusive, multiplies, {1ll << 40, 1ll << 23, 2, 3})),
            (std::vector<std::int64_t>{1ll << 40, std::numeric_limits<std::int64_t>::min(), 0, 0}));
}

TEST(Reference, SignednessOfExtremes) {
  EXPECT_EQ((results<std::uint64_t>(inclusive, maximum, {1, ~0ull, 5})), (std::vector<std::uint64_t>{1, ~0ull, ~0ull}));
  EXPECT_EQ((results<std::int64_t>(inclusive, minimum, {1, -1, 5})), (std::vector<std::int64_t>{1, -1, -1}));
  EXPECT_EQ((results<unsigned char>(inclusive, minimum, {200, 100, 255})), (std::vector<unsigned char>{200, 100, 100}));
}

TEST(Reference, ZerosAndNanOfExtremes) {
  const auto up = results<float>(inclusive, maximum, {-0.0f, 0.0f, -0.0f, NAN, 1.0f});
  EXPECT_TRUE(std::signbit(up[0]));
  EXPECT_FALSE(std::signbit(up[1]));
  EXPECT_FALSE(std::signbit(up[2]));
  EXPECT_TRUE(std::isnan(up[3]));
  EXPECT_TRUE(std::isnan(up[4]));
  const auto down = results<double>(inclusive, minimum, {0.0, -0.0, 0.0, NAN, -1.0});
  EXPECT_FALSE(std::signbit(down[0]));
  EXPECT_TRUE(std::signbit(down[1]));
  EXPECT_TRUE(std::signbit(down[2]));
  EXPECT_TRUE(std::isnan(down[3]));
  EXPECT_TRUE(std::isnan(down[4]));
}

TEST(Reference, BitsAndLastNonzero) {
  EXPECT_EQ(results<int>(inclusive, bit_and, {7, 6, 3}), (std::vector{7, 6, 2}));
  EXPECT_EQ(results<int>(inclusive, bit_or, {1, 4, 1}), (std::vector{1, 5, 5}));
  EXPECT_EQ(results<int>(inclusive, bit_xor, {1, 5, 1}), (std::vector{1, 4, 5}));
  EXPECT_EQ(results<int>(exclusive, last_nonzero, {0, 5, 0, 7, 0}, 9), (std::vector{9, 9, 5, 5, 7}));
  EXPECT_EQ(results<float>(inclusive, last_nonzero, {0.f, 2.f, -0.f, 3.f}), (std::vector{0.f, 2.f, 2.f, 3.f}));
}

// x -> 2x + 1, then x -> 3x + 5: x -> 6x + 8.
TEST(Reference, AffineComposesInOrder) {
  EXPECT_EQ((results<unsigned>(inclusive, affine, {2u << 16 | 1u, 3u << 16 | 5u})),
            (std::vector<unsigned>{2u << 16 | 1u, 6u << 16 | 8u}));
  // Both halves wrap on their own: no carry from the offset into the slope.
  EXPECT_EQ((results<unsigned>(inclusive, affine, {1u << 16 | 0xffffu, 1u << 16 | 2u})),
            (std::vector<unsigned>{1u << 16 | 0xffffu, 1u << 16 | 1u}));
}

TEST(Reference, ConvertsThereAndBack) {
  Problem problem = make_problem(inclusive, plus, Type::i32, Type::i64);
  problem.output = Type::f32;
  const Reference reference(problem, bytes_of<int>({1 << 30, 1 << 30, 1 << 30}), Scalar::of(std::int64_t{0}));
  EXPECT_EQ(values_of<float>(reference.output(3)), (std::vector{1073741824.f, 2147483648.f, 3221225472.f}));
}

TEST(Reference, ComplexSumsAndProducts) {
  using Complex = std::complex<double>;
  EXPECT_EQ(results<Complex>(inclusive, plus, {{1, 2}, {3, -5}, {0, 1}}),
            (std::vector<Complex>{{1, 2}, {4, -3}, {4, -2}}));
  EXPECT_EQ(results<Complex>(exclusive, multiplies, {{1, 2}, {3, -1}, {9, 9}}, {0, 1}),
            (std::vector<Complex>{{0, 1}, {-2, 1}, {-5, 5}}));
  EXPECT_EQ(results<Complex>(inclusive, last_nonzero, {{1, 0}, {0, 0}, {0, 2}, {0, 0}}),
            (std::vector<Complex>{{1, 0}, {1, 0}, {0, 2}, {0, 2}}));
  Problem problem = make_problem(inclusive, multiplies, Type::i32, Type::c64);
  problem.output = Type::c128;
  const Reference reference(problem, bytes_of<int>({2, -3}), Scalar::of(std::complex<float>(0)));
  EXPECT_EQ(values_of<Complex>(reference.output(2)), (std::vector<Complex>{{2, 0}, {-6, 0}}));
}

TEST(Reference, AgreesWithAnotherLoop) {
  for (const Problem& problem : test::all_problems()) {
    const std::uint64_t n = 1500, seed = 42;
    const auto in = test::make_data(problem, n, test::Data::random, seed);
    const Scalar initial = identity(problem.op, problem.accumulator);
    const auto expected = test::expected(problem, in, n, initial);
    const Reference reference(problem, in, initial);
    EXPECT_EQ(test::difference(problem.output, expected, reference.output(n)), std::nullopt) << to_string(problem);
    EXPECT_EQ(reference.compare(n, expected), std::nullopt) << to_string(problem);
  }
}

// sum of i^3 from 1 to n is (n (n + 1) / 2)^2, modulo 2^64 too.
TEST(Reference, SumOfCubes) {
  std::vector<std::uint64_t> in;
  for (std::uint64_t i = 1; i <= 3000; ++i) in.push_back(i * i * i);
  const Reference reference = reference_of<std::uint64_t>(inclusive, plus, in);
  const auto sums = values_of<std::uint64_t>(reference.output(3000));
  for (std::uint64_t n = 1; n <= 3000; ++n) ASSERT_EQ(sums[n - 1], n * (n + 1) / 2 * (n * (n + 1) / 2)) << n;
}

TEST(Reference, EveryPrefixIsKept) {
  const std::vector<int> in{3, 1, 4, 1, 5};
  const Reference sum = reference_of<int>(reduce, plus, in, 10);
  const std::vector<int> expected{10, 13, 14, 18, 19, 24};
  for (std::uint64_t n = 0; n <= 5; ++n) {
    EXPECT_EQ(values_of<int>(sum.output(n)), std::vector{expected[n]});
    EXPECT_EQ(sum.compare(n, bytes_of<int>({expected[n]})), std::nullopt);
    EXPECT_EQ(sum.compare(n, bytes_of<int>({expected[n] + 1})),
              (Mismatch{0, std::to_string(expected[n]), std::to_string(expected[n] + 1)}));
  }
}

// --- compare

class Compare : public testing::TestWithParam<Problem> {};

TEST_P(Compare, CatchesWhatKernelsGetWrong) {
  const Problem problem = GetParam();
  const std::uint64_t n = 2000, seed = 7;
  SCOPED_TRACE(testing::Message() << to_string(problem) << " seed " << seed);
  const Bytes in = make_data(problem, n, seed);
  const Reference reference(problem, in, make_initial(problem, seed));
  const auto right = reference.output(n);
  Bytes got(right.begin(), right.end());
  ASSERT_EQ(reference.compare(n, got), std::nullopt);

  const std::size_t item = size_of(problem.output);
  for (const std::uint64_t at : {std::uint64_t{0}, n / 2, n - 1}) {  // n - 1: off by one at the end
    Bytes wrong = got;
    wrong[at * item + item - 1] ^= std::byte{0x55};  // sign and exponent, or high bits
    const auto mismatch = reference.compare(n, wrong);
    ASSERT_TRUE(mismatch.has_value()) << at;
    EXPECT_EQ(mismatch->index, at);
    EXPECT_NE(mismatch->expected, mismatch->got);
  }
}

TEST_P(Compare, CatchesItemsInAnotherOrderAndLostOnes) {
  const Problem problem = GetParam();
  const std::uint64_t n = 2000, seed = 11;
  SCOPED_TRACE(testing::Message() << to_string(problem) << " seed " << seed);
  const Bytes in = make_data(problem, n, seed);
  const Scalar initial = make_initial(problem, seed);
  const Reference reference(problem, in, initial);
  const std::size_t item = size_of(problem.input);
  // One tile after another: halves exchanged, or the first tile's items lost to the rest.
  Bytes exchanged(in.begin() + static_cast<std::ptrdiff_t>(n / 2 * item), in.end());
  exchanged.insert(exchanged.end(), in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n / 2 * item));
  EXPECT_TRUE(reference.compare(n, Reference(problem, exchanged, initial).output(n)).has_value());
  // A scan that forgets what stands before its second half.
  const Reference half(problem, std::span(in).subspan(n / 2 * item), initial);
  Bytes forgot(reference.output(n / 2).begin(), reference.output(n / 2).end());
  const auto rest = half.output(n / 2);
  forgot.insert(forgot.end(), rest.begin(), rest.end());
  EXPECT_TRUE(reference.compare(n, forgot).has_value());
}

std::vector<Problem> scans() {
  std::vector<Problem> problems;
  for (const Problem& problem : test::all_problems()) {
    if (problem.algorithm == inclusive) problems.push_back(problem);
  }
  return problems;
}

INSTANTIATE_TEST_SUITE_P(AllScans, Compare, testing::ValuesIn(scans()),
                         [](const auto& parameter) { return test::test_name(parameter.param); });

TEST(CompareTest, ExactWhereNothingRounds) {
  const Reference reference = reference_of<float>(inclusive, plus, {1, 2, 3});
  EXPECT_EQ(reference.compare(3, bytes_of<float>({1, 3, 6})), std::nullopt);
  EXPECT_EQ(wrong_at<float>(reference, {1, 3, std::nextafterf(6, 7)}), 2u);
}

TEST(CompareTest, ToleratesRoundingInAnyOrder) {
  const std::uint64_t n = 100'000;
  std::vector<float> in(n);
  for (std::uint64_t i = 0; i < n; ++i) in[i] = 1.0f / static_cast<float>(i % 1000 + 3);
  std::vector<float> forward(n);
  float sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) forward[i] = sum += in[i];
  const Reference scan = reference_of<float>(inclusive, plus, in);
  EXPECT_NE(values_of<float>(scan.output(n)), forward) << "the data must round, or nothing is tested";
  EXPECT_EQ(scan.compare(n, bytes_of(forward)), std::nullopt);

  float backward = 0;
  for (std::uint64_t i = n; i-- > 0;) backward += in[i];
  const Reference total = reference_of<float>(reduce, plus, in);
  EXPECT_EQ(total.compare(n, bytes_of<float>({backward})), std::nullopt);
  EXPECT_TRUE(total.compare(n, bytes_of<float>({backward + 1})).has_value()) << "more than the bound allows";
}

TEST(CompareTest, ToleratesRoundingOfProducts) {
  std::vector<double> in;
  for (int i = 0; i < 1000; ++i) in.push_back(1 + 1.0 / (i + 3) * (i % 2 == 0 ? 1 : -1));
  double product = 1;
  for (std::size_t i = in.size(); i-- > 0;) product *= in[i];
  const Reference reference = reference_of<double>(reduce, multiplies, in, 1.0);
  EXPECT_EQ(reference.compare(1000, bytes_of<double>({product})), std::nullopt);
  EXPECT_TRUE(reference.compare(1000, bytes_of<double>({product * (1 + 1e-12)})).has_value());
}

TEST(CompareTest, ToleratesRoundingOfComplexValuesPartByPart) {
  using Complex = std::complex<float>;
  std::vector<Complex> in;
  for (int i = 0; i < 1000; ++i) in.push_back(std::polar(1.0f, 0.01f * static_cast<float>(i)));
  Complex product = 1, sum = 0;
  for (std::size_t i = in.size(); i-- > 0;) {
    product *= in[i];
    sum += in[i];
  }
  const Reference products = reference_of<Complex>(reduce, multiplies, in, 1);
  EXPECT_NE(values_of<Complex>(products.output(1000)), std::vector{product}) << "it must round";
  EXPECT_EQ(products.compare(1000, bytes_of<Complex>({product})), std::nullopt);
  EXPECT_TRUE(products.compare(1000, bytes_of<Complex>({product + Complex(0, 1e-2f)})).has_value());
  EXPECT_TRUE(products.compare(1000, bytes_of<Complex>({std::conj(product)})).has_value());
  const Reference sums = reference_of<Complex>(reduce, plus, in);
  EXPECT_EQ(sums.compare(1000, bytes_of<Complex>({sum})), std::nullopt);
  EXPECT_TRUE(sums.compare(1000, bytes_of<Complex>({sum + Complex(1, 0)})).has_value());
  EXPECT_TRUE(sums.compare(1000, bytes_of<Complex>({sum + Complex(0, 1)})).has_value());
}

TEST(CompareTest, ComplexNansAndZerosPartByPart) {
  using Complex = std::complex<double>;
  const std::vector<Complex> in{{1, NAN}, {-0.0, 2}};
  const Reference carried = reference_of<Complex>(inclusive, last_nonzero, in);
  EXPECT_EQ(carried.compare(2, bytes_of<Complex>({{1, -NAN}, {-0.0, 2}})), std::nullopt);
  EXPECT_EQ(wrong_at<Complex>(carried, {{2, NAN}, {-0.0, 2}}), 0u);
  EXPECT_EQ(wrong_at<Complex>(carried, {{1, NAN}, {0.0, 2}}), 1u);
  // What an infinite factor makes of the parts depends on the association.
  const Reference product = reference_of<Complex>(inclusive, multiplies, {{2, 0}, {INFINITY, 0}}, 1);
  EXPECT_EQ(product.compare(2, bytes_of<Complex>({{2, 0}, {INFINITY, 1}})), std::nullopt);
  EXPECT_EQ(wrong_at<Complex>(product, {{2, 1}, {INFINITY, NAN}}), 0u);
}

TEST(CompareTest, NanMatchesNanOnly) {
  const Reference reference = reference_of<float>(inclusive, plus, {1, NAN, 2});
  EXPECT_EQ(reference.compare(3, bytes_of<float>({1, -NAN, NAN})), std::nullopt);
  EXPECT_EQ(wrong_at<float>(reference, {1, NAN, 3}), 2u);
  EXPECT_EQ(wrong_at<float>(reference, {NAN, NAN, NAN}), 0u);
}

TEST(CompareTest, InfinityOfTheDataIsCertain) {
  const Reference reference = reference_of<float>(inclusive, plus, {.5f, INFINITY});
  EXPECT_EQ(reference.compare(2, bytes_of<float>({.5f, INFINITY})), std::nullopt);
  EXPECT_EQ(wrong_at<float>(reference, {.5f, 1e30f}), 1u);
}

TEST(CompareTest, SignOfZeroCountsForExtremes) {
  const Reference reference = reference_of<float>(inclusive, maximum, {-0.f, 0.f});
  EXPECT_EQ(reference.compare(2, bytes_of<float>({-0.f, 0.f})), std::nullopt);
  EXPECT_EQ(wrong_at<float>(reference, {-0.f, -0.f}), 1u);
}

TEST(CompareTest, SaysWhatIsWrong) {
  const Reference reference = reference_of<int>(inclusive, plus, {1, 2, 3, 4});
  EXPECT_EQ(to_string(reference.compare(4, bytes_of<int>({1, 3, 5, 9})).value()),
            "wrong at index 2: expected 6, got 5");
}

TEST(CompareTest, RefusesWhatCannotBeCompared) {
  const Reference reference = reference_of<int>(inclusive, plus, {1, 2});
  EXPECT_EQ(message_of<UsageError>([&] {
              (void)reference.compare(3, bytes_of<int>({1, 3, 4}));
            }),
            "the reference holds 2 items, not 3");
  EXPECT_EQ(message_of<UsageError>([&] { (void)reference.compare(2, bytes_of<int>({1})); }),
            "cannot compare an output of 4 bytes: 8 bytes are needed");
  EXPECT_EQ(message_of<UsageError>([&] {
              (void)Reference(make_problem(reduce, plus, Type::i32, Type::i32), bytes_of<int>({1}), Scalar::of(1.5f));
            }),
            "the reference needs an initial value of type i32, not f32");
}

}  // namespace
}  // namespace upsweep::tuner
