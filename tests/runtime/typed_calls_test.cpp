// Typed calls of selections and reductions by key, on the host device, against plain loops. selection_test.cpp and
// by_key_test.cpp have every schedule and type.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>
#include <upsweep/log.hpp>

#include "tests/support/message_of.hpp"

namespace upsweep {
namespace {

using test::message_of;
using testing::HasSubstr;

constexpr std::uint64_t sizes[] = {0, 1, 5, 1000};
constexpr std::uint32_t seed = 118;

template <typename T>
std::vector<T> small_numbers(std::uint64_t n, int least, int most) {
  std::mt19937 random(seed);
  std::vector<T> numbers;
  for (std::uint64_t i = 0; i < n; ++i) {
    numbers.push_back(static_cast<T>(least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1))));
  }
  return numbers;
}

// The items whose decisive number is kept.
template <typename T, typename D, typename Keeps>
std::vector<T> kept_by_loop(const std::vector<T>& items, const std::vector<D>& decisive, Keeps&& keeps) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (keeps(decisive[i])) kept.push_back(items[i]);
  }
  return kept;
}

class TypedCallsTest : public testing::Test {
 protected:
  Context context{{.device = "host", .database = "none"}};
  std::uint64_t count = 0;
};

// Calls with a place to write to, and to read from: apart, in place, off an aligned address, with either count.
template <typename T, typename Call>
void expect_kept(const std::vector<T>& items, const std::vector<T>& expected, Call&& call) {
  constexpr T untouched = T(77);
  std::vector<T> behind = expected;
  behind.resize(items.size() + 2, untouched);
  std::uint64_t count = 99;
  std::uint32_t narrow = 99;
  std::vector<T> out(items.size() + 2, untouched);
  call(items.data(), out.data(), &count);
  EXPECT_EQ(out, behind) << items.size() << " items, seed " << seed;
  EXPECT_EQ(count, expected.size());

  std::vector<T> shifted(items.size() + 3, untouched);
  std::copy(items.begin(), items.end(), shifted.begin() + 1);
  std::fill(out.begin(), out.end(), untouched);
  call(shifted.data() + 1, out.data(), &narrow);
  EXPECT_EQ(out, behind) << items.size() << " items off an aligned address, seed " << seed;
  EXPECT_EQ(narrow, expected.size());

  std::vector<T> in_place = items;
  call(in_place.data(), in_place.data(), &count);
  EXPECT_EQ(count, expected.size());
  in_place.resize(expected.size());
  EXPECT_EQ(in_place, expected) << items.size() << " items in place, seed " << seed;
}

TEST_F(TypedCallsTest, SelectIfKeepsWhatAPlainLoopKeeps) {
  for (const std::uint64_t n : sizes) {
    const std::vector<float> items = small_numbers<float>(n, -4, 9);
    const float limit = 2;
    const std::vector<float> below = kept_by_loop(items, items, [](float item) { return item < 2; });
    expect_kept(items, below,
                [&](auto* in, auto* out, auto* number) { context.select_if(in, out, number, n, less, limit); });
    // An int is as good as a float, and a value in memory as one on the host.
    expect_kept(items, kept_by_loop(items, items, [](float item) { return item >= 2; }),
                [&](auto* in, auto* out, auto* number) { context.select_if(in, out, number, n, greater_equal, 2); });
    expect_kept(items, below, [&](auto* in, auto* out, auto* number) {
      context.select_if(in, out, number, n, less, in_memory(&limit), nullptr);
    });
  }
}

TEST_F(TypedCallsTest, SelectFlaggedKeepsWhatAPlainLoopKeeps) {
  for (const std::uint64_t n : sizes) {
    const std::vector<std::int32_t> items = small_numbers<std::int32_t>(n, -1000, 1000);
    const std::vector<std::uint8_t> flags = small_numbers<std::uint8_t>(n, 0, 2);
    const std::vector<float> times = small_numbers<float>(n, -3, 3);
    const std::vector<std::int32_t> set = kept_by_loop(items, flags, [](std::uint8_t flag) { return flag != 0; });
    expect_kept(items, set,
                [&](auto* in, auto* out, auto* number) { context.select_flagged(in, flags.data(), out, number, n); });
    expect_kept(items, kept_by_loop(items, times, [](float time) { return time <= 0.5f; }),
                [&](auto* in, auto* out, auto* number) {
                  context.select_flagged(in, times.data(), out, number, n, less_equal, 0.5);
                });
    const std::uint8_t two = 2;
    expect_kept(items, kept_by_loop(items, flags, [](std::uint8_t flag) { return flag == 2; }),
                [&](auto* in, auto* out, auto* number) {
                  context.select_flagged(in, flags.data(), out, number, n, equal_to, in_memory(&two));
                });
  }
}

TEST_F(TypedCallsTest, FlagsMayBeBoolAndChar) {
  const std::vector<std::int32_t> items{10, 11, 12, 13};
  const bool yes_or_no[] = {true, false, false, true};
  const char letters[] = {'\0', 'a', 'b', '\x80'};
  std::vector<std::int32_t> out(4);
  context.select_flagged(items.data(), yes_or_no, out.data(), &count, 4);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(out, (std::vector<std::int32_t>{10, 13, 0, 0}));
  context.select_flagged(items.data(), yes_or_no, out.data(), &count, 4, equal_to, false);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(out, (std::vector<std::int32_t>{11, 12, 0, 0}));
  context.select_flagged(items.data(), letters, out.data(), &count, 4);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(out, (std::vector<std::int32_t>{11, 12, 13, 0}));
  context.select_flagged(items.data(), letters, out.data(), &count, 4, less, 'b');
  EXPECT_EQ(count, std::numeric_limits<char>::is_signed ? 3u : 2u);
}

struct KeyedSums {
  std::vector<std::int16_t> keys;
  std::vector<double> sums;
};

KeyedSums sums_by_loop(const std::vector<std::int16_t>& keys, const std::vector<float>& values) {
  KeyedSums runs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      runs.keys.push_back(keys[i]);
      runs.sums.push_back(0);
    }
    runs.sums.back() += static_cast<double>(values[i]);
  }
  return runs;
}

// Values as f32, sums as f64: the types of the pointers say so.
TEST_F(TypedCallsTest, ReduceByKeyFoldsWhatAPlainLoopFolds) {
  for (const std::uint64_t n : sizes) {
    for (const std::size_t shift : {0, 1}) {
      const std::vector<std::int16_t> keys = small_numbers<std::int16_t>(n + shift, -1, 1);
      const std::vector<float> values = small_numbers<float>(n + shift, -50, 50);
      const auto first = static_cast<std::ptrdiff_t>(shift);
      KeyedSums expected = sums_by_loop({keys.begin() + first, keys.end()}, {values.begin() + first, values.end()});
      std::vector<std::int16_t> unique(n + 2, 77);
      std::vector<double> sums(n + 2, 77);
      context.reduce_by_key(keys.data() + shift, values.data() + shift, unique.data(), sums.data(), &count, n);
      EXPECT_EQ(count, expected.keys.size()) << n << " items, seed " << seed;
      expected.keys.resize(n + 2, 77);
      expected.sums.resize(n + 2, 77);
      EXPECT_EQ(unique, expected.keys) << n << " items, seed " << seed;
      EXPECT_EQ(sums, expected.sums) << n << " items, seed " << seed;
    }
  }
}

TEST_F(TypedCallsTest, ReduceByKeyComparesKeysAsNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> keys{0.0f, -0.0f, nan, nan, -0.0f, 0.0f};
  const std::vector<std::int32_t> values{1, 2, 4, 8, 16, 32};
  std::vector<float> unique(6);
  std::vector<std::int32_t> sums(6);
  context.reduce_by_key(keys.data(), values.data(), unique.data(), sums.data(), &count, 6);
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(sums, (std::vector<std::int32_t>{3, 4, 8, 48, 0, 0}));
  EXPECT_TRUE(std::signbit(unique[0])) << "the key of a run is that of its last item";
  EXPECT_TRUE(std::isnan(unique[1]) && std::isnan(unique[2]));
  EXPECT_FALSE(std::signbit(unique[3]));
}

TEST_F(TypedCallsTest, ReduceByKeyTakesThePlaceOfItsInputs) {
  std::vector<std::uint32_t> keys = small_numbers<std::uint32_t>(1000, 0, 2);
  std::vector<std::int32_t> values = small_numbers<std::int32_t>(1000, -50, 50);
  std::vector<std::uint32_t> unique;
  std::vector<std::int32_t> largest;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i] == keys[i - 1]) {
      largest.back() = std::max(largest.back(), values[i]);
      continue;
    }
    unique.push_back(keys[i]);
    largest.push_back(values[i]);
  }
  unsigned long long runs = 0;  // of 64 bits too, and another type than std::uint64_t
  context.reduce_by_key(keys.data(), values.data(), keys.data(), values.data(), &runs, 1000, maximum, nullptr);
  ASSERT_EQ(runs, unique.size());
  keys.resize(runs);
  values.resize(runs);
  EXPECT_EQ(keys, unique) << "seed " << seed;
  EXPECT_EQ(values, largest) << "seed " << seed;
}

// What a context logs of its plans: one line for each that is made.
class PlansMade {
 public:
  PlansMade()
      : before_(set_log_sink([this](LogLevel, const std::string& text) {
          if (text.find(" items: ") != text.npos) lines_.push_back(text);
        })) {
    set_log_level(LogLevel::info);
  }
  ~PlansMade() {
    set_log_level(LogLevel::warning);
    set_log_sink(before_);
  }
  PlansMade(const PlansMade&) = delete;
  PlansMade& operator=(const PlansMade&) = delete;
  [[nodiscard]] std::vector<std::string> take() { return std::exchange(lines_, {}); }

 private:
  std::vector<std::string> lines_;
  LogSink before_;
};

TEST_F(TypedCallsTest, HaveThePlansThatPrepareMakes) {
  const std::vector<float> items(9, 1);
  const std::vector<std::int8_t> flags(9, 1);
  std::vector<float> out(9);
  std::vector<std::int8_t> unique(9);
  const Problem selection = make_problem(Algorithm::select_if, greater, Type::f32, Type::u64, 8);
  Problem flagged = make_problem(Algorithm::select_flagged, not_equal_to, Type::f32, Type::u64, 8);
  Problem sums = make_problem(Algorithm::reduce_by_key, plus, Type::f32, Type::f32, 8);
  flagged.key = sums.key = Type::i8;
  for (const Problem& problem : {selection, flagged, sums}) context.prepare(problem);
  PlansMade made;
  for (const std::size_t shift : {0, 1}) {
    const float* const in = items.data() + shift;
    context.select_if(in, out.data() + shift, &count, 8, greater, 0.5f);
    EXPECT_EQ(count, 8u);
    context.select_flagged(in, flags.data() + shift, out.data(), &count, 8);
    EXPECT_EQ(count, 8u);
    context.reduce_by_key(flags.data() + shift, in, unique.data(), out.data(), &count, 8);
    EXPECT_EQ(count, 1u);
  }
  EXPECT_THAT(made.take(), testing::IsEmpty()) << "a call that was prepared makes no plan";
  context.select_if(items.data(), out.data(), &count, 8, less, 0.5f);
  EXPECT_THAT(made.take(), testing::ElementsAre(HasSubstr("select_if less f32")));
}

// Calls with any misaligned input have the plan for sizes above a power of two.
TEST_F(TypedCallsTest, OfMisalignedInputsArePlannedAsTheSizesAboveAPowerOfTwo) {
  alignas(16) const float items[12] = {};
  alignas(16) const std::uint8_t flags[32] = {};
  alignas(16) float out[12];
  PlansMade made;
  context.select_flagged(items, flags, out, &count, 8);
  EXPECT_THAT(made.take(), testing::ElementsAre(HasSubstr("by u8 to f32, 8 items")));
  context.select_flagged(items, flags, out + 1, &count, 8);
  context.select_flagged(items, flags + 16, out + 1, &count, 8);
  EXPECT_THAT(made.take(), testing::IsEmpty());
  context.select_flagged(items, flags + 1, out, &count, 8);
  EXPECT_THAT(made.take(), testing::ElementsAre(HasSubstr("by u8 to f32, 9 items")));
  context.select_flagged(items + 1, flags, out, &count, 8);
  EXPECT_THAT(made.take(), testing::IsEmpty());
}

// A first call of no items has no arrays to look at.
TEST_F(TypedCallsTest, AreCheckedByTheFirstCallThatHasItems) {
  std::vector<float> in(4);
  context.select_if(in.data(), in.data(), &count, 0, less, 1);
  EXPECT_THAT(message_of<UsageError>([&] { context.select_if(in.data(), in.data() + 1, &count, 3, less, 1); }),
              HasSubstr("overlap"));
}

TEST_F(TypedCallsTest, ThatAreWrongSayWhatToDo) {
  std::vector<float> in(4), out(4);
  std::vector<std::uint8_t> flags(4);
  std::vector<std::uint32_t> keys(4), unique(4);
  std::uint32_t narrow = 0;
  float* const null = nullptr;
  EXPECT_THAT(message_of<UsageError>([&] { context.select_if(in.data(), out.data(), &count, 4, plus, 1); }),
              HasSubstr("select_if needs a predicate, but plus is an operator"));
  EXPECT_THAT(message_of<UsageError>([&] { context.select_if(in.data(), null, &count, 4, less, 1); }),
              HasSubstr("'out' is null"));
  EXPECT_THAT(message_of<UsageError>(
                  [&] { context.select_if(in.data(), out.data(), static_cast<std::uint64_t*>(nullptr), 0, less, 1); }),
              HasSubstr("'count' is null"));
  EXPECT_THAT(message_of<UsageError>([&] { context.select_if(in.data(), in.data() + 1, &count, 3, less, 1); }),
              HasSubstr("overlap"));
  EXPECT_EQ(message_of<UsageError>([&] { context.select_if(in.data(), out.data(), &narrow, 1ull << 32, less, 1); }),
            "a count of 32 bits cannot take 4294967296 items: pass the address of a std::uint64_t as count");
  const Problem counted = make_problem(Algorithm::select_if, less, Type::f32, Type::u32, 4);
  EXPECT_THAT(message_of<UsageError>([&] {
                context.plan(counted).run(Arguments(1ull << 32)
                                              .array("in", static_cast<const float*>(in.data()))
                                              .array("out", out.data())
                                              .array("count", &narrow)
                                              .scalar("threshold", Scalar::of(1.0f)));
              }),
              HasSubstr("a count of 32 bits cannot take 4294967296 items"))
      << "plans are asked, too";
  EXPECT_EQ(message_of<UsageError>(
                [&] { context.select_flagged(in.data(), flags.data(), out.data(), &count, 4, less, 256); }),
            "the threshold is not a value of u8, the type that it is compared with: pass a value in the range of this "
            "type");
  EXPECT_THAT(message_of<UsageError>([&] { context.select_if(keys.data(), unique.data(), &count, 4, greater, -1); }),
              HasSubstr("not a value of u32"));
  EXPECT_THAT(message_of<UsageError>(
                  [&] { context.select_if(in.data(), out.data(), &count, 4, less, in_memory(out.data() + 3)); }),
              HasSubstr("'threshold' ("));
  EXPECT_THAT(message_of<UsageError>([&] { context.select_flagged(in.data(), flags.data(), null, &count, 4); }),
              HasSubstr("'out' is null"));
  EXPECT_THAT(message_of<UsageError>(
                  [&] { context.reduce_by_key(keys.data(), in.data(), unique.data(), out.data(), &count, 4, less); }),
              HasSubstr("less is a predicate"));
  EXPECT_THAT(message_of<UsageError>([&] {
                context.reduce_by_key(keys.data(), in.data(), unique.data(), out.data(), &count, 4, bit_and);
              }),
              HasSubstr("bit_and does not take f32"));
  EXPECT_THAT(
      message_of<UsageError>([&] { context.reduce_by_key(keys.data(), in.data(), unique.data(), null, &count, 4); }),
      HasSubstr("'aggregates' is null"));
}

}  // namespace
}  // namespace upsweep
