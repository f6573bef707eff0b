// Typed calls for runs and indices: the types of the pointers give the problem.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

class RunCalls : public testing::Test {
 protected:
  Context context{{.device = "host", .database = "none", .record_wanted = false}};
  const std::vector<std::int16_t> items{4, 4, 0, 0, 0, -7, 4};
  std::uint64_t count = 99;
};

TEST_F(RunCalls, UniqueKeepsTheFirstOfEachRun) {
  std::vector<std::int16_t> out(7, 1);
  context.unique(items.data(), out.data(), &count, 7);
  EXPECT_EQ(out, (std::vector<std::int16_t>{4, 0, -7, 4, 1, 1, 1}));
  EXPECT_EQ(count, 4u);
  std::vector<std::int16_t> in_place = items;
  std::uint32_t narrow = 99;
  context.unique(in_place.data(), in_place.data(), &narrow, 7, greater_equal);
  EXPECT_EQ(in_place, (std::vector<std::int16_t>{4, 4, 0, 0, 0, -7, 4})) << "descending pieces begin with 4 and 4";
  EXPECT_EQ(narrow, 2u);
}

TEST_F(RunCalls, UniqueByKeyKeepsTheFirstValueOfEachRun) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7};
  std::vector<std::int16_t> unique(7, 1);
  std::vector<double> out(7, 9);
  context.unique_by_key(items.data(), values.data(), unique.data(), out.data(), &count, 7);
  EXPECT_EQ(unique, (std::vector<std::int16_t>{4, 0, -7, 4, 1, 1, 1}));
  EXPECT_EQ(out, (std::vector<double>{1, 3, 6, 7, 9, 9, 9}));
  EXPECT_EQ(count, 4u);
}

// The value of a tile's last item would take the place of its key, which the next tile still reads.
TEST_F(RunCalls, UniqueByKeyTakesThePlaceOfKeysAndValuesButNoValueThatOfAKey) {
  std::vector<std::int32_t> keys{4, 4, 0, 0, 5}, values{1, 2, 3, 4, 5};
  Context other({.device = "host", .database = "none", .record_wanted = false});
  const std::string message = test::message_of<UsageError>(
      [&] { other.unique_by_key(keys.data(), values.data(), values.data(), keys.data(), &count, 5); });
  EXPECT_THAT(message, testing::StartsWith("'keys' ("));
  EXPECT_THAT(message, testing::EndsWith("overlap: use separate memory"));
  EXPECT_EQ(keys, (std::vector<std::int32_t>{4, 4, 0, 0, 5})) << "nothing was written";
  context.unique_by_key(keys.data(), values.data(), keys.data(), values.data(), &count, 5);
  EXPECT_EQ(keys, (std::vector<std::int32_t>{4, 0, 5, 0, 5}));
  EXPECT_EQ(values, (std::vector<std::int32_t>{1, 3, 5, 4, 5}));
}

TEST_F(RunCalls, RunLengthEncodeWritesItemsAndLengths) {
  std::vector<std::int16_t> unique(7, 1);
  std::vector<std::uint64_t> lengths(7, 9);
  context.run_length_encode(items.data(), unique.data(), lengths.data(), &count, 7);
  EXPECT_EQ(unique, (std::vector<std::int16_t>{4, 0, -7, 4, 1, 1, 1}));
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{2, 3, 1, 1, 9, 9, 9}));
  EXPECT_EQ(count, 4u);
}

TEST_F(RunCalls, NontrivialRunsHaveAtLeastTwoItems) {
  std::vector<std::uint32_t> offsets(7, 9), lengths(7, 8);
  context.nontrivial_runs(items.data(), offsets.data(), lengths.data(), &count, 7);
  EXPECT_EQ(offsets, (std::vector<std::uint32_t>{0, 2, 9, 9, 9, 9, 9}));
  EXPECT_EQ(lengths, (std::vector<std::uint32_t>{2, 3, 8, 8, 8, 8, 8}));
  EXPECT_EQ(count, 2u);
  std::vector<std::uint64_t> begins(7, 9), counts(7, 8);
  context.nontrivial_runs(items.data(), begins.data(), counts.data(), &count, 7, less_equal);
  EXPECT_EQ(begins, (std::vector<std::uint64_t>{0, 2, 5, 9, 9, 9, 9}));
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{2, 3, 2, 8, 8, 8, 8}));
  EXPECT_EQ(count, 3u);
  for (const std::uint64_t n : {0, 1}) {
    count = 99;
    context.nontrivial_runs(items.data(), begins.data(), counts.data(), &count, n);
    EXPECT_EQ(count, 0u) << n << " items";
  }
}

// The last index would fit in 32 bits, and one more would not: with 2^32 items, the number of them does not fit either.
TEST_F(RunCalls, IndicesOf32BitsAreRefusedWhereTheyWouldWrap) {
  constexpr std::uint64_t many = std::uint64_t{1} << 32;
  std::vector<std::uint32_t> indices(7), lengths(7);
  EXPECT_EQ(test::message_of<UsageError>([&] { context.nonzero(items.data(), indices.data(), &count, many); }),
            "indices of 32 bits cannot number 4294967296 items: use u64 as the type of 'out'");
  EXPECT_EQ(test::message_of<UsageError>(
                [&] { context.nontrivial_runs(items.data(), indices.data(), lengths.data(), &count, many); }),
            "indices of 32 bits cannot number 4294967296 items: use u64 as the type of 'offsets'");
  std::uint64_t few = 3;
  EXPECT_EQ(test::message_of<UsageError>(
                [&] { context.nonzero(items.data(), indices.data(), &count, items_in_memory(&few, many)); }),
            "indices of 32 bits cannot number 4294967296 items: use u64 as the type of 'out'");
  EXPECT_EQ(count, 99u) << "nothing was written";
}

TEST_F(RunCalls, NonzeroWritesIndices) {
  std::vector<std::uint32_t> indices(7, 9);
  context.nonzero(items.data(), indices.data(), &count, 7);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{0, 1, 5, 6, 9, 9, 9}));
  EXPECT_EQ(count, 4u);
  context.nonzero(items.data(), indices.data(), &count, 7, less, 0);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{5, 1, 5, 6, 9, 9, 9}));
  EXPECT_EQ(count, 1u);
}

TEST_F(RunCalls, OfNoItemsHaveNoRuns) {
  std::vector<std::int16_t> unique(1, 1);
  std::vector<std::uint32_t> lengths(1, 9);
  context.run_length_encode(items.data(), unique.data(), lengths.data(), &count, 0);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(unique[0], 1);
  EXPECT_EQ(lengths[0], 9u);
}

}  // namespace
}  // namespace upsweep
