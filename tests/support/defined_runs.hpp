// Calls of problems that tests define, against plain loops.
#pragma once

#include <cstring>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/plan.hpp>

#include "runtime/device.hpp"
#include "tests/support/defined.hpp"
#include "tuner/data.hpp"

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

}  // namespace upsweep::test
