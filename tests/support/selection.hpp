// Selections: data of which a given share is kept, a plain reference, and runs that are compared with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/device.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {

// select_if of items of a type. The number of results is of type u64, or of `count`.
[[nodiscard]] Problem selection(Operator predicate, Type type, Type count = Type::u64);

// select_flagged of items of a type, by flags of another.
[[nodiscard]] Problem flagged_selection(Operator predicate, Type type, Type flag, Type count = Type::u64);

// Every predicate that each type has.
[[nodiscard]] std::vector<Problem> all_selections();

// Whether predicate(item, threshold) holds, by the sequential semantics of C++.
[[nodiscard]] bool holds(Operator predicate, Type type, const std::byte* item, const std::byte* threshold);

// Items, flags if the problem has any, and a threshold: about the `share` of the items is kept. Floating-point numbers
// are any bits, so that NaN, infinities and zeros of either sign are among them.
struct Selection {
  std::vector<std::byte> items;
  std::vector<std::byte> flags;
  Scalar threshold;
};
[[nodiscard]] Selection make_selection(const Problem& problem, std::uint64_t n, double share, std::uint64_t seed);

// The items that a plain loop keeps.
[[nodiscard]] std::vector<std::byte> selected(const Problem& problem, const Selection& selection);

// Runs the plan and compares: the number of results, the results, and that nothing behind them or outside the arrays
// was written. In place, what lies behind the results is what lay there before. Empty: all is right.
[[nodiscard]] std::optional<std::string> select_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                            double share, std::uint64_t seed, const Layout& layout = {},
                                                            Stream stream = nullptr);

}  // namespace upsweep::test
