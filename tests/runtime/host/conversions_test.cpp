// The host target's conversions and minimum and maximum against references that work on numbers, not bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/runtime/host/kernels.hpp"

namespace upsweep::runtime::testing {
namespace {

// A binary floating format of 16 bits.
struct Format {
  int mantissa_bits;
  int least_exponent;  // of a normal number
  std::uint32_t infinity;
};

constexpr Format half{10, -14, 0x7c00};
constexpr Format brain{7, -126, 0x7f80};

double value_of(Format format, std::uint32_t bits) {
  const std::uint32_t magnitude = bits & 0x7fff;
  if (magnitude > format.infinity) return std::numeric_limits<double>::quiet_NaN();
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (magnitude == format.infinity) return sign * std::numeric_limits<double>::infinity();
  const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const int hidden = exponent == 0 ? 0 : 1 << format.mantissa_bits;
  const int mantissa = static_cast<int>(magnitude & ((1u << format.mantissa_bits) - 1)) | hidden;
  return sign * std::ldexp(mantissa, std::max(exponent, 1) - 1 + format.least_exponent - format.mantissa_bits);
}

// The nearest number of the format by search over all of them: they ascend with their bits. Between two, the nearer,
// and of two equally near the one with an even mantissa; infinity counts as the next power of two. For any but NaN.
std::uint32_t nearest(Format format, float value) {
  const double wanted = std::fabs(static_cast<double>(value));
  const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  std::uint32_t low = 0;
  std::uint32_t high = format.infinity;
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (value_of(format, middle) <= wanted ? low : high) = middle;
  }
  if (std::isinf(wanted)) return sign | format.infinity;
  const double top =
      high == format.infinity ? 2 * value_of(format, high - 1) - value_of(format, high - 2) : value_of(format, high);
  const double below = wanted - value_of(format, low);
  const double above = top - wanted;
  return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

// out[4 i ...] = float_of_f16, f16_of_float, float_of_bf16, bf16_of_float of in[i].
Bench conversions() {
  return Bench(R"(
KERNEL {
  const u64 i = u64(block_index()) * 256 + thread_index();
  if (i >= n) return;
  out[4 * i] = __builtin_bit_cast(u32, float_of_f16(u16(in[i])));
  out[4 * i + 1] = f16_of_float(__builtin_bit_cast(float, in[i]));
  out[4 * i + 2] = __builtin_bit_cast(u32, float_of_bf16(u16(in[i])));
  out[4 * i + 3] = bf16_of_float(__builtin_bit_cast(float, in[i]));
})");
}

void convert(Bench& bench, std::vector<std::uint32_t> in) {
  bench.in = std::move(in);
  bench.out.assign(4 * bench.in.size(), 0xdead);
  bench.run({.blocks = (bench.in.size() + 255) / 256, .threads_per_block = 256, .shared_bytes = 0});
}

void expect_wide(Format format, std::uint32_t bits, std::uint32_t got_bits) {
  const auto got = std::bit_cast<float>(got_bits);
  const double expected = value_of(format, bits);
  if (std::isnan(expected)) {
    ASSERT_TRUE(std::isnan(got)) << std::hex << bits;
  } else {
    ASSERT_EQ(got, expected) << std::hex << bits;
    ASSERT_EQ(std::signbit(got), (bits & 0x8000) != 0) << std::hex << bits;
  }
}

void expect_narrow(Format format, std::uint32_t in, std::uint32_t got) {
  const auto value = std::bit_cast<float>(in);
  ASSERT_EQ(got & ~0xffffu, 0u);
  if (std::isnan(value)) {
    ASSERT_GT(got & 0x7fff, format.infinity) << std::hex << in;
  } else {
    ASSERT_EQ(got, nearest(format, value)) << std::hex << in;
  }
}

TEST(HostConversions, Every16BitPatternWidensExactly) {
  Bench bench = conversions();
  std::vector<std::uint32_t> in(65536);
  for (std::uint32_t bits = 0; bits < 65536; ++bits) in[bits] = bits;
  convert(bench, in);
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    expect_wide(half, bits, bench.out[4 * bits]);
    expect_wide(brain, bits, bench.out[4 * bits + 2]);
  }
}

// Every number of each format, the midpoints between neighbours, and one unit of float to both sides of both.
TEST(HostConversions, RoundToNearestEven) {
  Bench bench = conversions();
  std::vector<std::uint32_t> in;
  for (const Format format : {half, brain}) {
    for (std::uint32_t bits = 0; bits < format.infinity; ++bits) {
      const auto low = static_cast<float>(value_of(format, bits));
      const auto unit = static_cast<float>(std::ldexp(1.0, std::max(static_cast<int>(bits >> format.mantissa_bits), 1) -
                                                               2 + format.least_exponent - format.mantissa_bits));
      for (const float point : {low, low + unit}) {
        const auto exact = std::bit_cast<std::uint32_t>(point);
        for (const std::uint32_t near : {exact - 1, exact, exact + 1}) {
          in.push_back(near);
          in.push_back(near ^ 0x80000000);
        }
      }
    }
  }
  convert(bench, in);
  for (std::size_t i = 0; i < in.size(); ++i) {
    expect_narrow(half, in[i], bench.out[4 * i + 1]);
    expect_narrow(brain, in[i], bench.out[4 * i + 3]);
    if (HasFatalFailure()) return;
  }
}

TEST(HostConversions, RandomAndSpecialFloatsNarrow) {
  Bench bench = conversions();
  std::vector<std::uint32_t> in{0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x7f7fffff, 0x7f800000, 0xff800000,
                                0x7f800001, 0x7fc00000, 0xffffffff, 0x477fefff, 0x477ff000, 0x47800000, 0x33000000,
                                0x33000001, 0x32ffffff, 0x7f7f7fff, 0x7f7f8000, 0x387fffff, 0x38800000};
  std::mt19937 random(20);
  while (in.size() < 200'000) in.push_back(static_cast<std::uint32_t>(random()));
  while (in.size() < 400'000) {  // within the range of f16
    in.push_back((static_cast<std::uint32_t>(random()) & 0x8fffffff) | 0x30000000);
  }
  convert(bench, in);
  for (std::size_t i = 0; i < in.size(); ++i) {
    expect_narrow(half, in[i], bench.out[4 * i + 1]);
    expect_narrow(brain, in[i], bench.out[4 * i + 3]);
    if (HasFatalFailure()) return;
  }
}

template <typename Number>
bool same(Number a, Number b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

template <typename Number>
Number least_of(Number a, Number b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Number>::quiet_NaN();
  if (a == 0 && b == 0) return std::signbit(a) || std::signbit(b) ? -Number{0} : Number{0};
  return std::fmin(a, b);
}

// in and out hold pairs of doubles as words; the kernel gives f64 minimum and maximum, then f32's, of every pair.
TEST(HostConversions, MinimumAndMaximumOfEveryPair) {
  Bench bench(R"(
KERNEL {
  const double* pair = reinterpret_cast<const double*>(in) + 2 * (block_index() * 32 + thread_index());
  double* mine = reinterpret_cast<double*>(out) + 4 * (block_index() * 32 + thread_index());
  mine[0] = minimum_or_nan(pair[0], pair[1]);
  mine[1] = maximum_or_nan(pair[0], pair[1]);
  mine[2] = minimum_or_nan(float(pair[0]), float(pair[1]));
  mine[3] = maximum_or_nan(float(pair[0]), float(pair[1]));
})");
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values{nan,      -nan,      0.0,      -0.0,      1.0, -1.0,
                                   infinity, -infinity, 0x1p-149, -0x1p-149, 1.5, -2.5};
  std::vector<double> pairs;
  for (const double a : values) {
    for (const double b : values) pairs.insert(pairs.end(), {a, b});
  }
  const std::size_t count = pairs.size() / 2;
  const std::size_t blocks = (count + 31) / 32;
  pairs.resize(blocks * 64);
  bench.in.resize(2 * pairs.size());
  std::memcpy(bench.in.data(), pairs.data(), pairs.size() * sizeof(double));
  bench.out.assign(4 * pairs.size(), 0);
  bench.run({.blocks = blocks, .threads_per_block = 32, .shared_bytes = 0});
  std::vector<double> got(2 * pairs.size());
  std::memcpy(got.data(), bench.out.data(), got.size() * sizeof(double));
  for (std::size_t i = 0; i < count; ++i) {
    const double a = pairs[2 * i];
    const double b = pairs[2 * i + 1];
    EXPECT_TRUE(same(got[4 * i], least_of(a, b))) << a << " " << b << " " << got[4 * i];
    EXPECT_TRUE(same(got[4 * i + 1], -least_of(-a, -b))) << a << " " << b << " " << got[4 * i + 1];
    EXPECT_TRUE(same(got[4 * i + 2], least_of(a, b))) << a << " " << b << " " << got[4 * i + 2];
    EXPECT_TRUE(same(got[4 * i + 3], -least_of(-a, -b))) << a << " " << b << " " << got[4 * i + 3];
  }
}

}  // namespace
}  // namespace upsweep::runtime::testing
