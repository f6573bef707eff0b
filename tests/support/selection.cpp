#include "tests/support/selection.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "tests/support/guarded_memory.hpp"
#include "tests/support/value.hpp"

namespace upsweep::test {
namespace {

bool holds(const Problem& problem, const std::byte* item, const Scalar& threshold) {
  const Value a = read(problem.input, item), b = read(problem.input, threshold.bytes.data());
  const auto by = [&](const auto& x, const auto& y) {
    switch (problem.op) {
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
  if (is_complex(problem.input)) {
    const bool same = a.real == b.real && a.imaginary == b.imaginary;
    return problem.op == Operator::equal_to ? same : !same;
  }
  if (is_floating(problem.input)) return by(a.real, b.real);
  if (is_signed(problem.input)) {
    return by(static_cast<std::int64_t>(a.integer), static_cast<std::int64_t>(b.integer));
  }
  return by(a.integer, b.integer);
}

void put_random_bits(std::mt19937_64& random, std::size_t bytes, std::byte* to) {
  const std::uint64_t bits[2] = {random(), random()};
  std::memcpy(to, bits, bytes);
}

}  // namespace

Problem selection(Operator predicate, Type type, Type count) {
  return make_problem(Algorithm::select_if, predicate, type, count);
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
  const std::size_t size = size_of(problem.input);
  std::mt19937_64 random(seed);
  Selection selection{.items = std::vector<std::byte>(n * size), .threshold = parse_scalar(problem.input, "3")};
  for (std::uint64_t i = 0; i < n; ++i) {
    const bool kept = static_cast<double>(random() >> 11) < std::ldexp(share, 53);
    std::byte* const item = &selection.items[i * size];
    put_random_bits(random, size, item);
    for (int k = 0; k < most_tries && holds(problem, item, selection.threshold) != kept; ++k) {
      put_random_bits(random, size, item);
    }
    if (holds(problem, item, selection.threshold) != kept) std::memcpy(item, selection.threshold.bytes.data(), size);
  }
  return selection;
}

std::vector<std::byte> selected(const Problem& problem, const Selection& selection) {
  const std::size_t size = size_of(problem.input);
  std::vector<std::byte> results;
  for (std::size_t at = 0; at < selection.items.size(); at += size) {
    const std::byte* const item = &selection.items[at];
    if (holds(problem, item, selection.threshold)) results.insert(results.end(), item, item + size);
  }
  return results;
}

std::optional<std::string> select_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n, double share,
                                              std::uint64_t seed, const Layout& layout, Stream stream) {
  const Problem& problem = plan.problem();
  const std::size_t size = size_of(problem.input), count_size = size_of(problem.accumulator);
  const Selection selection = make_selection(problem, n, share, seed);
  const std::vector<std::byte> results = selected(problem, selection);

  const GuardedMemory in(device, selection.items.size(), layout.in_offset * size, stream);
  const GuardedMemory apart(device, layout.in_place ? 0 : selection.items.size(), layout.out_offset * size, stream);
  const GuardedMemory count(device, count_size, 0, stream);
  const GuardedMemory threshold(device, size, 0, stream);
  const GuardedMemory& out = layout.in_place ? in : apart;
  device.copy_to_device(in.data(), selection.items.data(), selection.items.size(), stream);
  std::vector<std::byte> expected_count = count.fetch(stream);
  std::vector<std::byte> expected = out.fetch(stream);
  std::copy(results.begin(), results.end(), expected.begin() + static_cast<std::ptrdiff_t>(out.offset()));

  Arguments arguments(n);
  arguments.array("in", static_cast<const void*>(in.data())).array("out", out.data()).array("count", count.data());
  if (layout.initial_in_memory) {
    device.copy_to_device(threshold.data(), selection.threshold.bytes.data(), size, stream);
    arguments.scalar_in_memory("threshold", threshold.data());
  } else {
    arguments.scalar("threshold", selection.threshold);
  }
  plan.run(arguments, stream);

  const std::uint64_t kept = results.size() / size;  // little-endian: the first bytes are a u32, too
  std::memcpy(&expected_count[count.offset()], &kept, count_size);
  if (auto wrong = first_difference(expected_count, count.fetch(stream), "count", count_size)) return wrong;
  return first_difference(expected, out.fetch(stream), "out", size);
}

}  // namespace upsweep::test
