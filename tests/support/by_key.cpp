#include "tests/support/by_key.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <span>

#include "tests/support/port_case.hpp"

namespace upsweep::test {
namespace {

Problem reduce_of(const Problem& problem) {
  Problem reduce = make_problem(Algorithm::reduce, problem.op, problem.input, problem.accumulator);
  reduce.output = problem.output;
  return reduce;
}

}  // namespace

Problem reduction_by_key(Operator op, Type value, Type key) {
  Problem problem = make_problem(Algorithm::reduce_by_key, op, value, value);
  problem.key = key;
  return problem;
}

std::vector<std::byte> make_keys(Type type, std::uint64_t n, double run_length, std::uint64_t seed) {
  const std::size_t size = size_of(type);
  std::mt19937_64 random(seed);
  std::vector<std::byte> keys(n * size);
  std::uint64_t key = random();
  for (std::uint64_t i = 0; i < n; ++i) {
    // Neighbouring runs differ in one bit, which may be any.
    const std::size_t bits = std::min<std::size_t>(8 * size, 64);
    if (static_cast<double>(random() >> 11) * run_length < 0x1p53) key ^= std::uint64_t{1} << random() % bits;
    std::memcpy(&keys[i * size], &key, std::min(size, sizeof key));  // of wider keys the rest is 0
  }
  return keys;
}

KeyedItems make_keyed_items(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  return {make_keys(*problem.key, n, run_length, seed), make_data(reduce_of(problem), n, Data::random, seed)};
}

Runs runs_of(const Problem& problem, const KeyedItems& items, std::uint64_t n) {
  const std::size_t key = size_of(*problem.key), value = size_of(problem.input);
  const Problem reduce = reduce_of(problem);
  const Scalar start = identity(problem.op, problem.accumulator);
  const std::span<const std::byte> values = items.values;
  Runs runs;
  for (std::uint64_t first = 0, end = 0; first < n; first = end) {
    const std::byte* const own = &items.keys[first * key];
    for (end = first + 1; end < n && std::memcmp(own, &items.keys[end * key], key) == 0;) ++end;
    runs.unique.insert(runs.unique.end(), own, own + key);
    const std::vector<std::byte> fold =
        expected(reduce, values.subspan(first * value, (end - first) * value), end - first, start);
    runs.aggregates.insert(runs.aggregates.end(), fold.begin(), fold.end());
    ++runs.count;
  }
  return runs;
}

std::optional<std::string> reduce_by_key_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                     double run_length, std::uint64_t seed, const Layout& layout,
                                                     Stream stream) {
  const KeyedItems items = make_keyed_items(plan.problem(), n, run_length, seed);
  return reduce_by_key_and_compare(device, plan, items, runs_of(plan.problem(), items, n), layout, stream);
}

std::optional<std::string> reduce_by_key_and_compare(runtime::Device& device, const Plan& plan, const KeyedItems& items,
                                                     const Runs& runs, const Layout& layout, Stream stream) {
  const Problem& problem = plan.problem();
  PortCase call{.n = items.keys.size() / size_of(*problem.key),
                .inputs = {{"keys", items.keys}, {"values", items.values}},
                .results = {{"unique", runs.unique}, {"aggregates", runs.aggregates}, {"count", {}}},
                .in_place = {{"unique", "keys"}}};
  if (problem.input == problem.output) call.in_place.emplace("aggregates", "values");
  std::vector<std::byte>& count = call.results["count"];
  count.resize(sizeof runs.count);
  std::memcpy(count.data(), &runs.count, count.size());
  return run_and_compare(device, plan, call, layout, stream);
}

}  // namespace upsweep::test
