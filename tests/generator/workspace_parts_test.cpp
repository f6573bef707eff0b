#include "generator/workspace_parts.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

namespace upsweep {
namespace {

using Sizes = std::vector<std::uint64_t>;

Source step(const char* layout, std::uint64_t tile, std::vector<ScratchRule> scratch = {}) {
  return {.launch = {.items_per_tile = tile},
          .workspace = {.layout = layout, .slot_bytes = *layout == 0 ? 0u : 8u, .slot_per_tile = true},
          .scratch = std::move(scratch)};
}

const ScratchRule folds{.name = "folds", .type = "u64", .item_bytes = 8, .call_items_per_item = 100};
const ScratchRule few{.name = "few", .type = "u32", .item_bytes = 4, .items = 3, .items_per_multiprocessor = 2};

TEST(WorkspaceParts, ScratchHasRoomForWhatItsRuleSays) {
  EXPECT_EQ(folds.bytes(0, 10), 0u);
  EXPECT_EQ(folds.bytes(1, 10), 128u);
  EXPECT_EQ(folds.bytes(1600, 10), 128u);
  EXPECT_EQ(folds.bytes(1601, 10), 256u);
  EXPECT_EQ(few.bytes(1 << 30, 10), 128u);
  EXPECT_EQ(few.bytes(0, 15), 256u) << "33 words";
}

TEST(WorkspaceParts, OneStepWithAStateIsThatState) {
  const std::vector<Source> steps{step("tiles", 100)};
  const WorkspaceParts parts(steps, 10);
  EXPECT_EQ(parts.count(), 1u);
  EXPECT_EQ(parts.layout(), "tiles");
  EXPECT_EQ(parts.bytes(5000), steps[0].workspace_bytes(5000, 10));
  EXPECT_EQ(parts.use(0).state, 0u);
  EXPECT_EQ(parts.split(1000), Sizes{1000}) << "all of it";
}

TEST(WorkspaceParts, NothingNeededIsNothing) {
  const std::vector<Source> steps{step("", 100)};
  const WorkspaceParts parts(steps, 10);
  EXPECT_EQ(parts.count(), 0u);
  EXPECT_EQ(parts.bytes(5000), 0u);
  EXPECT_EQ(parts.layout(), "");
  EXPECT_EQ(parts.split(1000), Sizes{});
}

TEST(WorkspaceParts, StepsShareStatesAndArraysOfOneName) {
  const std::vector<Source> steps{step("tiles", 100, {folds}), step("partials", 100, {few}),
                                  step("tiles", 10, {few, folds})};
  const WorkspaceParts parts(steps, 10);
  ASSERT_EQ(parts.count(), 3u);
  EXPECT_EQ(parts.layout(), "tiles + partials + scratch");
  EXPECT_EQ(parts.use(0).state, 0u);
  EXPECT_EQ(parts.use(1).state, 1u);
  EXPECT_EQ(parts.use(2).state, 0u);
  EXPECT_EQ(parts.use(2).scratch, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(parts.bytes(0, 5000), steps[2].workspace_bytes(5000, 10)) << "the larger of the two";
  EXPECT_EQ(parts.bytes(2, 5000), folds.bytes(5000, 10) + few.bytes(5000, 10));
  EXPECT_EQ(parts.offset(1, 5000), folds.bytes(5000, 10));
  EXPECT_EQ(parts.bytes(5000), parts.bytes(0, 5000) + parts.bytes(1, 5000) + parts.bytes(2, 5000));
}

// However much there is, all of it that the most items need is given to the parts, and no more than there is.
TEST(WorkspaceParts, SplitIsForAsManyItemsAsFit) {
  const std::vector<Source> steps{step("tiles", 100, {folds}), step("", 100, {folds})};
  const WorkspaceParts parts(steps, 10);
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{12'345}, std::uint64_t{1} << 40}) {
    const std::uint64_t bytes = parts.bytes(n);
    const Sizes split = parts.split(bytes);
    ASSERT_EQ(split.size(), 2u);
    EXPECT_GE(split[0], parts.bytes(0, n));
    EXPECT_GE(split[1], parts.bytes(1, n));
    EXPECT_LE(split[0] + split[1], bytes);
  }
  EXPECT_EQ(parts.split(100), (Sizes{100, 0})) << "too little for any call";
}

TEST(WorkspaceParts, RefuseWhatContradictsItself) {
  ScratchRule other = folds;
  other.item_bytes = 4;
  const std::vector<Source> steps{step("", 100, {folds}), step("", 100, {other})};
  EXPECT_THROW(WorkspaceParts(steps, 10), Error);
  const std::vector<Source> many{step("a", 1), step("b", 1), step("c", 1), step("d", 1, {folds})};
  EXPECT_THROW(WorkspaceParts(many, 10), Error);
}

}  // namespace
}  // namespace upsweep
