// Real sizes: 2^30 items, and more than 2^32. Data telescope or repeat, so that every output is known without a
// sequential loop.
#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "tests/gpu/gpu.hpp"

namespace upsweep {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// Item i is w(i + 1) - w(i), so the sum up to and with it is w(i + 1) - w(0).
int w(std::uint64_t i) {
  return static_cast<int>(mix(i) % 32);
}

// Calls work(begin, end) on every core for parts of [0, n).
template <typename Work>
void in_parallel(std::uint64_t n, Work work) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < cores; ++t)
    threads.emplace_back([=] { work(n / cores * t, t + 1 == cores ? n : n / cores * (t + 1)); });
  for (std::thread& thread : threads) thread.join();
}

// The first place in [0, n) where is_right(place) is false, n if there is none.
template <typename IsRight>
std::uint64_t first_wrong(std::uint64_t n, IsRight is_right) {
  std::atomic<std::uint64_t> first{n};
  in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      if (is_right(i)) continue;
      std::uint64_t before = first.load();
      while (i < before && !first.compare_exchange_weak(before, i)) {
      }
      return;
    }
  });
  return first.load();
}

template <typename T>
void expect_scan(std::uint64_t n, Algorithm algorithm) {
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  const Problem problem = make_problem(algorithm, Operator::plus, value_type<T>(), value_type<T>(), n);
  const Plan plan = engine->plan(problem, nullptr);
  std::vector<T> values(n);
  in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) values[i] = static_cast<T>(w(i + 1) - w(i));
  });
  runtime::Buffer memory(device, n * sizeof(T) + sizeof(T));
  runtime::Buffer total(device, sizeof(T));
  device.copy_to_device(memory.data(), values.data(), n * sizeof(T), nullptr);
  if (algorithm == Algorithm::reduce) {
    T got{};
    plan.run(memory.data(), total.data(), n);
    device.copy_to_host(&got, total.data(), sizeof(T), nullptr);
    EXPECT_EQ(got, static_cast<T>(w(n) - w(0)));
    return;
  }
  plan.run(memory.data(), memory.data(), n);  // in place
  device.copy_to_host(values.data(), memory.data(), n * sizeof(T), nullptr);
  const std::uint64_t shift = algorithm == Algorithm::inclusive_scan ? 1 : 0;
  EXPECT_EQ(first_wrong(n, [&](std::uint64_t i) { return values[i] == static_cast<T>(w(i + shift) - w(0)); }), n)
      << "first wrong item: " << to_string(problem);
}

// Marked places, again and again after `period` of them.
struct Marks {
  static constexpr std::uint64_t period = 1009;
  std::vector<std::uint64_t> places;  // of a period that are marked
  std::vector<std::uint64_t> rank;    // of each place: marked places before it

  // Place 0 and each other one with the probability 1 / one_in.
  explicit Marks(std::uint64_t one_in) {
    for (std::uint64_t i = 0; i < period; ++i) {
      rank.push_back(places.size());
      if (i == 0 || mix(i) % one_in == 0) places.push_back(i);
    }
  }
  [[nodiscard]] bool holds(std::uint64_t i) const {
    return rank[i % period] < places.size() && places[rank[i % period]] == i % period;
  }
  [[nodiscard]] std::uint64_t before(std::uint64_t i) const { return i / period * places.size() + rank[i % period]; }
  [[nodiscard]] std::uint64_t place(std::uint64_t mark) const {
    return mark / places.size() * period + places[mark % places.size()];
  }
};

void expect_selection(std::uint64_t n) {
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  const Plan plan = engine->plan(make_problem(Algorithm::select_if, less, Type::u8, Type::u64, n), nullptr);
  constexpr std::uint8_t threshold = 128;
  const Marks kept(2);
  const auto item = [&](std::uint64_t i) {
    return static_cast<std::uint8_t>((i / 7 + i) % threshold + (kept.holds(i) ? 0 : threshold));
  };
  std::vector<std::uint8_t> items(n);
  in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) items[i] = item(i);
  });
  runtime::Buffer memory(device, n), count(device, sizeof(std::uint64_t));
  device.copy_to_device(memory.data(), items.data(), n, nullptr);
  plan.run(Arguments(n)
               .array("in", memory.data())
               .array("out", memory.data())
               .array("count", count.data())
               .scalar("threshold", Scalar::of(threshold)));
  std::uint64_t number = 0;
  device.copy_to_host(&number, count.data(), sizeof number, nullptr);
  ASSERT_EQ(number, kept.before(n));
  std::vector<std::uint8_t> got(number);
  device.copy_to_host(got.data(), memory.data(), number, nullptr);
  EXPECT_EQ(first_wrong(number, [&](std::uint64_t r) { return got[r] == items[kept.place(r)]; }), number);
}

// A third of the items each: to three arrays, or in front, and the others behind them.
void expect_partitions(std::uint64_t n) {
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  std::vector<std::uint8_t> items(n);
  in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) items[i] = static_cast<std::uint8_t>(mix(i));
  });
  runtime::Buffer in(device, n), counts(device, 3 * sizeof(std::uint64_t));
  const std::vector<runtime::Buffer> parts = [&] {
    std::vector<runtime::Buffer> made;
    for (int part = 0; part < 3; ++part) made.emplace_back(device, n);
    return made;
  }();
  device.copy_to_device(in.data(), items.data(), n, nullptr);
  auto* const count = static_cast<std::uint64_t*>(counts.data());
  constexpr std::uint8_t thresholds[] = {85, 170};
  engine->plan(make_problem(Algorithm::three_way_partition, less, Type::u8, Type::u64, n), nullptr)
      .run(Arguments(n)
               .array("in", in.data())
               .array("first", parts[0].data())
               .array("second", parts[1].data())
               .array("rest", parts[2].data())
               .array("first_count", count)
               .array("second_count", count + 1)
               .array("rest_count", count + 2)
               .scalar("threshold", Scalar::of(thresholds[0]))
               .scalar("second_threshold", Scalar::of(thresholds[1])));
  std::vector<std::uint8_t> expected[3];
  for (const std::uint8_t item : items)
    expected[item < thresholds[0] ? 0 : item < thresholds[1] ? 1 : 2].push_back(item);
  std::vector<std::uint8_t> got(n);
  for (std::size_t part = 0; part < 3; ++part) {
    std::uint64_t number = 0;
    device.copy_to_host(&number, count + part, sizeof number, nullptr);
    ASSERT_EQ(number, expected[part].size());
    device.copy_to_host(got.data(), parts[part].data(), number, nullptr);
    EXPECT_TRUE(std::equal(expected[part].begin(), expected[part].end(), got.begin())) << "part " << part;
  }
  engine->plan(make_problem(Algorithm::stable_partition, greater_equal, Type::u8, Type::u64, n), nullptr)
      .run(Arguments(n)
               .array("in", in.data())
               .array("out", parts[0].data())
               .array("count", count)
               .scalar("threshold", Scalar::of(thresholds[1])));
  device.copy_to_host(got.data(), parts[0].data(), n, nullptr);
  EXPECT_TRUE(std::equal(expected[2].begin(), expected[2].end(), got.begin()));
  std::erase_if(items, [&](std::uint8_t item) { return item >= thresholds[1]; });
  EXPECT_TRUE(std::equal(items.begin(), items.end(), got.begin() + static_cast<std::ptrdiff_t>(expected[2].size())));
}

// In place, with sums of 8 bits.
void expect_reduction_by_key(std::uint64_t n) {
  const auto& engine = test::gpu_engine();
  runtime::Device& device = engine->device();
  Problem problem = make_problem(Algorithm::reduce_by_key, Operator::plus, Type::u8, Type::u8, n);
  problem.key = Type::u8;
  const Plan plan = engine->plan(problem, nullptr);
  const Marks first_of_runs(8);
  const auto run_of = [&](std::uint64_t i) { return first_of_runs.before(i + 1) - 1; };
  const auto key_of = [](std::uint64_t run) { return static_cast<std::uint8_t>(run % 251); };
  const auto value = [](std::uint64_t i) { return static_cast<std::uint8_t>(mix(i)); };
  std::vector<std::uint8_t> keys(n), values(n);
  in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      keys[i] = key_of(run_of(i));
      values[i] = value(i);
    }
  });
  runtime::Buffer key_memory(device, n), value_memory(device, n), count(device, sizeof(std::uint64_t));
  device.copy_to_device(key_memory.data(), keys.data(), n, nullptr);
  device.copy_to_device(value_memory.data(), values.data(), n, nullptr);
  plan.run(Arguments(n)
               .array("keys", key_memory.data())
               .array("values", value_memory.data())
               .array("unique", key_memory.data())
               .array("aggregates", value_memory.data())
               .array("count", count.data()));
  std::uint64_t runs = 0;
  device.copy_to_host(&runs, count.data(), sizeof runs, nullptr);
  ASSERT_EQ(runs, first_of_runs.before(n));
  device.copy_to_host(keys.data(), key_memory.data(), runs, nullptr);
  device.copy_to_host(values.data(), value_memory.data(), runs, nullptr);
  EXPECT_EQ(first_wrong(runs,
                        [&](std::uint64_t run) {
                          std::uint8_t sum = 0;
                          const std::uint64_t end = run + 1 < runs ? first_of_runs.place(run + 1) : n;
                          for (std::uint64_t i = first_of_runs.place(run); i < end; ++i) {
                            sum = static_cast<std::uint8_t>(sum + value(i));
                          }
                          return keys[run] == key_of(run) && values[run] == sum;
                        }),
            runs);
}

TEST(GpuLarge, TwoToThe30) {
  expect_scan<int>(std::uint64_t{1} << 30, Algorithm::inclusive_scan);
  expect_scan<float>((std::uint64_t{1} << 30) - 5, Algorithm::exclusive_scan);
  expect_scan<float>((std::uint64_t{1} << 30) + 1, Algorithm::reduce);
}

TEST(GpuLarge, Beyond32Bits) {
  const std::uint64_t n = (std::uint64_t{1} << 32) + 12'345'677;
  expect_scan<signed char>(n, Algorithm::inclusive_scan);
  expect_scan<signed char>(n, Algorithm::exclusive_scan);
  expect_scan<signed char>(n, Algorithm::reduce);
  expect_selection(n);
  expect_reduction_by_key(n);
  expect_partitions(n);
}

}  // namespace
}  // namespace upsweep
