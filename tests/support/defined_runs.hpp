// Calls of problems that tests define, against plain loops.
#pragma once

#include <cstring>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/plan.hpp>

#include "runtime/device.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/defined.hpp"
#include "tuner/verify/data.hpp"

namespace upsweep::test {

template <typename T>
std::vector<T> items_of(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  const tuner::Bytes bytes = tuner::make_data(problem, n, seed);
  std::vector<T> items(n);
  if (n > 0) std::memcpy(static_cast<void*>(items.data()), bytes.data(), bytes.size());
  return items;
}

// One call of `n` items, whose arrays begin `offset` items behind an aligned address.
template <typename T>
void expect_right(runtime::Device& device, const Plan& plan, std::uint64_t n, std::size_t offset, bool in_place) {
  const Problem& problem = plan.problem();
  const std::vector<T> items = items_of<T>(problem, n, n + 1);
  T initial{};
  std::memcpy(static_cast<void*>(&initial), tuner::make_initial(problem, n).bytes.data(), sizeof(T));
  const std::vector<T> expected = expected_of(problem.algorithm, items, initial);
  runtime::Buffer in(device, (n + offset + 1) * sizeof(T)), out(device, (n + offset + 1) * sizeof(T));
  T* const from = static_cast<T*>(in.data()) + offset;
  T* const to = in_place ? from : static_cast<T*>(out.data()) + offset;
  device.fill(out.data(), 0xa5, out.bytes(), nullptr);
  device.copy_to_device(from, items.data(), n * sizeof(T), nullptr);
  plan.run(from, to, n, T::scalar(initial));
  device.synchronize(nullptr);
  std::vector<T> got(expected.size());
  device.copy_to_host(got.data(), to, got.size() * sizeof(T), nullptr);
  EXPECT_TRUE(got == expected) << to_string(problem) << " " << to_json(plan.config()) << ", " << n << " items, offset "
                               << offset << (in_place ? ", in place" : "");
}

template <typename T>
Problem reduction_by_key_of(Type key) {
  return reduction_by_key(T::op(), T::type(), key);
}

// Values that tests define, in runs of `run_length` items on average, by keys of a built-in type.
template <typename T>
void expect_reduced_by_key(runtime::Device& device, const Plan& plan, std::uint64_t n, double run_length,
                           const Layout& layout) {
  const Problem& problem = plan.problem();
  const std::size_t key = size_of(*problem.key);
  const std::vector<T> values = items_of<T>(problem_of<T>(Algorithm::reduce, n), n, n + 1);
  KeyedItems items{make_keys(*problem.key, n, run_length, n + 2), std::vector<std::byte>(n * sizeof(T))};
  if (n > 0) std::memcpy(items.values.data(), values.data(), items.values.size());
  Runs runs;
  std::vector<T> aggregates;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::byte* const own = &items.keys[i * key];
    if (i > 0 && std::memcmp(own - key, own, key) == 0) {
      aggregates.back() = T::combine(aggregates.back(), values[i]);
      continue;
    }
    aggregates.push_back(values[i]);
    runs.unique.insert(runs.unique.end(), own, own + key);
  }
  runs.count = aggregates.size();
  const auto* const bytes = reinterpret_cast<const std::byte*>(aggregates.data());
  runs.aggregates.assign(bytes, bytes + aggregates.size() * sizeof(T));
  EXPECT_EQ(reduce_by_key_and_compare(device, plan, items, runs, layout), std::nullopt)
      << to_string(problem) << " " << to_json(plan.config()) << ", " << n << " items, runs of " << run_length
      << (layout.in_place ? ", in place" : "");
}

}  // namespace upsweep::test
