#include "tests/support/selection.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "tests/support/port_case.hpp"
#include "tests/support/value.hpp"

namespace upsweep::test {
namespace {

// What the predicate decides on: flags where there are any.
Type compared(const Problem& problem) {
  return problem.key.value_or(problem.input);
}

void put_random_bits(std::mt19937_64& random, std::size_t bytes, std::byte* to) {
  const std::uint64_t bits[2] = {random(), random()};
  std::memcpy(to, bits, bytes);
}

}  // namespace

bool holds(Operator predicate, Type type, const std::byte* item, const std::byte* threshold) {
  const Value a = read(type, item), b = read(type, threshold);
  const auto by = [&](const auto& x, const auto& y) {
    switch (predicate) {
      case Operator::less:
        return x < y;
      case Operator::less_equal:
        return x <= y;
      case Operator::greater:
        return x > y;
      case Operator::greater_equal:
        return x >= y;
      case Operator::equal_to:
        return x == y;
      default:
        return x != y;
    }
  };
  if (is_complex(type)) {
    const bool same = a.real == b.real && a.imaginary == b.imaginary;
    return predicate == Operator::equal_to ? same : !same;
  }
  if (is_floating(type)) return by(a.real, b.real);
  if (is_signed(type)) {
    return by(static_cast<std::int64_t>(a.integer), static_cast<std::int64_t>(b.integer));
  }
  return by(a.integer, b.integer);
}

Problem selection(Operator predicate, Type type, Type count) {
  return make_problem(Algorithm::select_if, predicate, type, count);
}

Problem flagged_selection(Operator predicate, Type type, Type flag, Type count) {
  Problem problem = make_problem(Algorithm::select_flagged, predicate, type, count);
  problem.key = flag;
  return problem;
}

std::vector<Problem> all_selections() {
  std::vector<Problem> problems;
  for (const Operator predicate : all_predicates()) {
    for (const Type type : all_types()) {
      const Problem problem = selection(predicate, type);
      try {
        validate(problem);
        problems.push_back(problem);
      } catch (const UsageError&) {  // the predicate does not take the type: problem_test checks which
      }
    }
  }
  return problems;
}

Selection make_selection(const Problem& problem, std::uint64_t n, double share, std::uint64_t seed) {
  constexpr int most_tries = 64;
  const std::size_t size = size_of(compared(problem));
  std::mt19937_64 random(seed);
  Selection selection{.items = std::vector<std::byte>(n * size_of(problem.input)),
                      .flags = std::vector<std::byte>(problem.key ? n * size : 0),
                      .threshold = parse_scalar(compared(problem), "3")};
  const auto is_kept = [&](const std::byte* item) {
    return holds(problem.op, compared(problem), item, selection.threshold.bytes.data());
  };
  std::vector<std::byte>& decisive = problem.key ? selection.flags : selection.items;
  for (std::uint64_t i = 0; i < n; ++i) {
    const bool kept = static_cast<double>(random() >> 11) < std::ldexp(share, 53);
    if (problem.key) put_random_bits(random, size_of(problem.input), &selection.items[i * size_of(problem.input)]);
    std::byte* const item = &decisive[i * size];
    put_random_bits(random, size, item);
    for (int k = 0; k < most_tries && is_kept(item) != kept; ++k) {
      put_random_bits(random, size, item);
    }
    if (is_kept(item) != kept) std::memcpy(item, selection.threshold.bytes.data(), size);
  }
  return selection;
}

std::vector<std::byte> selected(const Problem& problem, const Selection& selection) {
  const std::size_t size = size_of(problem.input), step = size_of(compared(problem));
  const std::vector<std::byte>& decisive = problem.key ? selection.flags : selection.items;
  std::vector<std::byte> results;
  for (std::size_t i = 0; i * size < selection.items.size(); ++i) {
    const std::byte* const threshold = selection.threshold.bytes.data();
    if (!holds(problem.op, compared(problem), &decisive[i * step], threshold)) continue;
    const std::byte* const item = &selection.items[i * size];
    results.insert(results.end(), item, item + size);
  }
  return results;
}

std::optional<std::string> select_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n, double share,
                                              std::uint64_t seed, const Layout& layout, Stream stream) {
  const Problem& problem = plan.problem();
  const Selection selection = make_selection(problem, n, share, seed);
  const std::vector<std::byte> results = selected(problem, selection);
  const std::uint64_t kept = results.size() / size_of(problem.input);
  PortCase call{.n = n,
                .inputs = {{"in", selection.items}},
                .scalars = {{"threshold", selection.threshold}},
                .results = {{"out", results}, {"count", std::vector<std::byte>(size_of(problem.accumulator))}},
                .in_place = {{"out", "in"}}};
  std::memcpy(call.results["count"].data(), &kept, size_of(problem.accumulator));  // little-endian
  if (problem.key) call.inputs.emplace("flags", selection.flags);
  return run_and_compare(device, plan, call, layout, stream);
}

}  // namespace upsweep::test
