// Made offsets of segments: each distribution of lengths has what its name says.
#include <algorithm>
#include <cstring>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/shape.hpp"
#include "tests/support/segments.hpp"
#include "tuner/verify/segment_data.hpp"

namespace upsweep::tuner {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Le;

constexpr std::uint64_t items = 50'000, mean = 8;

std::vector<std::uint64_t> offsets_of(LengthDistribution distribution) {
  const Problem problem = in_segments(test::segments_of_type(Algorithm::reduce, plus, Type::i32), items / mean, items);
  const std::vector<Port> all = ports(problem);
  const auto port = std::ranges::find(all, Extent::offsets, &Port::extent);
  const Bytes bytes = make_offsets(problem, *port, items, 7, distribution);
  std::vector<std::uint32_t> narrow(bytes.size() / 4);
  std::memcpy(narrow.data(), bytes.data(), bytes.size());
  return {narrow.begin(), narrow.end()};
}

std::vector<std::uint64_t> lengths_of(LengthDistribution distribution) {
  const std::vector<std::uint64_t> offsets = offsets_of(distribution);
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) lengths.push_back(offsets[i + 1] - offsets[i]);
  return lengths;
}

std::uint64_t longest(LengthDistribution distribution) {
  return std::ranges::max(lengths_of(distribution));
}

std::ptrdiff_t empty_ones(LengthDistribution distribution) {
  return std::ranges::count(lengths_of(distribution), std::uint64_t{0});
}

TEST(MadeOffsets, AscendAndStayWithinTheItems) {
  for (const LengthDistribution each : all_length_distributions()) {
    const std::vector<std::uint64_t> offsets = offsets_of(each);
    EXPECT_EQ(offsets.size(), items / mean + 1) << name(each);
    EXPECT_TRUE(std::ranges::is_sorted(offsets)) << name(each);
    EXPECT_LE(offsets.back(), items) << name(each);
    EXPECT_GE(offsets.back(), items * 99 / 100) << name(each);
    EXPECT_EQ(offsets.front() > 0, each == LengthDistribution::awkward) << name(each);
    EXPECT_EQ(parse_length_distribution(name(each)), each);
  }
}

TEST(MadeOffsets, OfACallAreNotAboveItsItems) {
  const Problem problem = in_segments(test::segments_of_type(Algorithm::reduce, plus, Type::i32), items / mean, items);
  const std::vector<Port> all = ports(problem);
  const auto port = std::ranges::find(all, Extent::offsets, &Port::extent);
  const Bytes bytes = make_offsets(problem, *port, items, 7, LengthDistribution::awkward);
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{127}, std::uint64_t{20'001}, items}) {
    const Bytes of_call = offsets_of_call(problem, *port, bytes, n);
    ASSERT_EQ(of_call.size(), 4 * (rows_of(problem, n) + 1)) << n;
    std::uint32_t last = 0;
    for (std::size_t i = 0; 4 * i < of_call.size(); ++i) {
      std::uint32_t made = 0, offset = 0;
      std::memcpy(&made, bytes.data() + 4 * i, 4);
      std::memcpy(&offset, of_call.data() + 4 * i, 4);
      ASSERT_EQ(offset, std::min<std::uint64_t>(made, n)) << n << " items, offset " << i;
      last = offset;
    }
    EXPECT_EQ(last, n) << "all items behind the first segment's begin lie in segments";
  }
}

TEST(MadeOffsets, HaveTheLengthsOfTheirDistribution) {
  constexpr auto segments = static_cast<std::ptrdiff_t>(items / mean);
  EXPECT_THAT(lengths_of(LengthDistribution::equal), Each(mean));
  EXPECT_THAT(lengths_of(LengthDistribution::uniform), Each(AllOf(Ge(0u), Le(2 * mean + 2))));
  EXPECT_GE(longest(LengthDistribution::uniform), 2 * mean - 2);
  EXPECT_GE(longest(LengthDistribution::power_law), 100 * mean);
  EXPECT_LE(longest(LengthDistribution::power_law), items / 2);
  EXPECT_GE(longest(LengthDistribution::one_giant), items * 2 / 3 - 1);
  EXPECT_EQ(std::ranges::count_if(lengths_of(LengthDistribution::one_giant), [](auto each) { return each > mean; }), 1);
  EXPECT_EQ(empty_ones(LengthDistribution::empty_half), segments / 2);
  EXPECT_LE(longest(LengthDistribution::empty_half), 2 * mean + 1);
  EXPECT_NEAR(static_cast<double>(empty_ones(LengthDistribution::mixed)), segments / 4.0, segments / 20.0);
  EXPECT_GE(empty_ones(LengthDistribution::awkward), segments / 2);
}

}  // namespace
}  // namespace upsweep::tuner
