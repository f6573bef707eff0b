// Reductions by key: data in runs, a plain reference, and runs that are compared with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>

#include "runtime/device.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {

[[nodiscard]] Problem reduction_by_key(Operator op, Type value, Type key);

// Keys and values of n items, in runs of `run_length` items on average.
struct KeyedItems {
  std::vector<std::byte> keys;
  std::vector<std::byte> values;
};
[[nodiscard]] std::vector<std::byte> make_keys(Type type, std::uint64_t n, double run_length, std::uint64_t seed);
[[nodiscard]] KeyedItems make_keyed_items(const Problem& problem, std::uint64_t n, double run_length,
                                          std::uint64_t seed);

// What a plain loop folds. Keys are integers, so that equal bytes are equal keys.
struct Runs {
  std::vector<std::byte> unique;
  std::vector<std::byte> aggregates;
  std::uint64_t count = 0;
};
[[nodiscard]] Runs runs_of(const Problem& problem, const KeyedItems& items, std::uint64_t n);

// Runs the plan and compares with a plain loop: the number of runs, their keys and folds, and that nothing behind them
// or outside the arrays was written. In place, keys and values are replaced, the values where results have their type.
// Empty: all is right.
[[nodiscard]] std::optional<std::string> reduce_by_key_and_compare(runtime::Device& device, const Plan& plan,
                                                                   std::uint64_t n, double run_length,
                                                                   std::uint64_t seed, const Layout& layout = {},
                                                                   Stream stream = nullptr);
// The same with given items, and the runs that they have.
[[nodiscard]] std::optional<std::string> reduce_by_key_and_compare(runtime::Device& device, const Plan& plan,
                                                                   const KeyedItems& items, const Runs& runs,
                                                                   const Layout& layout = {}, Stream stream = nullptr);

}  // namespace upsweep::test
