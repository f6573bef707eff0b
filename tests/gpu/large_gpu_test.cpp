// Real sizes: 2^30 items, and more than 2^32. Data telescopes, so every output is known without a sequential loop.
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
  std::atomic<std::uint64_t> first_wrong{n};
  in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      if (values[i] == static_cast<T>(w(i + shift) - w(0))) continue;
      std::uint64_t before = first_wrong.load();
      while (i < before && !first_wrong.compare_exchange_weak(before, i)) {
      }
      return;
    }
  });
  EXPECT_EQ(first_wrong.load(), n) << "first wrong item, of " << n << ": " << to_string(problem);
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
}

}  // namespace
}  // namespace upsweep
